import type { Expression } from '../ast.ts';
import { forEachExpression } from '../walk.ts';
import { isLoopCounter, listNames } from './assignments.ts';
import type { Rule } from './rule.ts';
import { drivenBits, isNet, overlaps, signalsOf } from './signals.ts';
import type { Driver, Signal } from './signals.ts';
import type { ModuleView } from './view.ts';

/** Nets that are meant to have several drivers. */
const RESOLVED_NETS = new Set(['wand', 'wor', 'tri', 'tri0', 'tri1', 'triand', 'trior', 'trireg', 'interconnect']);

/** Drivers that count: an initial value, or a task that tests call, is none. */
function countedDrivers(signal: Signal): readonly Driver[] {
  return signal.drivers.filter(({ procedure, view }) => view.isCertain && procedure?.kind !== 'initial' && procedure?.kind !== 'subroutine');
}

/** Gates of which the output can be high-impedance, and resistive ones that give way. */
const RELEASING_GATES = /^(?:bufif|notif|r?[cnp]mos|r?tran|pull)/;

/** What one driver owns: a process as a whole, or one assignment. */
function ownerOf(driver: Driver): unknown {
  return driver.procedure ?? driver;
}

function canRelease(expression: Expression | undefined): boolean {
  if (!expression) return false;
  let found = false;
  forEachExpression(expression, (part) => {
    if ((part.kind === 'number' && part.unknown !== 0n) || (part.kind === 'fill' && part.bit === 'z')) found = true;
  });
  return found;
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
      if (drivers.length < 2 || drivers.some(({ value, view }) => canRelease(value) || (view.item.kind === 'gate' && RELEASING_GATES.test(view.item.gate)))) continue;
      const conflict = firstConflict(signal, drivers);
      if (!conflict) continue;
      const [first, second] = conflict;
      const how = first.procedure && second.procedure ? 'Two processes assign' : 'Two sources drive';
      report(second.target.span, `${how} ${signal.name}; drive it from one place.`, {
        related: first.target.span ? [{ span: first.target.span, message: `${signal.name} is driven here first.` }] : [],
      });
    }
  },
};

function firstConflict(signal: Signal, drivers: readonly Driver[]): readonly [Driver, Driver] | undefined {
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
      if (signal.port?.direction !== 'input') continue;
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
      // A forced net is assigned in a process, and rightly so.
      if (!first?.statement || inProcess.some(({ statement }) => statement?.span && /^(?:force|release|assign|deassign)\b/.test(module.textOf(statement.span)))) continue;
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
  const before = module.textOf({ start: Math.max(0, span.start - 200), end: span.start });
  const head = (variable ? /(?<![\w$])wire(?![\w$])(?=[^;,()]*$)/ : /(?<![\w$])output(?:\s+wire)?(?![\w$])(?=[^;,()]*$)/).exec(before);
  if (!head || (port && variable)) return [];
  const start = Math.max(0, span.start - 200) + head.index;
  const text = variable ? keyword : `output ${keyword}`;
  return [{ title: `Declare ${signal.name} as '${keyword}'`, changes: [{ span: { start, end: start + head[0].length }, text }] }];
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
    const edges = new Map<Signal, { readonly driver: Driver; readonly reads: Set<Signal> }>();
    const signals = signalsOf(module);
    for (const signal of signals.all) {
      const [driver, ...others] = signal.drivers;
      if (!driver?.view.isCertain || others.length > 0 || (driver.kind !== 'assign' && driver.kind !== 'declaration') || driver.target.kind !== 'name' || !driver.value) continue;
      const reads = new Set<Signal>();
      wholeReads(driver.value, (name) => {
        const read = signals.find(name, driver.scope);
        if (read) reads.add(read);
      });
      edges.set(signal, { driver, reads });
    }
    const reported = new Set<Signal>();
    for (const signal of edges.keys()) {
      const loop = loopThrough(signal, edges);
      if (!loop || loop.some((member) => reported.has(member))) continue;
      for (const member of loop) reported.add(member);
      const { driver } = edges.get(signal) ?? {};
      const way = loop.length === 1 ? `${signal.name} depends on itself` : `${listNames(loop.map(({ name }) => name))} depend on each other`;
      report(driver?.target.span, `${way} without a register between; put a clocked process into the loop or break it.`);
    }
  },
};

/** Names read as a whole where each bit of the result depends on them: not through selects, shifts and concatenations. */
function wholeReads(expression: Expression, found: (name: string) => void): void {
  switch (expression.kind) {
    case 'name':
      if (expression.scope === undefined) found(expression.name);
      return;
    case 'unary':
      wholeReads(expression.operand, found);
      return;
    case 'binary':
      if (['<<', '>>', '<<<', '>>>'].includes(expression.operator)) return;
      wholeReads(expression.left, found);
      wholeReads(expression.right, found);
      return;
    // A multiplexer that feeds itself is a latch, written on purpose.
    case 'conditional':
    default:
  }
}

function loopThrough(start: Signal, edges: ReadonlyMap<Signal, { readonly reads: ReadonlySet<Signal> }>): Signal[] | undefined {
  const seen = new Set<Signal>();
  const visit = (signal: Signal, path: readonly Signal[]): Signal[] | undefined => {
    for (const next of edges.get(signal)?.reads ?? []) {
      if (next === start) return [...path];
      if (seen.has(next) || !edges.has(next)) continue;
      seen.add(next);
      const loop = visit(next, [...path, next]);
      if (loop) return loop;
    }
    return undefined;
  };
  return visit(start, [start]);
}

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
