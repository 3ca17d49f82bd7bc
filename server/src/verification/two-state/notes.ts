/** What a model tells of itself while it runs: which branches it takes, and the values that it compares. */
import { randomBytes } from 'node:crypto';
import type { Wanted } from '../engine.ts';
import { COMPARED_FILE, MARKS_FILE, markWords, type Watch } from '../harness/watch.ts';
import { STRING } from './closed-text.ts';

/** Namespace of the C++ text that keeps the notes. */
const KEEPER = 'rtl_copilot_notes';

/**
 * The statements that stand for notes. They become calls into C++ only when the text of the design around them was looked through, in
 * which such a call would be one that reaches out. No design can know their name before, and so have them made of its own text.
 */
export class Notes {
  readonly #name = `rtl_copilot_note_${randomBytes(12).toString('hex')}`;

  mark(branch: number): string {
    return `${this.#name}_mark_${String(branch)};`;
  }

  note(index: number, left: string, right: string): string {
    return `${this.#name}_open_${String(index)} ${left} ${this.#name}_comma ${right} ${this.#name}_close;`;
  }

  /** Of a closed text. */
  asCalls(text: string): string {
    const name = this.#name;
    const pieces = new RegExp(`${STRING.source}|\\b${name}_(?:mark_(?<branch>\\d+)|open_(?<index>\\d+)(?<left>[\\s\\S]*?)${name}_comma(?<right>[\\s\\S]*?)${name}_close)`, 'g');
    return text.replace(pieces, (piece, ...rest) => {
      const { branch, index, left = '', right = '' } = rest.at(-1) as Partial<Record<'branch' | 'index' | 'left' | 'right', string>>;
      if (branch !== undefined) return `$c("${KEEPER}::mark(${branch});")`;
      if (index === undefined) return piece;
      // A string among the arguments of such a call is C++ text. A range of values is no expression.
      if (/["\\]/.test(left + right) || /^\s*\[/.test(right)) return '';
      return `$c("${KEEPER}::note(${index}, ", (${left}), ", ", (${right}), ");")`;
    });
  }
}

/** Words of a comparison in a sample: two of each value, and whether there were any. */
const PAIR_WORDS = 5;

/** C++ text to stand before a model whose text makes notes. Those of one power-on state are kept. */
export function notePrelude({ branches, compared }: Pick<Watch, 'branches' | 'compared'>): string {
  return `#include <cstdint>
#include <cstdio>
#include <cstdlib>
namespace ${KEEPER} {
constexpr int COMPARISONS = ${String(compared)};
inline bool on = false;
inline bool eachSample = false;
inline uint32_t marks[${String(markWords(branches))}];
inline int wanted = 0;
inline int placeOf[COMPARISONS + 1];
inline uint32_t pairs[(COMPARISONS + 1) * ${String(PAIR_WORDS)}];
inline void mark(int branch) { if (on) marks[branch >> 5] |= 1U << (branch & 31); }
template <typename T> uint64_t low(const T& value) { return static_cast<uint64_t>(value); }
template <std::size_t N> uint64_t low(const VlWide<N>& value) { return value[0] | (static_cast<uint64_t>(value[1]) << 32); }
template <typename L, typename R> void note(int index, const L& left, const R& right) {
  if (!on || placeOf[index] < 0) return;
  uint32_t* const pair = pairs + placeOf[index] * ${String(PAIR_WORDS)};
  const uint64_t values[2] = {low(left), low(right)};
  for (int word = 0; word < 4; ++word) pair[word] = static_cast<uint32_t>(values[word >> 1] >> (32 * (word & 1)));
  pair[4] = 1;
}
inline void want(int count, char** arguments) {
  for (int& place : placeOf) place = -1;
  eachSample = count > 0 && arguments[0][0] == '1';
  for (int at = 1; at < count && wanted < COMPARISONS; ++at) {
    const int index = atoi(arguments[at]);
    if (index >= 0 && index < COMPARISONS) placeOf[index] = wanted++;
  }
}
// As words of four-state values, none of them unknown.
inline void write(FILE* file, uint32_t* words, int count) {
  for (int at = 0; at < count; ++at) {
    const uint32_t both[2] = {words[at], 0};
    fwrite(both, sizeof both, 1, file);
    words[at] = 0;
  }
}
}
`;
}

/** As the program of a watched model takes them. */
export function noteArguments({ eachSample, compared }: Wanted): string[] {
  return [eachSample ? '1' : '0', ...compared.map(String)];
}

/** What the program around a watched model does besides: pieces of its text, in the order in which they run. */
export function notingTexts(watch: Pick<Watch, 'branches'> | undefined): Readonly<Record<'declarations' | 'start' | 'before' | 'sample' | 'end', string>> {
  if (watch === undefined) return { declarations: '', start: '', before: '', sample: '', end: '' };
  const marks = `${KEEPER}::write(marks, ${KEEPER}::marks, ${String(markWords(watch.branches))});\n`;
  return {
    declarations: 'FILE *marks, *compared;\n',
    start: `  ${KEEPER}::want(argc - 1, argv + 1);\n  marks = fopen("${MARKS_FILE}", "wb");\n  compared = fopen("${COMPARED_FILE}", "wb");\n  if (marks == nullptr || compared == nullptr) return 1;\n`,
    before: `    ${KEEPER}::on = state == 0;\n`,
    sample: `  if (${KEEPER}::eachSample) ${marks}  ${KEEPER}::write(compared, ${KEEPER}::pairs, ${KEEPER}::wanted * ${String(PAIR_WORDS)});\n`,
    end: `  if (!${KEEPER}::eachSample) ${marks}  fclose(marks);\n  fclose(compared);\n`,
  };
}
