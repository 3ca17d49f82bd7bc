/**
 * Measures the editor's side: false diagnostics on clean sources, seeded mistakes, random edits, the time from a key press to fresh
 * errors, the index and its cache, memory. Times are ratios within one run, since machines differ.
 *
 *   node bench/editor.ts [clean] [mistakes] [edits] [keys] [typing] [rules] [index] [--data DIR] [--edits N] [--places N] [--lines N] [--seed N]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ProposedFeatures, StreamMessageReader, StreamMessageWriter, createConnection, createProtocolConnection } from 'vscode-languageserver/node';
import { silentLogger } from '../server/src/base/logger.ts';
import { createCore } from '../server/src/core.ts';
import { bindServer } from '../server/src/lsp/server.ts';
import { notifications } from '../server/src/protocol.ts';
import type { StatusParams } from '../server/src/protocol.ts';
import { checkSyntax } from '../server/src/syntax/checker.ts';
import type { CheckedText } from '../server/src/syntax/checker.ts';
import { Parser, SyntaxTree } from '../server/src/syntax/parser.ts';
import type { Node } from '../server/src/syntax/parser.ts';
import { preprocess } from '../server/src/syntax/preprocess.ts';
import { randomEdit, randomFrom, RECIPES, seedMistakes } from '../test/unit/syntax/mistakes.ts';
import { makeCorpus, writeCorpus } from './corpus.ts';
import { cleanOfRules, timeOfRules } from './rules.ts';
import { largeTexts, timeOfTyping } from './typing.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: path.resolve(import.meta.dirname, '../../shared/data') },
    edits: { type: 'string', default: '10000' },
    places: { type: 'string', default: '5' },
    lines: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);

interface Source {
  readonly name: string;
  readonly text: string;
}

function fixtures(): Source[] {
  const folder = path.resolve(import.meta.dirname, '../test/fixtures/clean');
  return readdirSync(folder).map((name) => ({ name: path.join(folder, name), text: readFileSync(path.join(folder, name), 'utf8') }));
}

/** Rows of the data sets that are there: goldens, and answers that pass the official testbench of their set. */
function dataSources(): { readonly goldens: Source[]; readonly answers: Source[] } {
  const goldens: Source[] = [];
  const answers: Source[] = [];
  for (const file of ['verilog_eval_v2', 'rtllm_v2', 'candidates_verilog_eval', 'candidates_rtllm']) {
    const full = path.join(values.data, `${file}.jsonl`);
    if (!existsSync(full)) continue;
    for (const line of readFileSync(full, 'utf8').split('\n').filter(Boolean)) {
      const row = JSON.parse(line) as Record<string, unknown>;
      const name = `${file}/${String(row['id'])}`;
      if (typeof row['golden'] === 'string') goldens.push({ name, text: row['golden'] });
      else if (typeof row['code'] === 'string' && row['official_pass'] === true) answers.push({ name, text: row['code'] });
    }
  }
  return { goldens, answers };
}

/** Sources that other tools ship and that Icarus Verilog reads; some are in a dialect of Yosys. */
function installedSources(): Source[] {
  const roots = ['/usr/share/yosys', '/usr/share/doc/iverilog/examples', '/usr/share/verilator'].filter((root) => existsSync(root));
  return roots.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.s?vh?$/.test(name))
      .filter((name) => isReadByIverilog(path.join(root, name)))
      .map((name) => ({ name: path.join(root, name), text: readFileSync(path.join(root, name), 'latin1') })),
  );
}

function isReadByIverilog(file: string): boolean {
  const { status, stderr } = spawnSync('iverilog', ['-g2012', '-t', 'null', '-I', path.dirname(file), file], { encoding: 'utf8', timeout: 20_000 });
  return status !== null && !/syntax error|[Mm]alformed|error: (?:Invalid|Errors? in)/.test(stderr);
}

const parser = await Parser.create();

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

interface Message {
  /** Zero-based. */
  readonly line: number;
  readonly message: string;
}

function messagesOf({ name, text }: Source): Message[] {
  const source = preprocess(name, text, { readFile: readText });
  const line = (offset: number): number => text.slice(0, offset).split('\n').length - 1;
  const checked = checkSyntax(parser, source.text);
  if (!checked) return [{ line: 0, message: 'took too long' }];
  return [
    ...checked.diagnostics.map(({ span, message }) => ({ line: line(source.map.locateSpan(span).span.start), message })),
    ...source.problems.filter(({ code }) => code !== 'missing-include').map(({ span, message }) => ({ line: line(span.start), message })),
  ];
}

function clean(): void {
  const { goldens, answers } = dataSources();
  const sets = { 'own corpus': fixtures(), goldens, 'passing answers': answers, 'sources of installed tools': installedSources() };
  for (const [set, sources] of Object.entries(sets)) {
    const flagged = sources.map((source) => ({ source, found: messagesOf(source) })).filter(({ found }) => found.length > 0);
    console.log(`clean  ${set}: ${flagged.length} of ${sources.length} files flagged`);
    for (const { source, found } of flagged.slice(0, 20)) console.log(`         ${source.name}:${found.slice(0, 3).map(({ line, message }) => `${line + 1}: ${message}`).join(' | ')}`);
  }
}

function mistakes(): void {
  const plain = fixtures().filter(({ name }) => path.basename(name).startsWith('plain_'));
  for (const [set, hosts] of Object.entries({ 'own corpus': plain, 'own corpus and goldens': [...plain, ...dataSources().goldens] })) {
    const seeded = seedMistakes(hosts, Number(values.places), seed);
    let [onLine, exactlyOne] = [0, 0];
    for (const mistake of seeded) {
      const found = messagesOf({ name: 'mistake.sv', text: mistake.text });
      const hit = found.some(({ line }) => mistake.lines.includes(line));
      if (hit) onLine++;
      if (hit && found.length === 1) exactlyOne++;
      else if (values.verbose) console.log(`  ${mistake.kind}, ${mistake.host}, line ${mistake.lines.map((at) => at + 1).join('/')}: ${found.map(({ line, message }) => `${line + 1}: ${message}`).join(' | ') || 'nothing'}`);
    }
    const share = (count: number): string => `${((100 * count) / seeded.length).toFixed(1)} %`;
    console.log(`mistakes  ${set}: ${seeded.length} of ${Object.keys(RECIPES).length} kinds; ${share(onLine)} on the right line, ${share(exactlyOne)} as exactly one diagnostic`);
  }
}

function outline(node: Node): string {
  return `${node.type}${node.isMissing ? '!' : ''}@${node.startIndex}-${node.endIndex}(${node.children.map(outline).join(' ')})`;
}

function edits(): void {
  const total = Number(values.edits);
  const sources = [...fixtures().filter(({ name }) => path.basename(name).startsWith('plain_')), ...dataSources().goldens.toSorted((a, b) => b.text.length - a.text.length)].slice(0, 20);
  const random = randomFrom(seed);
  const live = SyntaxTree.liveCount;
  const memory: number[] = [];
  let [differing, thrown] = [0, 0];
  for (const { text: original } of sources) {
    let text = original;
    let checked: CheckedText | undefined;
    let tree: SyntaxTree | undefined;
    for (let count = 0; count < total / sources.length; count++) {
      text = randomEdit(text, original, random);
      try {
        const expanded = preprocess('/edit.sv', text).text;
        checked = checkSyntax(parser, expanded, { previous: checked });
        const next = parser.parseWhole(expanded, { previous: tree });
        tree?.delete();
        tree = next;
        const fresh = checkSyntax(parser, expanded);
        using whole = parser.parseWhole(expanded);
        const same = JSON.stringify(checked?.diagnostics) === JSON.stringify(fresh?.diagnostics) && tree && whole && outline(tree.rootNode) === outline(whole.rootNode);
        if (same !== true) differing++;
      } catch (error) {
        thrown++;
        console.log(String(error));
      }
    }
    tree?.delete();
    memory.push(process.memoryUsage().rss / 1e6);
  }
  console.log(`edits  ${total} over ${sources.length} files: ${differing} differ from a parse from scratch, ${thrown} threw, ${SyntaxTree.liveCount - live} trees left; ${memory[Math.floor(memory.length / 2)]?.toFixed(0)} MB half way, ${memory.at(-1)?.toFixed(0)} MB at the end`);
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The best of three, since other work on the machine only ever adds. */
function timed<T>(work: () => T): { readonly value: T; readonly ms: number } {
  let best = Infinity;
  for (let count = 0; ; count++) {
    const start = performance.now();
    const value = work();
    best = Math.min(best, performance.now() - start);
    if (count === 2) return { value, ms: best };
  }
}

/** Key presses as they come: a character more or less, a line, a word, at random places. */
function keys(): void {
  const lines = Number(values.lines);
  const corpus = makeCorpus(lines, seed);
  const many = corpus.map(({ text }) => text).join('\n');
  const body = corpus.slice(1).flatMap(({ text }) => text.split('\n').slice(20, -2));
  const one = `module one_long;\n${body.join('\n').split('\n').slice(0, lines).join('\n')}\nendmodule\n`;
  for (const [set, text] of Object.entries({ 'a file of many modules': many, 'a file of one module': one })) keyPresses(set, text);
}

function keyPresses(set: string, text: string): void {
  const random = randomFrom(seed);
  const typed = ['a', ';', '(', ' ', '\n', 'end', '  wire t;\n', ''];
  const full: number[] = [];
  const press: number[] = [];
  const whole: number[] = [];
  const checked = checkSyntax(parser, preprocess('/k.sv', text).text);
  using tree = parser.parse(preprocess('/k.sv', text).text);
  for (let count = 0; count < 200; count++) {
    const at = Math.floor(random() * text.length);
    const edited = text.slice(0, at) + (typed[count % typed.length] ?? '') + text.slice(count % typed.length === 7 ? at + 1 : at);
    press.push(timed(() => checkSyntax(parser, preprocess('/k.sv', edited).text, { previous: checked })).ms);
    if (count % 20 === 0) {
      const expanded = preprocess('/k.sv', edited).text;
      full.push(timed(() => parser.parse(expanded)?.delete()).ms);
      whole.push(timed(() => parser.parse(expanded, { previous: tree })?.delete()).ms);
    }
  }
  const base = quantile(full, 0.5);
  const ratio = (ms: number): string => `1/${(base / ms).toFixed(1)}`;
  const count = text.split('\n').length;
  console.log(`keys  ${set}, ${count} lines: full parse ${base.toFixed(0)} ms; key press to errors p50 ${ratio(quantile(press, 0.5))}, p95 ${ratio(quantile(press, 0.95))}, most ${ratio(quantile(press, 1))} of it; the whole tree again ${ratio(quantile(whole, 0.5))}`);
}

/** Large documents as somebody types in them, by default of 5 MB and of 70,000 lines. */
async function typing(): Promise<void> {
  const share = Number(values.lines) / 10_000;
  const { many, one } = largeTexts(5_000_000 * share, 70_000 * share, seed);
  await timeOfTyping(parser, 'many modules', many);
  await timeOfTyping(parser, 'one module', one);
}

/** A corpus of many files, read with a cold cache, then from it; beside it, what Verilator takes to read the same files. */
async function index(): Promise<void> {
  const dir = mkdtempSync(path.join(tmpdir(), 'bench-editor-'));
  try {
    const corpus = makeCorpus(Number(values.lines) * 3, seed);
    writeCorpus(dir, corpus);
    const lines = corpus.reduce((sum, { text }) => sum + text.split('\n').length, 0);
    const bytes = corpus.reduce((sum, { text }) => sum + text.length, 0);
    const files = corpus.filter(({ name }) => name.endsWith('.sv')).map(({ name }) => path.join(dir, name));
    // The first server leaves behind what it was loaded with.
    await startIndex(path.join(dir, '.none'));
    const empty = await startIndex(path.join(dir, '.none'));
    const cold = await startIndex(dir);
    const warm = await startIndex(dir);
    console.log(`index  ${lines} lines in ${files.length} files: ${Math.round(lines / cold.seconds)} lines/s; ${warm.modules} modules again from the cache ${(cold.seconds / warm.seconds).toFixed(1)} x faster; it keeps ${((cold.bytes - empty.bytes) / bytes).toFixed(1)} x the ${(bytes / 1e6).toFixed(1)} MB of sources, beside the ${(empty.bytes / 1e6).toFixed(0)} MB of a server without any`);
    const verilator = timeOnce(() => spawnSync('verilator', ['--lint-only', '-Wno-fatal', '-Wno-lint', '-Wno-MULTITOP', '-Wno-MULTIDRIVEN', '--timing', `-I${path.join(dir, 'include')}`, ...files], { encoding: 'utf8', maxBuffer: 1e9 }));
    const ended = verilator.value.status === 0 ? '' : ` (it ended with ${verilator.value.status}: ${verilator.value.stderr.split('\n')[0] ?? ''})`;
    console.log(`index  verilator --lint-only: ${Math.round(lines / (verilator.ms / 1000))} lines/s${ended}; ours is ${(verilator.ms / 1000 / cold.seconds).toFixed(2)} x as fast`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function timeOnce<T>(work: () => T): { readonly value: T; readonly ms: number } {
  const start = performance.now();
  const value = work();
  return { value, ms: performance.now() - start };
}

/** What is reachable, on the heap of JavaScript and beside it, the memory of the parser included. */
function liveBytes(): number {
  setFlagsFromString('--expose_gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A server of its own, without an editor's answers but those that it needs; ends when the search has. */
async function startIndex(dir: string): Promise<{ readonly seconds: number; readonly modules: number; readonly bytes: number }> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const server = createConnection(ProposedFeatures.all, new StreamMessageReader(toServer), new StreamMessageWriter(toClient));
  const core = await createCore({ logger: silentLogger, toolPaths: { iverilog: '', yosys: '' } });
  bindServer(server, { logger: silentLogger, createCore: () => Promise.resolve(core) });
  server.listen();
  const client = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  const started = performance.now();
  const modules = await new Promise<number>((resolve, reject) => {
    client.onNotification(notifications.status, (status: StatusParams) => {
      if (status.state === 'ready') resolve(status.modules);
    });
    client.listen();
    client
      .sendRequest('initialize', { processId: null, rootUri: null, workspaceFolders: [{ uri: pathToFileURL(path.join(dir)).href, name: 'bench' }], initializationOptions: { trusted: false, storage: path.join(dir, '.storage') }, capabilities: {} })
      .then(() => client.sendNotification('initialized', {}))
      .catch(reject);
  });
  const seconds = (performance.now() - started) / 1000;
  const bytes = liveBytes();
  await client.sendRequest('shutdown');
  client.dispose();
  server.dispose();
  return { seconds, modules, bytes };
}

async function rules(): Promise<void> {
  const { goldens, answers } = dataSources();
  await cleanOfRules(parser, { 'own corpus': fixtures(), goldens, 'passing answers': answers }, readText);
  await timeOfRules(parser, 'a file of many modules', makeCorpus(Number(values.lines), seed).map(({ text }) => text).join('\n'));
  const repeated = Array.from({ length: 20 }, (_, copy) => goldens.map(({ text }) => text.replaceAll(/\bmodule\s+(\w+)/g, `module $1_${copy}`))).flat();
  await timeOfRules(parser, 'goldens', repeated.join('\n').split('\n').slice(0, Number(values.lines)).join('\n'));
}

const sections: Readonly<Record<string, () => void | Promise<void>>> = { clean, mistakes, edits, keys, typing, rules, index };
const wanted = positionals.length > 0 ? positionals : Object.keys(sections);
for (const name of wanted) {
  const section = sections[name];
  if (!section) throw new Error(`There is no section '${name}'; the sections are ${Object.keys(sections).join(', ')}.`);
  await section();
}
