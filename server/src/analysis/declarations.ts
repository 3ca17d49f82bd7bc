import { childOfType, childrenOf, childrenOfType, spanOf, textOf } from '../syntax/nodes.ts';
import type { Node } from '../syntax/parser.ts';
import { implicitType } from './ast.ts';
import type { DataType, Dimension, Expression } from './ast.ts';
import { parseDataType, parseDimensions } from './datatype.ts';
import { ExpressionReader, parseExpression, readerOf } from './expression.ts';
import type { FunctionItem, HeaderPort, Item, ParameterItem, PortItem, Statement, VariableItem } from './items.ts';
import type { SourceLocation } from './module.ts';
import { tokenize } from '../syntax/tokens.ts';
import type { Span } from '../base/text.ts';

/** Leads from offsets of the parsed text to the place in a source file. */
export type Locate = (start: number, end: number) => SourceLocation;

export interface ReadContext {
  readonly text: string;
  readonly locate: Locate;
}

const NET_TYPES = new Set(['wire', 'tri', 'tri0', 'tri1', 'wand', 'wor', 'triand', 'trior', 'trireg', 'supply0', 'supply1', 'uwire', 'interconnect']);
const DIRECTIONS = new Set(['input', 'output', 'inout', 'ref']);
const TYPE_NODES = ['data_type_or_implicit', 'data_type', 'implicit_data_type', 'data_type_or_void'];

function typeOf(context: ReadContext, node: Node): DataType {
  return parseDataType(readerOf(textOf(node, context.text), node.startIndex));
}

interface PortHead {
  readonly direction: PortItem['direction'] | undefined;
  readonly net: string | undefined;
  readonly type: DataType;
  /** Something besides the direction was written. */
  readonly typed: boolean;
}

/** Reads what stands before the name of a port. */
function readPortHead(context: ReadContext, start: number, end: number): PortHead {
  const reader = readerOf(context.text.slice(start, end), start);
  reader.accept('const');
  const direction = reader.acceptOneOf(DIRECTIONS) as PortItem['direction'] | undefined;
  const net = reader.acceptOneOf(NET_TYPES);
  const isVariable = reader.accept('var');
  const typed = net !== undefined || isVariable || !reader.done;
  return { direction, net, type: reader.done ? implicitType : parseDataType(reader), typed };
}

interface Declarator {
  readonly name: string;
  readonly span: Span;
  readonly unpacked: readonly Dimension[];
  readonly initial: Expression | undefined;
  readonly initialText: string | undefined;
}

/** Reads `name [dimensions] = value, …` from a part of the text. */
function readDeclarators(context: ReadContext, start: number, end: number): Declarator[] {
  const reader = readerOf(context.text.slice(start, end), start);
  const found: Declarator[] = [];
  while (!reader.done) {
    const token = reader.current;
    const name = reader.identifier();
    if (name === undefined || !token) {
      reader.at++;
      continue;
    }
    const unpacked = parseDimensions(reader);
    let initial: Expression | undefined;
    let initialText: string | undefined;
    if (reader.accept('=')) {
      const from = reader.tokens[reader.at]?.span.start ?? end;
      initial = reader.expression();
      const to = reader.tokens[reader.at - 1]?.span.end ?? end;
      initialText = context.text.slice(from, to);
    }
    found.push({ name, span: token.span, unpacked, initial, initialText });
  }
  return found;
}

function locationOf(context: ReadContext, declarator: Declarator): SourceLocation {
  return context.locate(declarator.span.start, declarator.span.end);
}

/** Ports of an ANSI header; later ones inherit what they leave out. */
export class PortListReader {
  readonly #context: ReadContext;
  #direction: PortItem['direction'] | undefined;
  #net: string | undefined;
  #type: DataType = implicitType;
  readonly ports: PortItem[] = [];
  readonly header: HeaderPort[] = [];

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** True when some port said its direction or type, which names alone do not. */
  get declared(): boolean {
    return this.#direction !== undefined;
  }

  add(node: Node): void {
    const nameNode = node.childForFieldName('port_name');
    if (!nameNode) return;
    const { text } = this.#context;
    const headText = text.slice(node.startIndex, nameNode.startIndex);
    const [declarator] = readDeclarators(this.#context, nameNode.startIndex, node.endIndex);
    if (!declarator) return;
    const location = locationOf(this.#context, declarator);
    if (/\.\s*$/.test(headText) && !childOfType(node, 'interface_port_header')) {
      const internal = childOfType(node, 'expression');
      this.header.push({ name: declarator.name, internal: internal && parseExpression(textOf(internal, text), internal.startIndex), location });
      return;
    }
    if (childOfType(node, 'interface_port_header')) {
      this.#direction = 'interface';
      this.#net = undefined;
      this.#type = parseDataType(readerOf(headText.split('.')[0] ?? '', node.startIndex));
    } else this.#inherit(readPortHead(this.#context, node.startIndex, nameNode.startIndex));
    const { name, span, unpacked, initial } = declarator;
    if (this.#direction !== undefined) {
      this.ports.push({ kind: 'port', name, direction: this.#direction, net: this.#net, type: this.#type, unpacked, initial, location, span });
    }
    this.header.push({ name, internal: { kind: 'name', scope: undefined, name, span }, location });
  }

  #inherit(head: PortHead): void {
    if (head.direction === undefined && !head.typed) return;
    this.#direction = head.direction ?? (this.#direction === 'interface' ? 'inout' : (this.#direction ?? 'inout'));
    this.#net = head.net;
    this.#type = head.type;
  }
}

/** A port of a non-ANSI header: `a`, `a[3:0]`, `{a, b}` or `.a(b)`. */
export function readHeaderPort(context: ReadContext, node: Node): HeaderPort {
  const text = textOf(node, context.text);
  const location = context.locate(node.startIndex, node.endIndex);
  const reader = readerOf(text, node.startIndex);
  if (reader.accept('.')) {
    const name = reader.identifier() ?? '';
    reader.accept('(');
    return { name, internal: reader.peek() === ')' ? undefined : reader.expression(), location };
  }
  const internal = reader.expression();
  const name = internal.kind === 'name' ? internal.name : internal.kind === 'select' || internal.kind === 'range' ? baseName(internal.base) : '';
  return { name, internal, location };
}

/**
 * Reads a non-ANSI list of ports by its tokens, for lists that the grammar does not know. `start` is that of its opening
 * parenthesis. Undefined for an ANSI list.
 */
export function readHeaderPorts(context: ReadContext, start: number): HeaderPort[] | undefined {
  const end = closingParenthesis(context.text, start);
  const tokens = tokenize(context.text.slice(start + 1, end), start + 1);
  if (tokens.some((token) => DIRECTIONS.has(token.text))) return undefined;
  const reader = new ExpressionReader(tokens, true);
  const ports: HeaderPort[] = [];
  while (!reader.done) {
    const token = reader.current;
    const before = reader.at;
    const named = reader.accept('.');
    const name = named ? reader.identifier() : undefined;
    const open = named && reader.accept('(');
    const internal = open && reader.peek() === ')' ? undefined : reader.expression();
    if (open) reader.accept(')');
    const last = reader.tokens[reader.at - 1];
    if (token && last && reader.at > before) {
      const location = context.locate(token.span.start, last.span.end);
      ports.push({ name: name ?? (internal ? baseName(internal) : ''), internal, location });
    }
    if (!reader.accept(',') && reader.at === before) reader.at++;
  }
  return ports.filter((port) => port.name !== '');
}

function closingParenthesis(text: string, open: number): number {
  let depth = 0;
  for (const token of tokenize(text.slice(open, open + 100_000))) {
    if (token.text === '(') depth++;
    else if (token.text === ')' && --depth === 0) return open + token.span.start;
  }
  return text.length;
}

function baseName(expression: Expression): string {
  if (expression.kind === 'name') return expression.name;
  return expression.kind === 'select' || expression.kind === 'range' ? baseName(expression.base) : '';
}

/** Port declarations in a body or a subroutine: `input [3:0] a, b;`. */
export function readPortDeclarations(context: ReadContext, node: Node): PortItem[] {
  const list = node.children.find((child) => child.type.startsWith('list_of_'));
  if (!list) return [];
  const head = readPortHead(context, node.startIndex, list.startIndex);
  return readDeclarators(context, list.startIndex, list.endIndex).map((declarator) => ({
    kind: 'port',
    name: declarator.name,
    direction: head.direction ?? 'input',
    net: head.net,
    type: head.type,
    unpacked: declarator.unpacked,
    initial: declarator.initial,
    location: locationOf(context, declarator),
    span: declarator.span,
  }));
}

export function readVariables(context: ReadContext, node: Node): VariableItem[] {
  const list = childOfType(node, 'list_of_net_decl_assignments', 'list_of_variable_decl_assignments', 'list_of_genvar_identifiers');
  if (!list) return [];
  const typeNode = childOfType(node, ...TYPE_NODES) ?? (node.type === 'net_declaration' ? childOfType(node, 'simple_identifier') : undefined);
  const netNode = childOfType(node, 'net_type');
  const type = typeNode ? typeOf(context, typeNode) : implicitType;
  return readDeclarators(context, list.startIndex, list.endIndex).map((declarator) => ({
    kind: 'variable',
    name: declarator.name,
    net: netNode && textOf(netNode, context.text),
    type,
    unpacked: declarator.unpacked,
    initial: declarator.initial,
    location: locationOf(context, declarator),
    span: declarator.span,
  }));
}

export function readTypedef(context: ReadContext, node: Node): Item[] {
  const reader = readerOf(textOf(node, context.text), node.startIndex);
  reader.accept('typedef');
  if (reader.tokens.length <= 3 && reader.tokens[1]?.kind !== 'identifier') return [];
  const type = parseDataType(reader);
  const token = reader.current;
  const name = reader.identifier();
  return name === undefined || !token ? [] : [{ kind: 'typedef', name, type, unpacked: parseDimensions(reader), span: token.span }];
}

/** What an earlier declaration of a parameter port list leaves to the ones behind it. */
export interface ParameterDefaults {
  local: boolean;
  type: DataType;
}

export function readParameters(context: ReadContext, node: Node, header: boolean, defaults: ParameterDefaults = { local: false, type: implicitType }): ParameterItem[] {
  const keyword = /^(localparam|parameter)?/.exec(textOf(node, context.text))?.[1];
  if (keyword !== undefined) {
    defaults.local = keyword === 'localparam';
    defaults.type = implicitType;
  }
  const { local } = defaults;
  const types = node.type === 'type_parameter_declaration' ? node : childOfType(node, 'type_parameter_declaration');
  if (types) {
    const list = childOfType(types, 'list_of_type_assignments');
    return (list ? childrenOfType(list, 'type_assignment') : []).flatMap((assignment) => {
      const nameNode = assignment.childForFieldName('name');
      const valueNode = assignment.childForFieldName('value');
      if (!nameNode) return [];
      const valueText = valueNode ? textOf(valueNode, context.text) : undefined;
      const typeDefault = valueNode ? typeOf(context, valueNode) : undefined;
      const location = context.locate(nameNode.startIndex, nameNode.endIndex);
      return [{ kind: 'parameter', name: textOf(nameNode, context.text), local, header, type: undefined, typeDefault, unpacked: [], value: undefined, valueText, location, span: spanOf(nameNode) }];
    });
  }
  const typeNode = childOfType(node, ...TYPE_NODES);
  if (typeNode) defaults.type = typeOf(context, typeNode);
  const list = node.type === 'list_of_param_assignments' ? node : childOfType(node, 'list_of_param_assignments');
  if (!list) return [];
  return readDeclarators(context, list.startIndex, list.endIndex).map((declarator) => ({
    kind: 'parameter',
    name: declarator.name,
    local,
    header,
    type: defaults.type,
    typeDefault: undefined,
    unpacked: declarator.unpacked,
    value: declarator.initial,
    valueText: declarator.initialText,
    location: locationOf(context, declarator),
    span: declarator.span,
  }));
}

/** The parameters of `#( … )` in a header. */
export function readParameterPortList(context: ReadContext, node: Node): ParameterItem[] {
  const defaults: ParameterDefaults = { local: false, type: implicitType };
  const found: ParameterItem[] = [];
  for (const child of childrenOf(node)) {
    if (child.type === 'list_of_param_assignments') found.push(...readParameters(context, child, true, defaults));
    else if (child.type === 'parameter_port_declaration' || child.type === 'ERROR') {
      // Without a keyword of its own a declaration stands directly in the node.
      const inner = childOfType(child, 'local_parameter_declaration', 'parameter_declaration', 'type_parameter_declaration') ?? child;
      found.push(...readParameters(context, inner, true, defaults));
    }
  }
  return found;
}

/** A function or task; its parts that need other readers come in as functions. */
export function readSubroutine(
  context: ReadContext,
  node: Node,
  readItems: (node: Node) => readonly Item[],
  readStatement: (node: Node) => Statement,
): FunctionItem | undefined {
  const body = childOfType(node, 'function_body_declaration', 'task_body_declaration');
  const nameNode = body?.childForFieldName('name');
  if (!body || !nameNode) return undefined;
  const typeNode = childOfType(body, ...TYPE_NODES);
  const ports: PortItem[] = [];
  const items: Item[] = [];
  let direction: PortItem['direction'] = 'input';
  let type: DataType = implicitType;
  const list = childOfType(body, 'tf_port_list');
  for (const port of list ? childrenOfType(list, 'tf_port_item') : []) {
    const portName = port.childForFieldName('name');
    if (!portName) continue;
    const head = readPortHead(context, port.startIndex, portName.startIndex);
    direction = head.direction ?? direction;
    if (head.typed || head.direction !== undefined) type = head.type;
    const [declarator] = readDeclarators(context, portName.startIndex, port.endIndex);
    if (!declarator) continue;
    const { name, span, unpacked, initial } = declarator;
    ports.push({ kind: 'port', name, direction, net: undefined, type, unpacked, initial, location: locationOf(context, declarator), span });
  }
  for (const child of childrenOfType(body, 'tf_item_declaration', 'block_item_declaration')) {
    const port = childOfType(child, 'tf_port_declaration');
    if (port) ports.push(...readPortDeclarations(context, port));
    else items.push(...readItems(child));
  }
  return {
    kind: 'function',
    name: textOf(nameNode, context.text),
    span: spanOf(nameNode),
    task: node.type === 'task_declaration',
    returns: typeNode ? typeOf(context, typeNode) : implicitType,
    ports,
    items,
    body: childrenOfType(body, 'function_statement_or_null', 'statement_or_null').map(readStatement),
  };
}
