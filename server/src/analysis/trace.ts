import type { Expression } from './ast.ts';
import { evaluateNumber } from './constant.ts';
import type { Child, Elaboration, ScopedItem } from './elaborate.ts';
import { eventUses } from './event-block.ts';
import type { Connection, Item, Statement } from './items.ts';
import type { Scope } from './scope.ts';
import { baseNameOf, forEachStatement, targetsOf } from './walk.ts';

/** How a signal follows a port: equal to it, its inverse, or with both of its edges. */
export type Phase = 'same' | 'inverted' | 'both';

export interface Root {
  /** Of an interface port with the name of what is in it: `bus.clk`. */
  readonly port: string;
  readonly bit: number | undefined;
  readonly phase: Phase;
}

/** Where a signal comes from. */
export interface Trace {
  readonly roots: readonly Root[];
  /** A register, latch or self-timed process has a part in it. */
  readonly stored: boolean;
  /** False when something on the way is not known. */
  readonly complete: boolean;
  /** Something else than the roots decides which of them it follows. */
  readonly chosen: boolean;
}

const NOTHING: Trace = { roots: [], stored: false, complete: true, chosen: false };
const UNKNOWN: Trace = { roots: [], stored: false, complete: false, chosen: false };
const STORED: Trace = { roots: [], stored: true, complete: true, chosen: false };

type Driver =
  | { readonly kind: 'value'; readonly target: Expression; readonly value: Expression; readonly scope: Scope }
  | { readonly kind: 'stored'; readonly target: Expression; readonly scope: Scope }
  | { readonly kind: 'gate'; readonly target: Expression; readonly gate: string; readonly inputs: readonly Expression[]; readonly scope: Scope }
  | { readonly kind: 'child'; readonly target: Expression; readonly child: Child; readonly port: string; readonly scope: Scope };

const SAME_GATES = new Set(['buf', 'and', 'or', 'bufif0', 'bufif1', 'nmos', 'pmos', 'cmos', 'tran', 'tranif0', 'tranif1', 'rnmos', 'rpmos', 'rcmos']);
const INVERTING_GATES = new Set(['not', 'nand', 'nor', 'notif0', 'notif1']);

/** Finds tracers of instantiated modules; one for each elaboration. */
export type TracerOf = (elaboration: Elaboration) => Tracer;

/** Follows signals of one module back to its ports. */
export class Tracer {
  readonly elaboration: Elaboration;
  readonly #tracerOf: TracerOf;
  readonly #drivers = new Map<Scope, Map<string, Driver[]>>();
  readonly #portNames = new Map<string, string>();
  readonly #busy = new Set<string>();
  readonly #scopeIds = new Map<Scope, number>();

  constructor(elaboration: Elaboration, tracerOf: TracerOf) {
    this.elaboration = elaboration;
    this.#tracerOf = tracerOf;
    const inputs = new Map(elaboration.ports.map((port) => [port.name, port.direction]));
    for (const header of elaboration.summary.headerPorts) {
      const inside = header.internal && baseNameOf(header.internal);
      if (inside !== undefined && inputs.get(header.name) !== 'output') this.#portNames.set(inside, header.name);
    }
    for (const scoped of elaboration.items) this.#addItem(scoped);
    for (const child of elaboration.children) this.#addChild(child);
  }

  /** Follows a one-bit expression. */
  trace(expression: Expression, scope: Scope): Trace {
    switch (expression.kind) {
      case 'name':
        return expression.scope === undefined ? this.#traceName(expression.name, undefined, scope) : NOTHING;
      case 'select':
        return this.#traceSelect(expression, scope);
      case 'range':
        return this.trace(expression.base, scope);
      case 'member':
        return this.#traceInInterface(expression, scope) ?? this.trace(expression.base, scope);
      case 'unary':
        return expression.operator === '^' || expression.operator === '~^' || expression.operator === '^~'
          ? withPhase(this.trace(expression.operand, scope), 'both')
          : withPhase(this.trace(expression.operand, scope), ['!', '~', '~&', '~|'].includes(expression.operator) ? 'inverted' : 'same');
      case 'binary':
        return this.#traceBinary(expression, scope);
      case 'conditional':
        return { ...merge([this.trace(expression.whenTrue, scope), this.trace(expression.whenFalse, scope)]), chosen: evaluateNumber(expression.condition, scope) === undefined };
      case 'concatenation':
        return merge(expression.parts.map((part) => this.trace(part, scope)));
      case 'sign-cast':
      case 'width-cast':
      case 'type-cast':
        return this.trace(expression.operand, scope);
      case 'number':
      case 'fill':
        return NOTHING;
      default:
        return UNKNOWN;
    }
  }

  /** Follows an output port, as an instance's surroundings ask for it. */
  tracePort(port: string): Trace {
    const header = this.elaboration.summary.headerPorts.find((candidate) => candidate.name === port);
    return header?.internal ? this.trace(header.internal, this.elaboration.scope) : UNKNOWN;
  }

  /** Follows a signal in an instance of an interface or behind an interface port; undefined for the member of a structure. */
  #traceInInterface({ base, name }: Extract<Expression, { kind: 'member' }>, scope: Scope): Trace | undefined {
    if (base.kind !== 'name' || base.scope !== undefined) return undefined;
    const instance = this.elaboration.children.find((child) => child.instance.name === base.name && child.scope === scope);
    if (instance?.module !== undefined) {
      const inside = this.#tracerOf(instance.module).#traceName(name, undefined, instance.module.scope);
      const outside = merge(inside.roots.map((root) => this.traceThrough(instance, root)));
      return { ...merge([inside, outside]), roots: outside.roots };
    }
    return this.elaboration.otherPorts.includes(base.name) ? { ...NOTHING, roots: [{ port: `${base.name}.${name}`, bit: undefined, phase: 'same' }] } : undefined;
  }

  #traceSelect(expression: Extract<Expression, { kind: 'select' }>, scope: Scope): Trace {
    if (expression.base.kind !== 'name' || expression.base.scope !== undefined) return this.trace(expression.base, scope);
    const index = evaluateNumber(expression.index, scope);
    const traced = this.#traceName(expression.base.name, index, scope);
    return index === undefined ? { ...traced, complete: false, chosen: true } : traced;
  }

  #traceBinary(expression: Extract<Expression, { kind: 'binary' }>, scope: Scope): Trace {
    const { operator } = expression;
    const both = merge([this.trace(expression.left, scope), this.trace(expression.right, scope)]);
    if (['&', '&&', '|', '||'].includes(operator)) return both;
    const constant = evaluateNumber(expression.right, scope);
    if ((operator === '==' || operator === '===') && constant !== undefined) return withPhase(both, constant === 0 ? 'inverted' : 'same');
    if ((operator === '!=' || operator === '!==') && constant !== undefined) return withPhase(both, constant === 0 ? 'same' : 'inverted');
    return withPhase(both, 'both');
  }

  #traceName(name: string, bit: number | undefined, scope: Scope): Trace {
    // A net that nothing declares is an implicit net of the module.
    const holder = scope.holderOf(name) ?? this.elaboration.scope;
    const port = holder === this.elaboration.scope ? this.#portNames.get(name) : undefined;
    if (port !== undefined) return { ...NOTHING, roots: [{ port, bit, phase: 'same' }] };
    const drivers = (this.#drivers.get(holder)?.get(name) ?? []).filter((driver) => drives(driver, bit));
    if (drivers.length === 0) return scope.constant(name) ? NOTHING : UNKNOWN;
    const key = `${this.#scopeId(holder)} ${name} ${bit ?? ''}`;
    if (this.#busy.has(key)) return NOTHING;
    this.#busy.add(key);
    const result = merge(drivers.map((driver) => this.#traceDriver(driver, bit)));
    this.#busy.delete(key);
    return drivers.length > 1 ? { ...result, chosen: true } : result;
  }

  #traceDriver(driver: Driver, bit: number | undefined): Trace {
    switch (driver.kind) {
      case 'stored':
        return STORED;
      case 'value':
        return this.trace(driver.target.kind === 'name' ? bitOf(driver.value, bit) : driver.value, driver.scope);
      case 'gate': {
        const inputs = merge(driver.inputs.map((input) => this.trace(input, driver.scope)));
        if (SAME_GATES.has(driver.gate)) return inputs;
        return withPhase(inputs, INVERTING_GATES.has(driver.gate) ? 'inverted' : 'both');
      }
      case 'child':
        return this.#traceChild(driver.child, driver.port);
    }
  }

  #traceChild(child: Child, port: string): Trace {
    if (!child.module) return UNKNOWN;
    const inside = this.#tracerOf(child.module).tracePort(port);
    const outside = inside.roots.map((root) => this.traceThrough(child, root));
    const traced = merge(outside);
    return { ...merge([inside, traced]), roots: traced.roots };
  }

  /** Leads a root at a port of an instance on to the ports of this module. */
  traceThrough(child: Child, root: Root): Trace {
    const [port = '', member] = root.port.split('.');
    const connection = connectionOf(child, port);
    if (!connection) return NOTHING;
    if (member !== undefined) {
      // What stands behind the name of an interface is the name of a modport.
      const base = connection.kind === 'member' ? connection.base : connection;
      return withPhase(this.trace({ kind: 'member', base, name: member }, child.scope), root.phase);
    }
    const expression = bitOf(connection, root.bit);
    const traced = withPhase(this.trace(expression, child.scope), root.phase);
    return child.instance.array.length > 0 && traced.roots.some((found) => found.bit === undefined && this.#isVector(found.port)) ? { ...traced, complete: false } : traced;
  }

  #isVector(name: string): boolean {
    return (this.elaboration.ports.find((port) => port.name === name)?.width ?? 1) > 1;
  }

  #scopeId(scope: Scope): number {
    let id = this.#scopeIds.get(scope);
    if (id === undefined) {
      id = this.#scopeIds.size;
      this.#scopeIds.set(scope, id);
    }
    return id;
  }

  #addDriver(driver: Driver): void {
    const name = baseNameOf(driver.target);
    if (name === undefined) return;
    const holder = driver.scope.holderOf(name) ?? this.elaboration.scope;
    let names = this.#drivers.get(holder);
    if (!names) {
      names = new Map();
      this.#drivers.set(holder, names);
    }
    const list = names.get(name);
    if (list) list.push(driver);
    else names.set(name, [driver]);
  }

  #addAssignment(target: Expression, value: Expression, scope: Scope): void {
    const targets = targetsOf(target);
    const paired = value.kind === 'concatenation' && value.parts.length === targets.length ? value.parts : undefined;
    for (const [index, part] of targets.entries()) this.#addDriver({ kind: 'value', target: part, value: paired?.[index] ?? value, scope });
  }

  #addItem({ item, scope }: ScopedItem): void {
    switch (item.kind) {
      case 'assign':
        this.#addAssignment(item.target, item.value, scope);
        break;
      case 'variable':
        if (item.initial) {
          const target: Expression = { kind: 'name', scope: undefined, name: item.name };
          if (item.net === undefined) this.#addDriver({ kind: 'value', target, value: { kind: 'fill', bit: 'x' }, scope });
          else this.#addDriver({ kind: 'value', target, value: item.initial, scope });
        }
        break;
      case 'gate': {
        const outputs = item.gate === 'buf' || item.gate === 'not' ? item.terminals.slice(0, -1) : item.terminals.slice(0, 1);
        const inputs = item.terminals.slice(outputs.length);
        const data = item.gate.startsWith('bufif') || item.gate.startsWith('notif') ? inputs.slice(0, 1) : inputs;
        for (const target of outputs) this.#addDriver({ kind: 'gate', target, gate: item.gate, inputs: data, scope });
        break;
      }
      case 'always':
      case 'initial':
        this.#addProcess(item, scope);
        break;
      default:
    }
  }

  #addProcess(item: Extract<Item, { kind: 'always' | 'initial' }>, scope: Scope): void {
    const latch = item.kind === 'always' && item.keyword === 'always_latch';
    const isStored = item.kind === 'initial' || latch || keepsTime(item.body);
    forEachStatement(item.body, (statement) => {
      if (statement.kind !== 'assign') return;
      if (!isStored) this.#addAssignment(statement.target, statement.value, scope);
      else for (const target of targetsOf(statement.target)) this.#addDriver({ kind: 'stored', target, scope });
    });
  }

  #addChild(child: Child): void {
    if (!child.module) {
      for (const connection of child.instance.connections) {
        for (const target of connection.expression ? targetsOf(connection.expression) : []) {
          this.#addDriver({ kind: 'child', target, child, port: connection.port ?? '', scope: child.scope });
        }
      }
      return;
    }
    for (const port of child.module.ports) {
      if (port.direction === 'input') continue;
      const expression = connectionOf(child, port.name);
      for (const target of expression ? targetsOf(expression) : []) this.#addDriver({ kind: 'child', target, child, port: port.name, scope: child.scope });
    }
  }
}

/** A process that waits for an edge or for time keeps what it assigns. */
function keepsTime(body: Statement): boolean {
  if (eventUses(body).some((use) => use.terms !== '*' && use.terms.some((term) => term.edge !== undefined))) return true;
  return body.kind === 'delay' || (body.kind === 'block' && body.statements.some((statement) => statement.kind === 'delay' && statement.body.kind !== 'null'));
}

/** What an instance connects to a port; undefined for an open one. */
export function connectionOf(child: Child, port: string): Expression | undefined {
  const { connections, wildcard } = child.instance;
  const named = connections.find((connection: Connection) => connection.port === port);
  if (named) return named.expression;
  if (connections.length > 0 && connections.every((connection) => connection.port === undefined)) {
    const position = child.module?.summary.headerPorts.findIndex((header) => header.name === port) ?? -1;
    return position < 0 ? undefined : connections[position]?.expression;
  }
  return wildcard ? { kind: 'name', scope: undefined, name: port } : undefined;
}

function bitOf(expression: Expression, bit: number | undefined): Expression {
  if (bit === undefined) return expression;
  if (expression.kind === 'name') return { kind: 'select', base: expression, index: { kind: 'number', bits: BigInt(Math.max(bit, 0)), unknown: 0n, width: undefined, signed: true } };
  if (expression.kind === 'concatenation') return expression.parts.at(-1 - bit) ?? expression;
  if (expression.kind === 'unary' && expression.operator === '~') return { ...expression, operand: bitOf(expression.operand, bit) };
  return expression;
}

/** Whether a driver reaches a bit; a target that is not a constant bit may reach any. */
function drives(driver: Driver, bit: number | undefined): boolean {
  const { target, scope } = driver;
  if (bit === undefined || target.kind === 'name') return true;
  if (target.kind === 'select') {
    const index = evaluateNumber(target.index, scope);
    return index === undefined || index === bit;
  }
  if (target.kind === 'range' && target.mode === ':') {
    const [left, right] = [evaluateNumber(target.left, scope), evaluateNumber(target.right, scope)];
    return left === undefined || right === undefined || (bit <= Math.max(left, right) && bit >= Math.min(left, right));
  }
  return true;
}

export function merge(traces: readonly Trace[]): Trace {
  const roots = new Map<string, Root>();
  for (const root of traces.flatMap((trace) => trace.roots)) {
    const key = `${root.port} ${root.bit ?? ''}`;
    const known = roots.get(key);
    roots.set(key, !known || known.phase === root.phase ? root : { ...root, phase: 'both' });
  }
  return { roots: [...roots.values()], stored: traces.some(({ stored }) => stored), complete: traces.every(({ complete }) => complete), chosen: traces.some(({ chosen }) => chosen) };
}

export function withPhase(trace: Trace, phase: Phase): Trace {
  return phase === 'same' ? trace : { ...trace, roots: trace.roots.map((root) => ({ ...root, phase: composePhase(root.phase, phase) })) };
}

export function composePhase(a: Phase, b: Phase): Phase {
  if (a === 'both' || b === 'both') return 'both';
  return a === b ? 'same' : 'inverted';
}
