import type { Span } from '../../base/text.ts';
import type { Expression } from '../ast.ts';
import { classifyBlock } from '../event-block.ts';
import { isLoopCounter, listNames } from './assignments.ts';
import { loopsOf } from './loops.ts';
import { canRelease, RELEASING_GATES, releasesNets } from './release.ts';
import type { Rule } from './rule.ts';
import { drivenBits, isNet, mayBeInterface, overlaps, signalsOf } from './signals.ts';
import type { Driver, Signal } from './signals.ts';
import type { ModuleView, Procedure } from './view.ts';

/** Nets that are meant to have several drivers. */
const RESOLVED_NETS = new Set(['wand', 'wor', 'tri', 'tri0', 'tri1', 'triand', 'trior', 'trireg', 'interconnect']);

/** Drivers that count: an initial value, or a task that tests call, is none. */
function countedDrivers(signal: Signal): readonly Driver[] {
  return signal.drivers.filter(({ procedure, view }) => view.isCertain && procedure?.kind !== 'initial' && procedure?.kind !== 'subroutine');
}

/** What one driver owns: a process as a whole, or one assignment. */
function ownerOf(driver: Driver): unknown {
  return driver.procedure ?? driver;
}

function mayRelease({ value, view: { item } }: Driver, module: ModuleView): boolean {
  if (item.kind === 'gate') return RELEASING_GATES.test(item.gate);
  return item.kind === 'instance' ? releasesNets(module.file.library.module(item.module, module.file.file)?.module, module.file) : value !== undefined && canRelease(value);
}

export const multipleDrivers: Rule = {
  id: 'multiple-drivers',
  followsValues: true,
  level: 'warning',
  category: 'drivers',
  reason: 'A signal that two sources drive at once has no defined value, and synthesis refuses it.',
  verilator: ['MULTIDRIVEN'],
  flagged: `assign y = a;
assign y = b;`,
  silent: `assign y[3:0] = a;
assign y[7:4] = b;`,
  check(module, report) {
    for (const signal of signalsOf(module).all) {
      if (signal.mayBeDrivenElsewhere || RESOLVED_NETS.has(signal.variable?.net ?? signal.port?.net ?? '') || signal.port?.direction === 'inout') continue;
      const drivers = isLoopCounter(signal) ? [] : countedDrivers(signal);
      if (drivers.length < 2 || drivers.some((driver) => mayRelease(driver, module))) continue;
      const conflict = firstConflict(signal, drivers);
      if (!conflict) continue;
      const [first, second] = conflict;
      const how = first.procedure && second.procedure ? 'Two processes assign' : 'Two sources drive';
      report(second.target.span, `${how} ${signal.name}; drive it from one place.`, {
        related: first.target.span ? [{ span: first.target.span, message: `${signal.name} is driven here first.` }] : [],
        declared: signal.span ? [signal.span] : [],
      });
    }
  },
};

function firstConflict(signal: Signal, drivers: readonly Driver[]): readonly [Driver, Driver] | undefined {
  // One process may assign a signal at many places.
  const [one] = drivers;
  if (one && drivers.every((driver) => ownerOf(driver) === ownerOf(one))) return undefined;
  const bits = drivers.map(({ target, scope }) => drivenBits(target, signal, scope));
  for (const [index, driver] of drivers.entries()) {
    const before = drivers.findIndex((other, at) => at < index && ownerOf(other) !== ownerOf(driver) && !areBranches(other, driver) && overlaps(bits[at] ?? 'some', bits[index] ?? 'some'));
    const first = drivers[before];
    if (first) return [first, driver];
  }
  return undefined;
}

/** Processes that a test bench may interleave: an `always` that waits in its middle. */
function areBranches(a: Driver, b: Driver): boolean {
  return [a, b].every(({ procedure }) => procedure?.kind === 'other');
}

export const assignedInput: Rule = {
  id: 'assigned-input',
  level: 'error',
  category: 'drivers',
  reason: 'An input is driven from outside; a module cannot drive it as well.',
  verilator: ['ASSIGNIN'],
  flagged: `module m(input a, b, output y); assign a = b; assign y = a; endmodule`,
  silent: `module m(inout a, input b, output y); assign a = b; assign y = a; endmodule`,
  check(module, report) {
    for (const signal of signalsOf(module).all) {
      if (signal.port?.direction !== 'input' || mayBeInterface(signal)) continue;
      const first = signal.drivers.find(({ procedure, kind }) => procedure?.kind !== 'subroutine' && kind !== 'instance' && kind !== 'gate');
      report(first?.target.span, `${signal.name} is an input and cannot be assigned here; make it an output or assign another signal.`);
    }
  },
};

export const assignedNet: Rule = {
  id: 'assigned-net',
  level: 'error',
  category: 'drivers',
  reason: 'A process assigns variables only; a net takes its value from assign statements and instances.',
  verilator: ['PROCASSWIRE'],
  flagged: `module m(input clk, d, output q); always @(posedge clk) q <= d; endmodule`,
  silent: `module m(input clk, d, output reg q); always @(posedge clk) q <= d; endmodule`,
  check(module, report) {
    for (const signal of signalsOf(module).all) {
      if (!isNet(signal) || signal.port?.direction === 'input') continue;
      const inProcess = signal.drivers.filter(({ kind }) => kind === 'procedure');
      const [first] = inProcess;
      if (!first?.statement) continue;
      report(first.target.span, `${signal.name} is a net and cannot be assigned in a process; declare it as a variable${signal.port ? ` ('output ${suggested(module)} …')` : ` with '${suggested(module)}'`}.`, { fixes: declareAsVariable(signal, module) });
    }
  },
};

function suggested(module: ModuleView): string {
  return module.file.file.endsWith('.sv') ? 'logic' : 'reg';
}

function declareAsVariable(signal: Signal, module: ModuleView): { title: string; changes: { span: { start: number; end: number }; text: string }[] }[] {
  const { span, port, variable } = signal;
  if (!span) return [];
  const keyword = suggested(module);
  const before = module.textBefore(span.start, 200);
  const head = (variable ? /(?<![\w$])wire(?![\w$])(?=[^;,()]*$)/ : /(?<![\w$])output(?:\s+wire)?(?![\w$])(?=[^;,()]*$)/).exec(before);
  if (!head || (port && variable)) return [];
  const start = span.start - before.length + head.index;
  const text = variable ? keyword : `output ${keyword}`;
  return [{ title: `Declare ${signal.name} as '${keyword}'`, changes: [{ span: { start, end: start + head[0].length }, text }] }];
}

function firstOf(spans: readonly Span[]): Span | undefined {
  return spans.toSorted((a, b) => a.start - b.start)[0];
}

export const combinationalLoop: Rule = {
  id: 'combinational-loop',
  level: 'warning',
  category: 'drivers',
  reason: 'A signal that depends on itself through assignments alone oscillates or keeps a value without a clock.',
  verilator: ['UNOPTFLAT'],
  flagged: `assign y = z & c;
assign z = y | d;`,
  silent: `assign y = z & c;
always @(posedge clk) z <= y | d;`,
  check(module, report) {
    for (const loop of loopsOf(module)) {
      const names = [...new Set(loop.map(({ name }) => name))];
      const way = names.length === 1 ? `${names[0] ?? ''} depends on itself` : `${listNames(names)} depend on each other`;
      report(firstOf(loop.flatMap(({ span }) => span ?? [])), `${way} without a register between; put a clocked process into the loop or break it.`, { declared: loop.flatMap(({ declared }) => declared ?? []) });
    }
  },
};

export const clockAsData: Rule = {
  id: 'clock-as-data',
  level: 'off',
  category: 'drivers',
  reason: 'A clock that is read as data races with the registers that it moves.',
  flagged: `always @(posedge clk) q <= d;
assign y = clk & q;`,
  silent: `always @(posedge clk) q <= d;
assign y = en & q;`,
  check(module, report) {
    const signals = signalsOf(module);
    const clocks = new Set<Signal>();
    const inLists = new Set<Expression>();
    for (const { kind, control, scope } of module.procedures) {
      if (kind !== 'clocked' || control === undefined || control === '*') continue;
      for (const { expression } of control) inLists.add(expression);
      const [only] = control;
      const signal = control.length === 1 && only?.expression.kind === 'name' ? signals.find(only.expression.name, scope) : undefined;
      if (signal) clocks.add(signal);
    }
    const connected = new Set(module.items.flatMap(({ item }) => (item.kind === 'instance' ? item.connections.map(({ expression }) => expression) : [])));
    for (const clock of clocks) {
      const read = clock.reads.find(({ expression, procedure }) => !inLists.has(expression) && !connected.has(expression) && procedure?.kind !== 'initial' && procedure?.kind !== 'other');
      if (read) report(read.expression.span, `${clock.name} is a clock and is read as data here; use an enable, or a clock gate of the technology.`);
    }
  },
};

export const resetAsData: Rule = {
  id: 'reset-as-data',
  level: 'off',
  category: 'drivers',
  reason: 'An asynchronous reset that logic reads as data makes that logic change at any time, when the reset comes and goes.',
  flagged: `always @(posedge clk or negedge rst_n)
  if (!rst_n) q <= 0; else q <= d;
assign y = rst_n & d;`,
  silent: `always @(posedge clk or negedge rst_n)
  if (!rst_n) q <= 0; else q <= d;
assign y = en & d;`,
  check(module, report) {
    const signals = signalsOf(module);
    const resets = new Map<Signal, Set<Procedure>>();
    for (const procedure of module.procedures) {
      const { kind, control, body, scope } = procedure;
      if (kind !== 'clocked' || control === undefined || control === '*') continue;
      for (const { signal } of classifyBlock(control, body, scope, () => false).asyncResets) {
        const reset = signal.kind === 'name' ? signals.find(signal.name, scope) : undefined;
        if (reset) resets.set(reset, (resets.get(reset) ?? new Set()).add(procedure));
      }
    }
    const connected = new Set(module.items.flatMap(({ item }) => (item.kind === 'instance' ? item.connections.map(({ expression }) => expression) : [])));
    for (const [reset, own] of resets) {
      const read = reset.reads.find(({ expression, procedure }) => !connected.has(expression) && procedure?.kind !== 'initial' && procedure?.kind !== 'other' && !(procedure && own.has(procedure)));
      if (read) report(read.expression.span, `${reset.name} is an asynchronous reset and is read as data here; bring it into the clock's domain first.`);
    }
  },
};
