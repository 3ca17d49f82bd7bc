import path from 'node:path';
import type { DesignInput, LoadedDesign, LoadResult, SourceProblem } from '../analysis/design.ts';
import type { ElaboratedModule } from '../analysis/module.ts';
import { LineIndex } from '../base/text.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { checkCompiles } from '../verification/compile-check.ts';
import { withElaboratedPorts } from '../verification/elaborate-ports.ts';
import { matchInterfaces } from '../verification/interface.ts';
import { forbiddenConstructs } from '../verification/screen.ts';
import { codeOnly } from '../verification/source-scan.ts';
import type { EngineChoice } from '../verification/verdict.ts';
import type { CompileContext, FixFinding, Stage, Target } from './contract.ts';
import { asFinding, codeFor, placed, withHeader } from './place.ts';
import { extractModule } from './reply.ts';

export interface CheckEnv {
  readonly load: (input: DesignInput) => Promise<LoadResult>;
  readonly toolbox: Pick<Toolbox, 'iverilog' | 'verilatorSimulator' | 'yosys' | 'embeddedYosys'>;
}

/** The interface that a reply must have. */
export interface Wanted {
  readonly module: ElaboratedModule;
  /** As the user wrote it. */
  readonly header: string;
}

export interface CheckTask {
  readonly answer: string;
  readonly target: Target;
  readonly context: CompileContext;
  readonly wanted: Wanted | undefined;
  readonly engine: EngineChoice;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Told before each stage begins. */
  readonly onStage: (stage: Stage) => void;
}

export type Checked =
  | {
      readonly kind: 'compiled';
      readonly module: string;
      /** What goes into the target's span. */
      readonly code: string;
      /** Where the code stands in the text that was compiled. */
      readonly place: Target;
      readonly design: LoadedDesign;
      readonly notes: readonly string[];
    }
  | {
      readonly kind: 'rejected';
      readonly stage: Stage;
      readonly reason: string;
      readonly code: string | undefined;
      readonly problems: readonly SourceProblem[];
      /** In lines of the code, for the repair. */
      readonly findings: readonly FixFinding[];
    }
  | { readonly kind: 'cancelled' }
  /** No tool could check anything. */
  | { readonly kind: 'no-tool'; readonly reason: string };

/** Takes the module out of an answer and leads it through extraction, interface, parsing and compiling. */
export async function checkReply(task: CheckTask, env: CheckEnv): Promise<Checked> {
  task.onStage('extract');
  const extracted = extractModule(task.answer, task.wanted?.module.name);
  if (extracted.kind === 'nothing') return { kind: 'rejected', stage: 'extract', reason: extracted.reason, code: undefined, problems: [], findings: [{ message: extracted.reason, line: undefined }] };
  const { module, code } = extracted;
  const unsafe = screen(code);
  if (unsafe.length > 0) return { kind: 'rejected', stage: 'extract', reason: unsafe[0]?.message ?? '', code, problems: [], findings: unsafe };
  return new ModuleCheck(task, env, module).run(code);
}

/** What a model's code must not hold, whoever runs it later: ways out of the simulation, and files outside of the project. */
function screen(code: string): FixFinding[] {
  const lines = new LineIndex(code);
  const found = forbiddenConstructs(code).map(({ offset, message }): FixFinding => ({ message, line: lines.position(offset).line }));
  const plain = codeOnly(code);
  for (const match of code.matchAll(/`include\s*["<]([^">\n]*)/g)) {
    if (plain.startsWith('`include', match.index) && (path.isAbsolute(match[1] ?? '') || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(match[1] ?? ''))) {
      found.push({ message: 'The code includes a file from outside of the project, so it is not compiled.', line: lines.position(match.index).line });
    }
  }
  for (const match of plain.matchAll(/\$(?:finish|stop|fatal|exit)\b/g)) found.push({ message: `'${match[0]}' ends the simulation, which a module must not do; remove the call.`, line: lines.position(match.index).line });
  for (const match of plain.matchAll(/`line\b/g)) found.push({ message: "'`line' claims another place for the code, so it is not run; remove it.", line: lines.position(match.index).line });
  // A macro can put a forbidden word together from harmless pieces.
  for (const match of plain.matchAll(/\$\s*`|\$\w*``|``\w*\$/g)) found.push({ message: 'The code puts a name of a system task together from pieces, so it is not run.', line: lines.position(match.index).line });
  return found;
}

/** One module on its way. */
class ModuleCheck {
  readonly #task: CheckTask;
  readonly #env: CheckEnv;
  readonly #module: string;

  constructor(task: CheckTask, env: CheckEnv, module: string) {
    this.#task = task;
    this.#env = env;
    this.#module = module;
  }

  async run(raw: string): Promise<Checked> {
    const { wanted, target, context, onStage } = this.#task;
    onStage('interface');
    const named = wanted === undefined ? undefined : wanted.module.name;
    if (named !== undefined && this.#module !== named) return this.#reject('interface', raw, [{ message: `The module is named '${this.#module}', but '${named}' is wanted.`, line: undefined }]);
    const first = await this.#env.load(placed(target, context, this.#module, codeFor(target, raw)));
    if (first.kind === 'rejected') return this.#reject('parse', raw, this.#inside(first.problems, raw), first.reason, first.problems);
    const issues = wanted === undefined ? [] : interfaceIssues(wanted.module, first.design.module);
    if (issues.length > 0) {
      const doubts = this.#inside(first.design.doubts, raw);
      return doubts.length > 0 ? this.#reject('parse', raw, doubts, undefined, first.design.doubts) : this.#reject('interface', raw, issues);
    }
    const headed = wanted === undefined ? raw : withHeader(raw, this.#module, wanted.header, wanted.module.ports.map(({ name }) => name));
    const code = codeFor(target, headed);
    const loaded = headed === raw ? first : await this.#env.load(placed(target, context, this.#module, code));
    if (loaded.kind === 'rejected') return this.#reject('parse', code, this.#inside(loaded.problems, code), loaded.reason, loaded.problems);
    const order = wanted === undefined ? [] : orderIssues(wanted.module, loaded.design.module);
    if (order.length > 0) return this.#reject('interface', code, order);
    onStage('parse');
    return this.#compile(code, loaded.design, target);
  }

  /** The tools have the last word on what the parser doubts; what both doubt is told in the parser's words and places. */
  async #compile(code: string, design: LoadedDesign, place: Target): Promise<Checked> {
    const { target, context, engine, timeoutMs, signal, onStage, wanted } = this.#task;
    const inFile = place === target;
    if (inFile) onStage('compile');
    const missing = design.module.unresolved;
    if (missing.length > 0) return this.#reject('compile', code, missing.map((name) => ({ message: `There is no module '${name}'; write it out or do without it.`, line: lineOf(code, name) })));
    const result = await checkCompiles(design, engine, this.#env.toolbox, { timeoutMs, signal });
    switch (result.kind) {
      case 'compiled': {
        const module = result.ports === undefined ? design.module : withElaboratedPorts(design.module, result.ports);
        const issues = wanted === undefined ? [] : interfaceIssues(wanted.module, module);
        if (issues.length > 0) return this.#reject('interface', code, issues);
        const notes = inFile ? [] : ['The rest of the file does not compile, so the module was checked without it.'];
        return { kind: 'compiled', module: this.#module, code, place, design: { ...design, module }, notes };
      }
      case 'failed':
        if (result.cause === 'cancelled') return { kind: 'cancelled' };
        return result.cause === 'tool' ? { kind: 'no-tool', reason: result.reason } : this.#reject('compile', code, [{ message: 'The module takes too long to compile.', line: undefined }]);
      case 'refused': {
        const doubts = this.#inside(design.doubts, code, place);
        const findings = this.#inside(result.problems, code, place);
        if (findings.length === 0 && inFile) {
          const alone = await this.#env.load({ ...context, file: target.file, module: this.#module, text: code });
          if (alone.kind === 'loaded') return this.#compile(code, alone.design, { file: target.file, text: '', span: { start: 0, end: 0 } });
        }
        return doubts.length > 0 ? this.#reject('parse', code, doubts, undefined, design.doubts) : this.#reject('compile', code, findings, undefined, result.problems);
      }
    }
  }

  #inside(problems: readonly SourceProblem[], code: string, place = this.#task.target): FixFinding[] {
    return problems.flatMap((problem) => asFinding(problem, place, code) ?? []);
  }

  #reject(stage: Stage, code: string, findings: readonly FixFinding[], reason?: string, problems: readonly SourceProblem[] = []): Checked {
    const known = findings.length > 0 ? findings : [{ message: reason ?? problems[0]?.message ?? 'The module does not compile.', line: undefined }];
    const [first] = known;
    return { kind: 'rejected', stage, reason: `${WORDS[stage] ?? 'The code is refused'}: ${sentence(first?.message ?? '')}`, code, problems, findings: known };
  }
}

const WORDS: Partial<Record<Stage, string>> = {
  interface: 'The interface is not the wanted one',
  parse: 'The code does not parse',
  compile: 'The code does not compile',
};

function sentence(text: string): string {
  return text.replace(/[^.!?]$/, '$&.');
}

function lineOf(code: string, name: string): number | undefined {
  const at = code.split('\n').findIndex((line) => new RegExp(String.raw`(?<![\w$])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\w$])`).test(line));
  return at < 0 ? undefined : at;
}

/** Instances may connect ports by their order. */
function orderIssues(wanted: ElaboratedModule, own: ElaboratedModule): FixFinding[] {
  if (wanted.ports.every(({ name }, at) => own.ports[at]?.name === name)) return [];
  return [{ message: `The ports of '${own.name}' are in another order; the wanted order is ${wanted.ports.map(({ name }) => name).join(', ')}.`, line: undefined }];
}

/** How a module's ports and parameters depart from the wanted ones: names, directions, widths, defaults. */
function interfaceIssues(wanted: ElaboratedModule, own: ElaboratedModule): FixFinding[] {
  const header = 'the wanted header';
  const match = matchInterfaces({ ...wanted, name: header }, own);
  const issues = match.kind === 'mismatch' ? match.issues.filter(({ kind }) => kind !== 'unsupported').map(({ message }) => message.replaceAll(`'${header}'`, header)) : [];
  const settable = (module: ElaboratedModule) => new Map(module.parameters.filter(({ local }) => !local).map((parameter) => [parameter.name, parameter]));
  const [wishes, have] = [settable(wanted), settable(own)];
  for (const [name, { value }] of wishes) {
    const twin = have.get(name);
    if (twin === undefined) issues.push(`'${own.name}' has no parameter '${name}'.`);
    else if (value !== undefined && twin.value !== undefined && value !== twin.value) issues.push(`The parameter '${name}' is ${twin.value} by default, but ${value} is wanted.`);
  }
  return issues.map((message) => ({ message, line: undefined }));
}
