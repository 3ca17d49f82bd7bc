import type { HarnessOptions, Harness } from '../harness/harness.ts';
import { STIMULUS_FILE, TRACE_FILE } from '../harness/harness.ts';
import { escapedIdentifier, instantiation, unusedName } from '../harness/naming.ts';
import { paceOf } from '../harness/pace.ts';
import type { Watch } from '../harness/watch.ts';
import { connectPort } from '../array-ports.ts';
import { MODEL } from '../../tools/verilator.ts';
import { idleClocks, type Layout } from '../stimulus/layout.ts';
import { wordsPerSample } from '../trace.ts';
import { notingTexts } from './notes.ts';

/**
 * Power-on states in which a side runs at once, one of them all zeros, one all ones, the others random. A bit of the golden in which any two
 * differ is unknown. The DUT contradicts a known one where at least `quorum` of its own states do. So, where both sides depend alike on
 * their power-on state, a bit that is 1 in a share p of all states passes for a known 0 of the golden and for a difference of the DUT
 * with probability (1-p)^32 times that of 6 in 16 at p, which is below one in a thousand for every p.
 */
export const GOLDEN_STATES = { states: 32, quorum: 1, firstSeed: 1 } as const;
export const DUT_STATES = { states: 16, quorum: 6, firstSeed: 1001 } as const;

/** For what is watched one state does: what it does is noted of one alone, and that takes many times as long as to run without notes. */
export const WATCHED_STATES = { states: 1, quorum: 1, firstSeed: 1 } as const;

export type PowerOnStates = typeof GOLDEN_STATES | typeof DUT_STATES | typeof WATCHED_STATES;

/** The module around one side whose ports are those of a stimulus row and of a sample, as vectors. */
export function makeWrapper(options: HarnessOptions): Harness {
  const { layout } = options;
  const name = unusedName('rtl_copilot_wrapper', options.sources);
  const unpacked = new Map(options.ports.map((port) => [port.name, port.unpacked]));
  const lines: string[] = [];
  const connections: string[] = [];
  const connect = (net: string, port: string, width: number, isInput: boolean): void => {
    const connection = connectPort(net, { isInput, width, unpacked: unpacked.get(port) ?? [] });
    lines.push(...connection.declarations);
    connections.push(`.${escapedIdentifier(port)}(${connection.net})`);
  };
  layout.fields.forEach((field, index) => {
    const isClock = field.role === 'clock';
    lines.push(`  wire ${range(field.width, 0)}in_${String(index)};`, `  assign in_${String(index)} = ${isClock ? 'clocks' : 'data'}${range(field.width, field.offset - (isClock ? layout.dataBits : 0), true)};`);
    connect(`in_${String(index)}`, field.port, field.width, true);
  });
  layout.observed.forEach((port, index) => {
    lines.push(`  wire ${range(port.width, 0)}out_${String(index)};`, `  assign sampled${range(port.width, port.offset, true)} = out_${String(index)};`);
    connect(`out_${String(index)}`, port.port, port.width, false);
  });
  const ports = [
    ...(layout.dataBits > 0 ? [`input [${String(layout.dataBits - 1)}:0] data`] : []),
    ...(layout.clockBits > 0 ? [`input [${String(layout.clockBits - 1)}:0] clocks`] : []),
    `output [${String(Math.max(1, layout.observedBits) - 1)}:0] sampled`,
  ];
  const text = `${paceOf(layout, options.timescale).timescale}module ${name} (${ports.join(', ')});
${lines.join('\n')}
  ${instantiation(options)} (${connections.join(', ')});
endmodule
`;
  return { name, text };
}

function range(width: number, offset: number, select = false): string {
  if (width === 1 && !select) return '';
  return width === 1 ? `[${String(offset)}]` : `[${String(offset + width - 1)}:${String(offset)}]${select ? '' : ' '}`;
}

/**
 * The program around the model: it applies the rows of the stimulus file as the harness in Verilog does, to one model for each power-on state, and
 * writes a trace of four-state samples, in which x stands for what depends on that state. `watch`: what the first state notes is written as well.
 */
export function makeDriver({ layout, timescale }: Pick<HarnessOptions, 'layout' | 'timescale'>, { states, quorum, firstSeed }: PowerOnStates, watch?: Watch): string {
  const free = layout.fields.length === 0;
  const noting = notingTexts(watch);
  const { settle, unit } = paceOf(layout, timescale);
  const words = wordsPerSample(layout.observedBits) / 2;
  const apply = (port: string, from: number, width: number, row = 'row'): string => `      put(models[0]->${port}, ${row}, ${String(from)}, ${String(width)});
      for (auto& model : models) model->${port} = models[0]->${port};`;
  const advance = `      advance(ticks);
      sample();`;
  const idle = idleClocks(layout);
  const clocksAt = (levels: string): string => `      const unsigned char levels[] = {${clockBytes(layout, levels).join(', ')}};\n${apply('clocks', layout.dataBits, layout.clockBits, 'levels')}`;
  // The clocks come to their idle levels from the others, as they come from unknown ones in a simulator that has them.
  const first = `    if (rows == 0) {\n${clocksAt(idle.replace(/./g, (level) => (level === '0' ? '1' : '0')))}\n    }`;
  const settled = `    if (rows == 0) {\n      advance(ticks);\n${clocksAt(idle)}\n    }`;
  return `#include "${MODEL}.h"
#include <cstdio>
#include <memory>
#include <vector>

namespace {
constexpr int STATES = ${String(states)};
constexpr int QUORUM = ${String(quorum)};
constexpr int WORDS = ${String(words)};
constexpr int ROW_BYTES = ${String(layout.rowBytes)};

std::vector<std::unique_ptr<VerilatedContext>> contexts;
std::vector<std::unique_ptr<${MODEL}>> models;
FILE* trace;
${noting.declarations}uint64_t now = 0;

int bitOf(const unsigned char* row, int bit) { return (row[ROW_BYTES - 1 - bit / 8] >> (bit % 8)) & 1; }

template <typename T> void put(T& port, const unsigned char* row, int from, int width) {
  uint64_t value = 0;
  for (int bit = 0; bit < width; ++bit) value |= static_cast<uint64_t>(bitOf(row, from + bit)) << bit;
  port = static_cast<T>(value);
}
template <std::size_t N> void put(VlWide<N>& port, const unsigned char* row, int from, int width) {
  for (std::size_t word = 0; word < N; ++word) port[word] = 0;
  for (int bit = 0; bit < width; ++bit) port[bit / 32] |= static_cast<uint32_t>(bitOf(row, from + bit)) << (bit % 32);
}

template <typename T> uint32_t wordOf(const T& port, int word) { return static_cast<uint32_t>(static_cast<uint64_t>(port) >> (32 * word)); }
template <std::size_t N> uint32_t wordOf(const VlWide<N>& port, int word) { return port[word]; }

bool finished() {
  for (auto& context : contexts) if (context->gotFinish()) return true;
  return false;
}

// Lets every model run up to, and without, the time that lies so many ticks ahead.
void advance(uint64_t ticks) {
  const uint64_t until = now + ticks;
  for (int state = 0; state < STATES; ++state) {
    Verilated::threadContextp(contexts[state].get());
${noting.before}    models[state]->eval();
    while (!contexts[state]->gotFinish() && models[state]->eventsPending() && models[state]->nextTimeSlot() < until) {
      contexts[state]->time(models[state]->nextTimeSlot());
      models[state]->eval();
    }
    contexts[state]->time(until);
  }
  now = until;
}

void sample() {
  uint32_t pairs[2 * WORDS];
  for (int word = 0; word < WORDS; ++word) {
    uint32_t values[STATES], every = ~0U, some = 0;
    for (int state = 0; state < STATES; ++state) {
      values[state] = wordOf(models[state]->sampled, word);
      every &= values[state];
      some |= values[state];
    }
    uint32_t ones = every, unknown = 0;
    for (uint32_t open = some & ~every; open != 0; open &= open - 1) {
      const uint32_t bit = open & -open;
      int count = 0;
      for (uint32_t value : values) count += (value & bit) != 0;
      if (count >= QUORUM) ones |= bit;
      if (count >= QUORUM && STATES - count >= QUORUM) unknown |= bit;
    }
    pairs[2 * word] = ones;
    pairs[2 * word + 1] = unknown;
  }
  fwrite(pairs, sizeof pairs, 1, trace);
${noting.sample}}
}

int main(int argc, char** argv) {
  FILE* const stimulus = fopen("${STIMULUS_FILE}", "rb");
  trace = fopen("${TRACE_FILE}", "wb");
  if (stimulus == nullptr || trace == nullptr) return 1;
${noting.start}  for (int state = 0; state < STATES; ++state) {
    contexts.push_back(std::make_unique<VerilatedContext>());
    VerilatedContext& context = *contexts.back();
    context.fatalOnError(false);
    context.errorLimit(1 << 30);
    context.randReset(state < 2 ? state : 2);
    // The generator begins slowly: from small seeds that lie side by side its first numbers have most bits in common.
    context.randSeed(static_cast<int>(((${String(firstSeed)}U + state) * 2654435761U) & 0x7fffffffU));
    Verilated::threadContextp(&context);
    for (int drawn = 0; drawn < 64; ++drawn) vl_rand64();
    models.push_back(std::make_unique<${MODEL}>(&context, "TOP"));
  }
  // A time unit of the wrapper in ticks of the model.
  uint64_t ticks = 1;
${unit === undefined ? '' : `  for (int exponent = contexts[0]->timeprecision(); exponent < ${String(unit)}; ++exponent) ticks *= 10;\n`}${free ? '  if (ticks > 1) advance(ticks / 2);\n' : ''}  ticks *= ${String(settle)};
  unsigned char row[ROW_BYTES];
  int rows = 0;
  while (fread(row, ROW_BYTES, 1, stimulus) == 1 && !finished()) {
${layout.clockBits > 0 ? `${first}\n` : ''}${layout.dataBits > 0 ? `${apply('data', 0, layout.dataBits)}\n` : ''}${layout.clockBits > 0 ? `${settled}\n` : ''}${advance}
${layout.clockBits > 0 ? `      if (finished()) break;\n${apply('clocks', layout.dataBits, layout.clockBits)}\n${advance}\n` : ''}    if (++rows % 64 == 0) fflush(trace);
  }
  fclose(trace);
${noting.end}  // The models are not taken down: a final block may do anything, and the trace is complete.
  fflush(stdout);
  _Exit(0);
}
`;
}

/** A row of the stimulus with the clocks at these levels, most significant bit first, and zeros beside. */
function clockBytes({ rowBytes, dataBits }: Layout, levels: string): string[] {
  const digits = (BigInt(`0b0${levels}`) << BigInt(dataBits)).toString(16).padStart(2 * rowBytes, '0');
  return Array.from({ length: rowBytes }, (_, index) => `0x${digits.slice(2 * index, 2 * index + 2)}`);
}
