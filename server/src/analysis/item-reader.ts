import { childOfType, childrenOf, childrenOfType, nameOf, spanOf, textOf } from '../syntax/nodes.ts';
import type { Node } from '../syntax/parser.ts';
import type { Dimension, Expression } from './ast.ts';
import { parseDimensions } from './datatype.ts';
import { readParameterPortList, readParameters, readPortDeclarations, readSubroutine, readTypedef, readVariables } from './declarations.ts';
import type { ReadContext } from './declarations.ts';
import { parseExpression, readerOf } from './expression.ts';
import type { Connection, GenerateBranch, InstanceItem, Item, ParameterOverride, PortItem } from './items.ts';
import { StatementReader } from './statements.ts';

const NOTHING: Expression = { kind: 'other', parts: [] };

/** Turns the nodes of module, package and generate items into plain items. */
export class ItemReader {
  readonly #context: ReadContext;
  readonly #statements: StatementReader;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#statements = new StatementReader(context.text, (node) => this.readChildren(node));
  }

  readChildren(node: Node): Item[] {
    return childrenOf(node).flatMap((child) => this.read(child));
  }

  /** The items of a node; a node of no interest gives none. */
  read(node: Node): Item[] {
    const items = this.#read(node);
    for (const item of items) if (!item.span) Object.assign(item, { span: spanOf(node) });
    return items;
  }

  #read(node: Node): Item[] {
    switch (node.type) {
      case 'module_item':
      case 'package_item':
      case 'interface_item':
      case 'program_item':
      case 'block_item_declaration':
      case 'generate_region':
      case 'conditional_generate_construct':
      case 'ERROR':
        return this.readChildren(node);
      case 'parameter_declaration':
      case 'local_parameter_declaration':
        return readParameters(this.#context, node, false);
      case 'parameter_port_list':
        return readParameterPortList(this.#context, node);
      case 'port_declaration':
        return childrenOf(node).flatMap((child): PortItem[] => readPortDeclarations(this.#context, child));
      case 'net_declaration':
      case 'genvar_declaration':
        return readVariables(this.#context, node);
      case 'data_declaration':
        return [...readVariables(this.#context, node), ...this.readChildren(node)];
      case 'type_declaration':
        return readTypedef(this.#context, node);
      case 'package_import_declaration':
        return this.#imports(node);
      case 'function_declaration':
      case 'task_declaration':
        return this.#subroutine(node);
      case 'continuous_assign':
        return this.#assigns(node);
      case 'always_construct':
        return this.#always(node);
      case 'initial_construct':
        return childrenOfType(node, 'statement_or_null').map((body) => ({ kind: 'initial', body: this.#statements.read(body) }));
      case 'module_instantiation':
      case 'interface_instantiation':
      case 'program_instantiation':
      case 'udp_instantiation':
      case 'checker_instantiation':
        return this.#instances(node);
      case 'gate_instantiation':
        return this.#gates(node);
      case 'parameter_override':
        return this.#defparams(node);
      case 'if_generate_construct':
        return this.#generateIf(node);
      case 'case_generate_construct':
        return this.#generateCase(node);
      case 'loop_generate_construct':
        return this.#generateFor(node);
      case 'generate_block':
        return [{ kind: 'generate-block', items: this.readChildren(node) }];
      default:
        return [];
    }
  }

  #text(node: Node): string {
    return textOf(node, this.#context.text);
  }

  #expression(node: Node): Expression {
    return parseExpression(this.#text(node), node.startIndex);
  }

  #imports(node: Node): Item[] {
    return childrenOfType(node, 'package_import_item').flatMap((item): Item[] => {
      const [scope, name] = this.#text(item).split('::').map((part) => part.trim());
      return scope === undefined ? [] : [{ kind: 'import', package: scope, name: name === '*' ? undefined : name }];
    });
  }

  #subroutine(node: Node): Item[] {
    const item = readSubroutine(
      this.#context,
      node,
      (child) => this.readChildren(child),
      (child) => this.#statements.read(child),
    );
    return item ? [item] : [];
  }

  #assigns(node: Node): Item[] {
    const lists = childrenOfType(node, 'list_of_net_assignments', 'list_of_variable_assignments');
    return lists.flatMap((list) =>
      childrenOfType(list, 'net_assignment', 'variable_assignment').flatMap((assignment): Item[] => {
        const parts = childrenOf(assignment);
        const target = parts[0];
        const value = parts.at(-1);
        if (!target || !value || parts.length < 3) return [];
        return [{ kind: 'assign', target: this.#expression(target), value: this.#expression(value), span: spanOf(assignment) }];
      }),
    );
  }

  #always(node: Node): Item[] {
    const keywordNode = childOfType(node, 'always_keyword');
    const body = childOfType(node, 'statement');
    if (!keywordNode || !body) return [];
    const keyword = (['always_comb', 'always_ff', 'always_latch'] as const).find((word) => word === this.#text(keywordNode)) ?? 'always';
    return [{ kind: 'always', keyword, body: this.#statements.read(body), location: this.#context.locate(node.startIndex, node.endIndex) }];
  }

  #instances(node: Node): Item[] {
    const typeNode = node.childForFieldName('instance_type') ?? node.children.find((child) => /identifier$/.test(child.type));
    if (!typeNode) return [];
    const module = nameOf(typeNode, this.#context.text);
    const moduleLocation = this.#context.locate(typeNode.startIndex, typeNode.endIndex);
    const overridesNode = childOfType(node, 'parameter_value_assignment');
    const overrides = overridesNode ? this.#overrides(overridesNode) : [];
    const instances = childrenOfType(node, 'hierarchical_instance', 'udp_instance');
    return instances.map((instance): InstanceItem => {
      const name = this.#instanceName(instance);
      const list = childOfType(instance, 'list_of_port_connections');
      const connections = list ? this.#connections(list) : this.#terminals(instance);
      const wildcard = list ? childrenOf(list).some((child) => this.#text(child).trim() === '.*') : false;
      const location = this.#context.locate(instance.startIndex, instance.endIndex);
      return { kind: 'instance', module, moduleLocation, moduleSpan: spanOf(typeNode), ...name, location, overrides, connections, wildcard, span: spanOf(instance) };
    });
  }

  #instanceName(instance: Node): { name: string; array: readonly Dimension[] } {
    const node = childOfType(instance, 'name_of_instance');
    if (!node) return { name: '', array: [] };
    const reader = readerOf(this.#text(node), node.startIndex);
    return { name: reader.identifier() ?? '', array: parseDimensions(reader) };
  }

  #overrides(node: Node): ParameterOverride[] {
    const list = childOfType(node, 'list_of_parameter_value_assignments');
    return (list ? childrenOf(list) : []).flatMap((child): ParameterOverride[] => {
      const text = this.#text(child);
      const span = spanOf(child);
      if (child.type === 'ordered_parameter_assignment') return [{ name: undefined, value: parseExpression(text, child.startIndex), text, span }];
      if (child.type !== 'named_parameter_assignment') return [];
      const [, name, value = ''] = /^\.\s*(\\\S+|[\w$]+)\s*\(([\s\S]*)\)$/.exec(text) ?? [];
      if (name === undefined) return [];
      const trimmed = value.trim();
      const base = child.endIndex - 1 - value.length;
      return [{ name: name.replace(/^\\/, ''), value: trimmed === '' ? undefined : parseExpression(value, base), text: trimmed, span }];
    });
  }

  #connections(list: Node): Connection[] {
    const found: Connection[] = [];
    let position = true;
    for (const child of childrenOf(list)) {
      const location = this.#context.locate(child.startIndex, child.endIndex);
      const span = spanOf(child);
      const text = this.#text(child);
      if (child.type === ',') {
        if (position && found.every((connection) => connection.port === undefined)) found.push({ port: undefined, expression: undefined, text: '', location, span });
        position = true;
        continue;
      }
      position = false;
      if (child.type === 'named_port_connection') {
        const nameNode = child.childForFieldName('port_name');
        if (!nameNode) continue;
        const port = nameOf(nameNode, this.#context.text);
        const open = this.#context.text.indexOf('(', nameNode.endIndex) + 1;
        const inner = open > 0 && open <= child.endIndex ? this.#context.text.slice(open, child.endIndex).replace(/\)\s*$/, '') : undefined;
        const trimmed = inner?.trim();
        const expression = trimmed === undefined ? ({ kind: 'name', scope: undefined, name: port, span: spanOf(nameNode) } as const) : trimmed === '' ? undefined : parseExpression(inner ?? '', open);
        found.push({ port, expression, text: trimmed ?? port, location, span });
      } else if (child.type === 'ordered_port_connection') {
        found.push({ port: undefined, expression: parseExpression(text, child.startIndex), text, location, span });
      }
    }
    return found;
  }

  #terminals(instance: Node): Connection[] {
    return childrenOfType(instance, 'output_terminal', 'input_terminal').map((node) => ({
      port: undefined,
      expression: this.#expression(node),
      text: this.#text(node),
      location: this.#context.locate(node.startIndex, node.endIndex),
      span: spanOf(node),
    }));
  }

  #gates(node: Node): Item[] {
    const gate = /^\s*(\w+)/.exec(this.#text(node))?.[1] ?? '';
    return node.children
      .filter((child) => child.type.endsWith('_instance') && child.type !== 'attribute_instance')
      .map((instance): Item => {
        const text = this.#text(instance);
        const nameNode = childOfType(instance, 'name_of_instance');
        const open = text.indexOf('(', nameNode ? nameNode.endIndex - instance.startIndex : 0);
        const reader = readerOf(text.slice(open + 1), instance.startIndex + open + 1);
        return { kind: 'gate', gate, terminals: reader.list(')'), span: spanOf(instance) };
      });
  }

  #defparams(node: Node): Item[] {
    const list = childOfType(node, 'list_of_defparam_assignments');
    return (list ? childrenOfType(list, 'defparam_assignment') : []).flatMap((assignment): Item[] => {
      const [path, value] = this.#text(assignment).split(/=([\s\S]*)/);
      if (path === undefined || value === undefined) return [];
      return [{ kind: 'defparam', path: path.split('.').map((part) => part.trim()), value: parseExpression(value) }];
    });
  }

  #generateIf(node: Node): Item[] {
    const condition = childOfType(node, 'constant_expression');
    const [whenTrue, whenFalse] = childrenOfType(node, 'generate_block');
    if (!condition) return [];
    return [
      {
        kind: 'generate-if',
        condition: this.#expression(condition),
        whenTrue: whenTrue ? this.readChildren(whenTrue) : [],
        whenFalse: whenFalse ? this.readChildren(whenFalse) : [],
      },
    ];
  }

  #generateCase(node: Node): Item[] {
    const selector = childOfType(node, 'constant_expression');
    if (!selector) return [];
    const branches = childrenOfType(node, 'case_generate_item').map((item): GenerateBranch => {
      const block = childOfType(item, 'generate_block');
      const labels = childrenOfType(item, 'constant_expression').map((label) => this.#expression(label));
      return { labels, items: block ? this.readChildren(block) : [] };
    });
    return [{ kind: 'generate-case', selector: this.#expression(selector), branches }];
  }

  #generateFor(node: Node): Item[] {
    const parts = childrenOf(node);
    const initial = childOfType(node, 'genvar_initialization');
    const condition = parts.find((part, index) => index > parts.findIndex((other) => other.type === ';') && part.isNamed);
    const iteration = childOfType(node, 'genvar_iteration');
    const block = childOfType(node, 'generate_block');
    if (!initial || !condition || !iteration || !block) return [];
    const [, variable = '', start = ''] = /^(?:genvar\s+)?([\w$]+)\s*=([\s\S]*)$/.exec(this.#text(initial)) ?? [];
    return [
      {
        kind: 'generate-for',
        variable,
        initial: parseExpression(start),
        condition: this.#expression(condition),
        next: nextValue(this.#text(iteration), variable),
        items: this.readChildren(block),
      },
    ];
  }
}

/** The value of a loop variable after one step, such as `i = i + 1`, `i += 2` or `i++`. */
function nextValue(iteration: string, variable: string): Expression {
  const compact = iteration.replace(/\s+/g, ' ');
  if (compact.includes('++')) return parseExpression(`${variable} + 1`);
  if (compact.includes('--')) return parseExpression(`${variable} - 1`);
  const [, operator, value] = /^[\w$]+\s*([^\w\s=]*)=([\s\S]*)$/.exec(compact.trim()) ?? [];
  if (value === undefined) return NOTHING;
  return parseExpression(operator === '' || operator === undefined ? value : `${variable} ${operator} (${value})`);
}
