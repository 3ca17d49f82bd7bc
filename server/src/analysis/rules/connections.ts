import { nearest } from '../../base/similar.ts';
import type { Span } from '../../base/text.ts';
import { written } from '../../syntax/reserved-words.ts';
import { settableParameters } from '../declare.ts';
import { connectedPort } from '../ports.ts';
import type { InstanceInterface } from '../ports.ts';
import type { Connection, InstanceItem } from '../items.ts';
import type { Port } from '../module.ts';
import type { Scope } from '../scope.ts';
import { listNames, meantOr } from './assignments.ts';
import { bits, neededBits, plainWidth } from './expressions.ts';
import type { Fix, Rule } from './rule.ts';
import type { ModuleView } from './view.ts';

interface KnownInstance {
  readonly instance: InstanceItem;
  readonly known: InstanceInterface;
  readonly scope: Scope;
  readonly isCertain: boolean;
}

/** Instances of modules that are known and free of syntax errors. */
function* knownInstances(module: ModuleView): Generator<KnownInstance> {
  for (const { item, scope, isCertain } of module.items) {
    if (item.kind !== 'instance') continue;
    const known = module.interfaces(item, scope);
    if (known && !known.module.hasError) yield { instance: item, known, scope, isCertain };
  }
}

function headerNames({ known }: KnownInstance): string[] {
  return known.module.headerPorts.map(({ name }) => name);
}

/** The name that is connected: that behind the dot. */
function nameSpan(connection: Connection, module: ModuleView): Span | undefined {
  const { span, port } = connection;
  if (!span || port === undefined) return span;
  const at = module.textOf(span).indexOf(port);
  return at < 0 ? span : { start: span.start + at, end: span.start + at + port.length };
}

export const unknownPort: Rule = {
  id: 'unknown-port',
  level: 'error',
  category: 'connections',
  reason: 'A connection to a port that the module does not have does not compile.',
  verilator: ['PINNOTFOUND'],
  flagged: `module sub(input a, output y); assign y = a; endmodule
module top(input a, output y); sub u (.a(a), .yy(y)); endmodule`,
  silent: `module sub(input a, output y); assign y = a; endmodule
module top(input a, output y); sub u (.a(a), .y(y)); endmodule`,
  check(module, report) {
    for (const found of knownInstances(module)) {
      const { instance, known } = found;
      const names = headerNames(found);
      const knownNames = new Set(names);
      if (knownNames.has('')) continue;
      const connected = new Set(instance.connections.map(({ port }) => port));
      for (const connection of instance.connections) {
        const { port } = connection;
        if (port === undefined || knownNames.has(port)) continue;
        const span = nameSpan(connection, module);
        const free = names.filter((name) => !connected.has(name));
        const meant = nearest(port, free) ?? nearest(port, names);
        const fixes = meant !== undefined && span ? [{ title: `Change to '${meant}'`, changes: [{ span, text: meant }] }] : [];
        const has = names.length === 0 ? 'it has no ports' : `it has ${listNames(names)}`;
        report(span, `Module ${known.module.name} has no port ${port}; ${meantOr(meant, has)}`, { fixes });
      }
      const positional = instance.connections.filter(({ port }) => port === undefined);
      const extra = positional[names.length];
      if (extra && instance.connections.length === positional.length && !(names.length === 0 && positional.length === 1 && !extra.expression)) {
        report(extra.span, `Module ${known.module.name} has ${names.length === 1 ? '1 port' : `${names.length} ports`}, but ${positional.length} are connected; remove what is too much.`);
      }
    }
  },
};

export const repeatedPort: Rule = {
  id: 'repeated-port',
  level: 'error',
  category: 'connections',
  reason: 'A port that is connected twice does not compile.',
  verilator: ['PINDUP'],
  flagged: `module top(input a, b, output y); sub u (.a(a), .a(b), .y(y)); endmodule`,
  silent: `module top(input a, b, output y); sub u (.a(a), .b(b), .y(y)); endmodule`,
  check(module, report) {
    for (const { item } of module.items) {
      if (item.kind !== 'instance') continue;
      const seen = new Map<string, Connection>();
      for (const connection of item.connections) {
        const { port } = connection;
        const first = port === undefined ? undefined : seen.get(port);
        if (port !== undefined && first) {
          report(nameSpan(connection, module), `Port ${port} is connected twice; remove one of the connections.`, {
            related: first.span ? [{ span: first.span, message: 'The port is connected here first.' }] : [],
          });
        } else if (port !== undefined) seen.set(port, connection);
      }
    }
  },
};

export const missingPort: Rule = {
  id: 'missing-port',
  level: 'warning',
  category: 'connections',
  reason: 'An input that is not connected reads z.',
  verilator: ['PINMISSING'],
  flagged: `module sub(input a, b, output y); assign y = a & b; endmodule
module top(input a, output y); sub u (.a(a), .y(y)); endmodule`,
  silent: `module sub(input a, b, output y); assign y = a & b; endmodule
module top(input a, output y); sub u (.a(a), .b(), .y(y)); endmodule`,
  check(module, report) {
    for (const { instance, known, scope } of knownInstances(module)) {
      if (instance.wildcard || known.otherPorts.length > 0) continue;
      const connected = new Set(instance.connections.flatMap(({ port }) => port ?? []));
      const named = connected.size > 0;
      const isConnected = (port: Port, index: number): boolean => (named ? connected.has(port.name) : index < instance.connections.length);
      const declared = new Map(known.module.items.flatMap((item) => (item.kind === 'port' ? [[item.name, item] as const] : [])));
      const open = known.ports.filter((port, index) => !isConnected(port, index));
      // An input with a default value may be left out, IEEE 1800-2017, 23.2.2.4.
      const missing = open.filter((port) => port.direction === 'input' && !declared.get(port.name)?.initial);
      // A misspelt name is told where it stands.
      const ports = new Set(known.module.headerPorts.map(({ name }) => name));
      if (missing.length === 0 || !instance.span || [...connected].some((port) => !ports.has(port))) continue;
      const names = missing.map(({ name }) => name);
      const name = instance.name === '' ? instance.module : instance.name;
      const at = module.textOf(instance.span).indexOf(instance.name);
      const span = { start: instance.span.start + Math.max(at, 0), end: instance.span.start + Math.max(at, 0) + Math.max(instance.name.length, 1) };
      report(span, `Instance ${name} leaves ${names.length > 1 ? 'inputs' : 'input'} ${listNames(names)} of ${known.module.name} unconnected; connect ${names.length > 1 ? 'them' : 'it'}, or write .${names[0] ?? ''}() where that is meant.`, {
        fixes: named || instance.connections.length === 0 ? addPorts({ instance, scope }, open, module) : [],
      });
    }
  },
};

/** Adds ports behind the last connection: connected to what has their name, or open. */
function addPorts({ instance, scope }: { readonly instance: InstanceItem; readonly scope: Scope }, ports: readonly Port[], module: ModuleView): Fix[] {
  const added = ports.map(({ name }) => {
    const text = written(name.replace(/^\\/, ''));
    return `.${text}(${scope.variable(name) ? text : ''})`;
  });
  const title = added.length > 3 ? `Add the ${added.length} missing connections` : `Add ${added.join(', ')}`;
  const last = instance.connections.at(-1)?.span;
  if (last) {
    const line = module.file.parsed.lastIndexOf('\n', last.start - 1);
    const indent = line < 0 ? undefined : /^[ \t]*$/.exec(module.textOf({ start: line + 1, end: last.start }))?.[0];
    const separator = indent === undefined ? ', ' : `,\n${indent}`;
    return [{ title, changes: [{ span: { start: last.end, end: last.end }, text: added.map((text) => separator + text).join('') }] }];
  }
  if (!instance.span) return [];
  const close = instance.span.start + module.textOf(instance.span).lastIndexOf(')');
  return [{ title, changes: [{ span: { start: close, end: close }, text: added.join(', ') }] }];
}

export const unknownParameter: Rule = {
  id: 'unknown-parameter',
  level: 'error',
  category: 'connections',
  reason: 'An override of a parameter that the module does not have does not compile.',
  verilator: ['PINNOTFOUND'],
  flagged: `module sub #(parameter W = 1)(input a); endmodule
module top(input a); sub #(.WIDTH(2)) u (.a(a)); endmodule`,
  silent: `module sub #(parameter W = 1)(input a); endmodule
module top(input a); sub #(.W(2)) u (.a(a)); endmodule`,
  check(module, report) {
    for (const { instance, known } of knownInstances(module)) {
      const settable = settableParameters(known.module).map(({ name }) => name);
      const all = known.module.items.flatMap((item) => (item.kind === 'parameter' ? [item.name] : []));
      for (const [index, override] of instance.overrides.entries()) {
        const { name, span } = override;
        if (name === undefined) {
          if (index < settable.length) continue;
          report(span, `Module ${known.module.name} has ${settable.length === 1 ? '1 parameter' : `${settable.length} parameters`} that can be set, but ${instance.overrides.length} are given; remove what is too much.`);
          break;
        }
        if (settable.includes(name) || !span) continue;
        const meant = nearest(name, settable);
        const at = span.start + module.textOf(span).indexOf(name);
        const place = { start: at, end: at + name.length };
        const tail = meantOr(meant, settable.length === 0 ? 'it has none' : `it has ${listNames(settable)}`);
        const message = all.includes(name) ? `Parameter ${name} of module ${known.module.name} is local and cannot be set.` : `Module ${known.module.name} has no parameter ${name}; ${tail}`;
        report(place, message, { fixes: meant === undefined ? [] : [{ title: `Change to '${meant}'`, changes: [{ span: place, text: meant }] }] });
      }
    }
  },
};

export const repeatedParameter: Rule = {
  id: 'repeated-parameter',
  level: 'error',
  category: 'connections',
  reason: 'A parameter that one instance sets twice does not compile.',
  verilator: ['PINDUP'],
  flagged: `module top(input a); sub #(.W(1), .W(2)) u (.a(a)); endmodule`,
  silent: `module top(input a); sub #(.W(1), .D(2)) u (.a(a)); endmodule`,
  check(module, report) {
    for (const { item } of module.items) {
      if (item.kind !== 'instance') continue;
      const seen = new Set<string>();
      for (const { name, span } of item.overrides) {
        if (name !== undefined && seen.has(name)) report(span, `Parameter ${name} is set twice; remove one of the values.`);
        if (name !== undefined) seen.add(name);
      }
    }
  },
};

export const portWidth: Rule = {
  id: 'port-width',
  followsValues: true,
  level: 'warning',
  category: 'widths',
  reason: 'A connection whose width differs from that of its port loses bits or leaves some undriven.',
  verilator: ['WIDTH', 'WIDTHTRUNC', 'WIDTHEXPAND'],
  flagged: `module sub(input [7:0] a); endmodule
module top(input [3:0] a); sub u (.a(a)); endmodule`,
  silent: `module sub(input [7:0] a); endmodule
module top(input [3:0] a); sub u (.a({4'b0, a})); endmodule`,
  check(module, report) {
    for (const { instance, known, scope, isCertain } of knownInstances(module)) {
      // A defparam may set another width than the instance says.
      if (instance.array.length > 0 || !isCertain || module.once(namesSetByDefparam).has(instance.name)) continue;
      for (const [index, connection] of instance.connections.entries()) {
        const { expression } = connection;
        const port = connectedPort(known, connection, index);
        if (!expression || port?.width === undefined || port.unpacked.length > 0) continue;
        if (expression.kind === 'name' && module.once(interconnects).has(expression.name)) continue;
        const isPlain = expression.kind === 'name' || expression.kind === 'select' || expression.kind === 'range' || expression.kind === 'concatenation' || expression.kind === 'member';
        const width = isPlain ? plainWidth(expression, scope) : undefined;
        const needed = neededBits(expression, scope);
        const text = connection.text.length > 30 ? 'what is connected' : connection.text;
        const lost = needed !== undefined && needed > port.width;
        const isConstant = isPlain && expression.kind !== 'concatenation' && scope.variable(connection.text) === undefined && expression.kind === 'name';
        if (width === undefined ? !lost : isConstant ? !lost : width === port.width) continue;
        // Only what is certainly lost counts for an expression; a wider literal with zeros on top is fine.
        if (width !== undefined && port.direction === 'input' && width > port.width && !lost) continue;
        const own = width ?? needed ?? 0;
        const effect = own > port.width
          ? port.direction === 'output' ? `the upper ${bits(own - port.width)} of ${text} stay undriven` : `the upper ${bits(own - port.width)} are lost`
          : port.direction === 'output' ? `the upper ${bits(port.width - own)} of the port are lost` : `the upper ${bits(port.width - own)} of the port are filled`;
        report(connection.span, `Port ${port.name} of ${known.module.name} has ${bits(port.width)}, but ${text} has ${own}; ${effect.replace(/1 bit are/, '1 bit is').replace(/1 bit of (.*) are/, '1 bit of $1 is').replace(/1 bit of (.*) stay/, '1 bit of $1 stays')}.`);
      }
    }
  },
};

function namesSetByDefparam(module: ModuleView): ReadonlySet<string | undefined> {
  return new Set(module.items.flatMap(({ item }) => (item.kind === 'defparam' ? [item.path[0]] : [])));
}

function interconnects(module: ModuleView): ReadonlySet<string> {
  return new Set(module.items.flatMap(({ item }) => ((item.kind === 'variable' || item.kind === 'port') && item.net === 'interconnect' ? [item.name] : [])));
}

/** Cells of technologies, which the tools of their vendors know: BUFG, RAMB36E1, altpll, sky130_fd_sc_hd__inv_1. */
const VENDOR = /^(?:[A-Z][A-Z0-9_]*|(?:alt|lpm_|xpm_|cyclone|stratix|arria|sky130_|gf180|asap7)\w*)$/;

export const unknownModule: Rule = {
  id: 'unknown-module',
  level: 'information',
  category: 'connections',
  reason: 'A module that no file of the project defines cannot be elaborated.',
  verilator: ['MODMISSING'],
  flagged: `module top(input a); missing u (.a(a)); endmodule`,
  silent: `module sub(input a); endmodule
module top(input a); sub u (.a(a)); endmodule`,
  check(module, report) {
    const { library, units } = module.file;
    if (!units) return;
    for (const { item } of module.items) {
      if (item.kind !== 'instance' || units.has(item.module) || library.module(item.module) || library.hasPrimitive(item.module)) continue;
      const span = item.moduleSpan;
      const meant = nearest(item.module, [...units]);
      if (meant === undefined && VENDOR.test(item.module)) continue;
      report(span, `Module ${item.module} is not defined in any file of the project; ${meantOr(meant, 'add the file that defines it')}`, {
        fixes: meant !== undefined ? [{ title: `Change to '${meant}'`, changes: [{ span, text: meant }] }] : [],
      });
    }
  },
};
