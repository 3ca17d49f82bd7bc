import type { Span } from '../../base/text.ts';
import type { Expression } from '../ast.ts';
import { evaluateNumber, resolveType } from '../constant.ts';
import { connectedPort } from '../ports.ts';
import type { PortItem, Statement, VariableItem } from '../items.ts';
import type { ResolvedType, Scope } from '../scope.ts';
import { baseNameOf, forEachExpression, targetsOf } from '../walk.ts';
import type { Trust } from '../latches.ts';
import { trustOf } from './trust.ts';
import type { ItemView, ModuleView, Procedure } from './view.ts';

export interface Driver {
  readonly kind: 'assign' | 'procedure' | 'instance' | 'gate' | 'declaration';
  /** The name, or the part of it, that is driven. */
  readonly target: Expression;
  readonly value: Expression | undefined;
  readonly statement: Extract<Statement, { kind: 'assign' }> | undefined;
  readonly scope: Scope;
  readonly procedure: Procedure | undefined;
  readonly view: ItemView;
}

export interface Read {
  readonly expression: Expression;
  readonly scope: Scope;
  readonly procedure: Procedure | undefined;
}

/** A net, variable or port of a module or generate block. */
export interface Signal {
  readonly name: string;
  readonly holder: Scope;
  readonly port: PortItem | undefined;
  readonly variable: VariableItem | undefined;
  /** Its name where it is declared first. */
  readonly span: Span | undefined;
  readonly drivers: readonly Driver[];
  readonly reads: readonly Read[];
  /** A hierarchical name, a task or something unknown may drive it too. */
  readonly mayBeDrivenElsewhere: boolean;
}

interface Draft {
  readonly name: string;
  readonly holder: Scope;
  port: PortItem | undefined;
  variable: VariableItem | undefined;
  readonly span: Span | undefined;
  readonly drivers: Driver[];
  readonly reads: Read[];
  mayBeDrivenElsewhere: boolean;
}

export function typeOf(signal: Signal): ResolvedType | undefined {
  const binding = signal.holder.variable(signal.name);
  return binding && resolveType(binding);
}

/** A net keeps no value and is no variable: `wire`, a port without `reg`, `logic` or `var`. */
export function isNet(signal: Signal): boolean {
  const { port, variable } = signal;
  if (variable) return variable.net !== undefined;
  if (!port || port.direction === 'ref' || mayBeInterface(signal)) return false;
  if (port.net !== undefined) return true;
  const implicit = port.type.kind === 'vector' && port.type.keyword === '';
  // IEEE 1800-2017, 23.2.2.3: an output with a data type is a variable, an input or inout a net.
  return port.direction !== 'output' || implicit;
}

export class Signals {
  readonly #trust: Trust;
  readonly #byScope = new Map<Scope, Map<string, Draft>>();

  constructor(module: ModuleView) {
    this.#trust = trustOf(module);
    for (const { item, scope } of module.items) if (item.kind === 'variable' || item.kind === 'port') this.#declare(item, scope);
    this.all = [...this.#byScope.values()].flatMap((names) => [...names.values()]);
    for (const view of module.items) this.#readItem(view, module);
    for (const procedure of module.procedures) this.#readProcedure(procedure);
  }

  /** In the order of their declarations, scope by scope. */
  readonly all: readonly Signal[];

  /** The signal that a name means in a scope; undefined for a constant, a local variable and everything else. */
  find(name: string, scope: Scope): Signal | undefined {
    return this.#find(name, scope);
  }

  #find(name: string, scope: Scope): Draft | undefined {
    const holder = scope.holderOf(name);
    return holder && this.#byScope.get(holder)?.get(name);
  }

  #declare(item: VariableItem | PortItem, scope: Scope): void {
    const names = this.#byScope.get(scope) ?? new Map<string, Draft>();
    this.#byScope.set(scope, names);
    const known = names.get(item.name);
    const draft = known ?? { name: item.name, holder: scope, port: undefined, variable: undefined, span: item.span, drivers: [], reads: [], mayBeDrivenElsewhere: false };
    if (item.kind === 'port') draft.port ??= item;
    else draft.variable ??= item;
    names.set(item.name, draft);
  }

  #drive(target: Expression, driver: Omit<Driver, 'target'>): void {
    for (const part of targetsOf(target)) {
      const name = baseNameOf(part);
      if (name !== undefined) this.#find(name, driver.scope)?.drivers.push({ ...driver, target: part });
      this.#readIndexes(part, driver.scope, driver.procedure);
    }
  }

  #readIndexes(target: Expression, scope: Scope, procedure: Procedure | undefined): void {
    if (target.kind === 'select') this.#read(target.index, scope, procedure);
    if (target.kind === 'range') {
      this.#read(target.left, scope, procedure);
      this.#read(target.right, scope, procedure);
    }
    if (target.kind === 'select' || target.kind === 'range' || target.kind === 'member') this.#readIndexes(target.base, scope, procedure);
  }

  #read(expression: Expression, scope: Scope, procedure: Procedure | undefined): void {
    forEachExpression(expression, (part) => {
      if (part.kind === 'name' && part.scope === undefined) this.#find(part.name, scope)?.reads.push({ expression: part, scope, procedure });
    });
  }

  #mayDrive(expression: Expression, scope: Scope): void {
    for (const part of targetsOf(expression)) {
      const name = baseNameOf(part);
      const signal = name === undefined ? undefined : this.#find(name, scope);
      if (signal) signal.mayBeDrivenElsewhere = true;
    }
  }

  #readItem(view: ItemView, module: ModuleView): void {
    const { item, scope } = view;
    const common = { statement: undefined, scope, procedure: undefined, view };
    switch (item.kind) {
      case 'assign':
        this.#drive(item.target, { ...common, kind: 'assign', value: item.value });
        this.#read(item.value, scope, undefined);
        return;
      case 'variable':
        if (!item.initial) return;
        this.#read(item.initial, scope, undefined);
        if (item.net !== undefined) this.#drive({ kind: 'name', scope: undefined, name: item.name, ...(item.span ? { span: item.span } : {}) }, { ...common, kind: 'declaration', value: item.initial });
        return;
      case 'gate': {
        const outputs = gateOutputs(item.gate, item.terminals.length);
        for (const [index, terminal] of item.terminals.entries()) {
          if (index < outputs) this.#drive(terminal, { ...common, kind: 'gate', value: undefined });
          else this.#read(terminal, scope, undefined);
          if (outputs === 0) this.#mayDrive(terminal, scope);
        }
        return;
      }
      case 'instance': {
        const known = module.interfaces(item, scope);
        for (const [index, connection] of item.connections.entries()) {
          const { expression } = connection;
          if (!expression) continue;
          const direction = known && connectedPort(known, connection, index)?.direction;
          if (direction === 'output') this.#drive(expression, { ...common, kind: 'instance', value: undefined });
          else this.#read(expression, scope, undefined);
          if (direction === undefined || direction === 'inout') this.#mayDrive(expression, scope);
        }
        if (item.wildcard) for (const signal of this.all as Draft[]) signal.mayBeDrivenElsewhere = true;
        return;
      }
      default:
    }
  }

  /** What a task only fills is not read by its call. */
  #readCall(call: Expression, scope: Scope, procedure: Procedure): void {
    if (call.kind !== 'call') {
      this.#read(call, scope, procedure);
      return;
    }
    const ports = this.#trust.subroutine(call.name)?.ports;
    for (const [index, argument] of call.arguments.entries()) {
      if (ports?.[index]?.direction !== 'output') this.#read(argument, scope, procedure);
      if (ports?.[index]?.direction !== 'input') this.#mayDrive(argument, scope);
    }
  }

  #readProcedure(procedure: Procedure): void {
    const { control } = procedure;
    if (control !== undefined && control !== '*') for (const term of control) this.#read(term.expression, procedure.scope, procedure);
    for (const { statement, scope } of procedure.statements) {
      switch (statement.kind) {
        case 'assign':
          if (statement.forced) this.#mayDrive(statement.target, scope);
          else this.#drive(statement.target, { kind: 'procedure', value: statement.value, statement, scope, procedure, view: procedure.view });
          this.#read(statement.value, scope, procedure);
          break;
        case 'if':
          this.#read(statement.condition, scope, procedure);
          break;
        case 'case':
          this.#read(statement.selector, scope, procedure);
          for (const { labels } of statement.branches) for (const label of labels) this.#read(label, scope, procedure);
          break;
        case 'loop':
          if (statement.condition) this.#read(statement.condition, scope, procedure);
          break;
        case 'event':
          if (statement.control !== '*') for (const term of statement.control) this.#read(term.expression, scope, procedure);
          break;
        case 'return':
          if (statement.value) this.#read(statement.value, scope, procedure);
          break;
        case 'call':
          this.#readCall(statement.call, scope, procedure);
          break;
        default:
      }
    }
  }
}

/** An interface, as far as can be told: its type is known as one, or not known as a type of data. */
export function mayBeInterface({ port, holder, name }: Signal): boolean {
  if (!port || port.direction === 'interface') return port !== undefined;
  const binding = port.type.kind === 'named' && port.net === undefined ? holder.variable(name) : undefined;
  return binding !== undefined && resolveType(binding).width === undefined;
}

export function signalsOf(module: ModuleView): Signals {
  return module.once(collectSignals);
}

function collectSignals(module: ModuleView): Signals {
  return new Signals(module);
}

/** How many terminals of a gate are outputs; they come first. None for switches that work both ways. */
function gateOutputs(gate: string, terminals: number): number {
  if (gate === 'buf' || gate === 'not') return terminals - 1;
  if (/^r?tran|^pull/.test(gate)) return gate.startsWith('pull') ? terminals : 0;
  return 1;
}

/** Bits of a signal, counted from the right. */
export interface Bits {
  readonly low: number;
  readonly high: number;
}

/** The bits that a target means: all of them, some that are known, or some that are not known. */
export function drivenBits(target: Expression, signal: Signal, scope: Scope): Bits | 'all' | 'some' {
  if (target.kind === 'name') return 'all';
  if (target.kind !== 'select' && target.kind !== 'range') return 'some';
  const type = typeOf(signal);
  if (target.base.kind !== 'name' || !type || type.packed.length + type.unpacked.length > 1 || type.members) return 'some';
  const [range] = type.packed.length > 0 ? type.packed : type.unpacked;
  if (!range) return 'some';
  const at = (number: number): number => (range.left >= range.right ? number - range.right : range.right - number);
  if (target.kind === 'select') {
    const index = evaluateNumber(target.index, scope);
    return index === undefined ? 'some' : { low: at(index), high: at(index) };
  }
  const left = evaluateNumber(target.left, scope);
  const right = evaluateNumber(target.right, scope);
  if (left === undefined || right === undefined) return 'some';
  const last = target.mode === ':' ? right : target.mode === '+:' ? left + right - 1 : left - right + 1;
  return { low: Math.min(at(left), at(last)), high: Math.max(at(left), at(last)) };
}

/** Two drivers certainly meet in some bit. */
export function overlaps(a: Bits | 'all' | 'some', b: Bits | 'all' | 'some'): boolean {
  if (a === 'all' || b === 'all') return true;
  if (a === 'some' || b === 'some') return false;
  return a.low <= b.high && b.low <= a.high;
}
