/** The small changes that a source text may have: one slip of the pen each, turned back. */
import type { Span } from '../../base/text.ts';
import { childOfType, childrenOf, childrenOfType, nameOf, spanOf, textOf } from '../../syntax/nodes.ts';
import type { Node } from '../../syntax/parser.ts';
import { numbersNear } from './numbers.ts';

/** One piece of text in another's place. */
export interface Change {
  readonly span: Span;
  readonly text: string;
  /** The code that it is a part of, as much as a line holds. */
  readonly around: Span;
  /** A word in another's place is plainer than an order changed, and that than a sign added: 0, 1, 2. */
  readonly effort: number;
}

/** What is easily written for each other, the likeliest first. */
const CONFUSED: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['+'],
  '&': ['|', '^'],
  '|': ['&', '^'],
  '^': ['~^', '|', '&'],
  '~^': ['^'],
  '^~': ['^'],
  '&&': ['||', '&'],
  '||': ['&&', '|'],
  '==': ['!='],
  '!=': ['=='],
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>', '>='],
  '<=': ['<', '>=', '>'],
  '>': ['>=', '<', '<='],
  '>=': ['>', '<=', '<'],
  '<<': ['>>'],
  '>>': ['<<', '>>>'],
  '<<<': ['>>>'],
  '>>>': ['>>', '<<<'],
  posedge: ['negedge'],
  negedge: ['posedge'],
};
const UNARY: Readonly<Record<string, readonly string[]>> = { '!': [''], '~': [''], '-': [''], '&': ['|', '^', '~&'], '|': ['&', '^', '~|'], '^': ['~^', '|', '&'], '~&': ['&'], '~|': ['|'], '~^': ['^'] };
const ORDERED = new Set(['-', '/', '%', '<<', '>>', '>>>']);
/** Of code that is shown around a change. */
const LONGEST_AROUND = 60;
const STATEMENTS = new Set(['statement', 'statement_item', 'statement_or_null', 'conditional_statement', 'case_item', 'module_item', 'module_declaration', 'module_or_generate_item', 'list_of_net_assignments', 'blocking_assignment', 'hierarchical_instance', 'net_declaration', 'data_declaration', 'package_or_generate_item_declaration']);
const EXPRESSIONS = new Set(['expression', 'constant_expression']);
const NAMES = ['simple_identifier', 'escaped_identifier'];
const DECLARATIONS = new Set(['ansi_port_declaration', 'input_declaration', 'output_declaration', 'inout_declaration', 'net_declaration', 'data_declaration']);

/** Every change of the modules of a text, or of one of them, that this knows of, in the order of the text. Nothing is said of what they lead to. */
export function changesOf(root: Node, text: string, only?: string): Change[] {
  const modules = root.descendantsOfType('module_declaration').filter((module) => only === undefined || nameOfModule(module, text) === only);
  return modules.flatMap((module) => new ModuleChanges(module, text).list());
}

class ModuleChanges {
  readonly #module: Node;
  readonly #text: string;
  readonly #found: Change[] = [];
  /** Names that are declared alike, which may have been taken for each other. */
  readonly #alike: ReadonlyMap<string, readonly string[]>;

  constructor(module: Node, text: string) {
    this.#module = module;
    this.#text = text;
    this.#alike = this.#namesAlike();
  }

  list(): Change[] {
    for (const child of childrenOf(this.#module)) this.#node(child);
    return this.#found;
  }

  #node(node: Node): void {
    switch (node.type) {
      case 'cond_predicate':
        if (node.parent?.type === 'conditional_statement' && !this.#isNegated(node)) this.#replace(node, `!(${this.#textOf(node)})`, 2);
        break;
      case 'nonblocking_assignment':
        this.#assignment(node, '=');
        break;
      case 'operator_assignment':
        this.#assignment(node, '<=');
        break;
      case 'net_assignment':
        this.#assignment(node, undefined);
        break;
      case 'conditional_expression':
        this.#choice(node);
        break;
      case 'concatenation':
        this.#concatenation(node);
        break;
      case 'constant_range':
        this.#range(node);
        break;
      case 'integral_number':
        for (const number of numbersNear(this.#textOf(node))) this.#replace(node, number);
        return;
      case 'clocking_event':
        this.#events(node);
        break;
      case 'primary':
        this.#name(node);
        break;
      case 'edge_identifier':
      case 'unary_operator':
        for (const other of (node.type === 'unary_operator' ? UNARY : CONFUSED)[this.#textOf(node)] ?? []) this.#replace(node, other);
        return;
      default:
        if (EXPRESSIONS.has(node.type)) this.#operation(node);
    }
    // The range of a port is a part of the interface, which is given.
    if (node.type === 'packed_dimension' && isPort(node)) return;
    for (const child of childrenOf(node)) this.#node(child);
  }

  #replace(node: Node, text: string, effort = 0, span = spanOf(node)): void {
    this.#found.push({ span, text, around: spanOf(widest(node)), effort });
  }

  #textOf(node: Node): string {
    return textOf(node, this.#text);
  }

  /** To take the sign away is the plainer change. */
  #isNegated(node: Node): boolean {
    const [first, ...others] = childrenOf(node);
    if (first !== undefined && others.length === 0 && EXPRESSIONS.has(first.type)) return this.#isNegated(first);
    return first?.type === 'unary_operator' && ['!', '~'].includes(this.#textOf(first));
  }

  #inverted(value: Node): string {
    const text = this.#textOf(value);
    return /^[\w.[\]]+$/.test(text) ? `~${text}` : `~(${text})`;
  }

  #operation(node: Node): void {
    const [left, operator, right, ...rest] = childrenOf(node);
    if (left === undefined || operator === undefined || right === undefined || rest.length > 0) return;
    const sign = this.#textOf(operator);
    for (const other of CONFUSED[sign] ?? []) this.#replace(operator, other);
    for (const operand of CONFUSED[sign] === undefined ? [] : [left, right]) this.#replace(node, this.#textOf(operand), 1);
    if (ORDERED.has(sign)) this.#replace(node, `${this.#textOf(right)} ${sign} ${this.#textOf(left)}`, 1);
  }

  /** `sign`: the other assignment; undefined where there is none. */
  #assignment(node: Node, sign: string | undefined): void {
    const children = childrenOf(node);
    const operator = children.find((child) => ['=', '<='].includes(this.#textOf(child)));
    const value = children.findLast((child) => EXPRESSIONS.has(child.type));
    if (operator === undefined || value === undefined) return;
    const [only, ...others] = childrenOf(value);
    const isName = others.length === 0 && only?.type === 'primary' && childOfType(only, 'hierarchical_identifier') !== undefined;
    if (!isName && !this.#isNegated(value) && value.descendantsOfType(NAMES).length > 0) this.#replace(value, this.#inverted(value), 2);
    if (sign !== undefined) this.#replace(operator, sign);
  }

  #choice(node: Node): void {
    const [first, second, ...more] = childrenOf(node).filter(({ type }) => EXPRESSIONS.has(type)).slice(-2);
    if (first === undefined || second === undefined || more.length > 0) return;
    this.#replace(node, `${this.#textOf(second)} : ${this.#textOf(first)}`, 1, { start: first.startIndex, end: second.endIndex });
  }

  #concatenation(node: Node): void {
    const parts = childrenOfType(node, ...EXPRESSIONS);
    if (parts.length === 2) this.#replace(node, `{${parts.toReversed().map((part) => this.#textOf(part)).join(', ')}}`, 1);
  }

  /** A window of the same width beside the one that is selected. */
  #range(node: Node): void {
    const bounds = childrenOfType(node, ...EXPRESSIONS).map((bound) => Number(this.#textOf(bound)));
    const [left, right] = bounds;
    if (left === undefined || right === undefined || !bounds.every(Number.isInteger) || node.parent?.type === 'packed_dimension') return;
    for (const by of [-1, 1]) if (Math.min(left, right) + by >= 0) this.#replace(node, `${String(left + by)}:${String(right + by)}`, 1);
  }

  /** A reset that is tested first and missing in the list, or there and not wanted. */
  #events(node: Node): void {
    const [list] = childrenOfType(node, 'event_expression');
    if (list === undefined) return;
    const edges = list.descendantsOfType('edge_identifier');
    if (edges.length === 2) {
      const [first] = childrenOfType(list, 'event_expression');
      if (first !== undefined) this.#replace(list, this.#textOf(first), 1);
    }
    const tested = node.parent?.parent?.descendantsOfType('cond_predicate')[0];
    const condition = tested === undefined ? undefined : /^([!~]?)\s*([A-Za-z_]\w*)$/.exec(this.#textOf(tested).trim());
    if (edges.length === 1 && condition?.[2] !== undefined) this.#replace(list, `${this.#textOf(list)} or ${condition[1] === '' ? 'posedge' : 'negedge'} ${condition[2]}`, 1);
  }

  #name(node: Node): void {
    const name = childOfType(node, 'hierarchical_identifier');
    if (name === undefined) return;
    for (const other of this.#alike.get(this.#textOf(name)) ?? []) this.#replace(name, other);
    const isEvent = node.parent?.parent?.type === 'event_expression';
    if (node.parent !== null && EXPRESSIONS.has(node.parent.type) && !isEvent && !this.#isNegated(node.parent)) this.#replace(node, `~${this.#textOf(node)}`, 2);
  }

  #namesAlike(): Map<string, readonly string[]> {
    const byType = new Map<string, string[]>();
    let inherited = '';
    for (const declaration of this.#module.descendantsOfType([...DECLARATIONS])) {
      const dimensions = declaration.descendantsOfType('packed_dimension').map((dimension) => this.#textOf(dimension).replace(/\s/g, '')).join('');
      const isBare = declaration.type === 'ansi_port_declaration' && childOfType(declaration, 'net_port_header', 'variable_port_header', 'port_direction') === undefined;
      const type = isBare ? inherited : dimensions;
      inherited = type;
      const names = declaration.type === 'ansi_port_declaration' ? childrenOfType(declaration, ...NAMES) : declaredIn(declaration);
      byType.set(type, [...(byType.get(type) ?? []), ...names.map((name) => this.#textOf(name))]);
    }
    const alike = new Map<string, readonly string[]>();
    for (const names of byType.values()) for (const name of names) alike.set(name, [...new Set(names)].filter((other) => other !== name));
    return alike;
  }
}

function nameOfModule(module: Node, text: string): string | undefined {
  const header = childOfType(module, 'module_ansi_header', 'module_nonansi_header');
  const name = header === undefined ? undefined : childOfType(header, ...NAMES);
  return name === undefined ? undefined : nameOf(name, text);
}

/** The most of the code around a node that a line holds, within its statement. */
function widest(node: Node): Node {
  let found = node;
  for (let at: Node | null = node; at !== null && !STATEMENTS.has(at.type) && at.endIndex - at.startIndex <= LONGEST_AROUND; at = at.parent) found = at;
  return found;
}

function declaredIn(declaration: Node): Node[] {
  return declaration.descendantsOfType(['list_of_port_identifiers', 'list_of_variable_identifiers', 'net_decl_assignment', 'variable_decl_assignment']).flatMap((list) => childrenOfType(list, ...NAMES));
}

function isPort(node: Node): boolean {
  for (let at = node.parent; at !== null; at = at.parent) if (at.type === 'ansi_port_declaration' || at.type === 'port_declaration') return true;
  return false;
}
