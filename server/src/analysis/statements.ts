import { childOfType, childrenOf, childrenOfType, spanOf, textOf } from '../syntax/nodes.ts';
import { IfStatements } from '../syntax/if-statement.ts';
import type { Node } from '../syntax/parser.ts';
import type { Expression } from './ast.ts';
import { parseExpression, readerOf } from './expression.ts';
import type { CaseBranch, EventControl, EventTerm, Item, Promised, Statement } from './items.ts';

/** Reads the declarations of a block; the reader of items passes itself in, since items hold statements. */
export type DeclarationReader = (node: Node) => readonly Item[];

const NULL: Statement = { kind: 'null' };
const FULL_CASE = /\bfull_case\b/;
/** Tools read such a comment behind the selector. */
const FULL_CASE_COMMENT = /\/[/*]\s*(?:synopsys|synthesis|pragma|cadence|exemplar|ambit|rtl_synthesis)\b[^\n]*\bfull_case\b/;
const STATEMENTS = ['statement_or_null', 'statement', 'function_statement_or_null', 'function_statement'];

/** Turns statement nodes into plain statements. */
export class StatementReader {
  readonly #text: string;
  readonly #declarations: DeclarationReader;
  readonly #ifs = new IfStatements();

  constructor(text: string, declarations: DeclarationReader) {
    this.#text = text;
    this.#declarations = declarations;
  }

  read(node: Node): Statement {
    const statement = this.#read(node);
    // The innermost node is the one that is the statement; the null statement is shared.
    return statement === NULL || statement.span ? statement : Object.assign(statement, { span: spanOf(node) });
  }

  #read(node: Node): Statement {
    switch (node.type) {
      case 'statement_or_null':
      case 'function_statement_or_null':
      case 'function_statement':
      case 'statement':
      case 'statement_item': {
        const inner = childrenOf(node).find((child) => child.isNamed && child.type !== 'attribute_instance' && child.type !== 'simple_identifier');
        if (!inner) return NULL;
        const statement = this.read(inner);
        const isFull = childrenOfType(node, 'attribute_instance').some((attribute) => FULL_CASE.test(textOf(attribute, this.#text)));
        return isFull && statement.kind === 'case' ? { ...statement, promise: statement.promise ?? 'synthesis' } : statement;
      }
      case 'seq_block':
      case 'par_block':
        return this.#block(node);
      case 'conditional_statement':
        return this.#conditional(node);
      case 'case_statement':
        return this.#case(node);
      case 'loop_statement':
        return this.#loop(node);
      case 'procedural_timing_control_statement':
        return this.#timing(node);
      case 'wait_statement':
        return { kind: 'wait', body: this.#bodyOf(node) };
      case 'jump_statement':
        return this.#jump(node);
      case 'subroutine_call_statement':
        return { kind: 'call', call: this.#expression(node) };
      case 'blocking_assignment':
      case 'nonblocking_assignment':
      case 'operator_assignment':
      case 'inc_or_dec_expression':
      case 'variable_assignment':
      case 'procedural_continuous_assignment':
      case 'clocking_drive':
        return this.#assignment(node);
      case 'ERROR':
        return { kind: 'block', items: [], statements: this.#statementsIn(node) };
      default:
        return { kind: 'other' };
    }
  }

  readEventControl(node: Node): EventControl {
    return parseEventControl(textOf(node, this.#text), node.startIndex);
  }

  #expression(node: Node): Expression {
    return parseExpression(textOf(node, this.#text), node.startIndex);
  }

  #statementsIn(node: Node): Statement[] {
    return childrenOfType(node, ...STATEMENTS, 'ERROR').map((child) => this.read(child));
  }

  #bodyOf(node: Node): Statement {
    const body = childrenOfType(node, ...STATEMENTS).at(-1);
    return body ? this.read(body) : NULL;
  }

  #block(node: Node): Statement {
    const items = childrenOfType(node, 'block_item_declaration').flatMap((child) => this.#declarations(child));
    return { kind: 'block', items, statements: this.#statementsIn(node) };
  }

  #conditional(node: Node): Statement {
    const arms = this.#ifs.read(node);
    const promise = this.#promiseOf(node);
    // An outer `if` has to be read before those inside it, and each arm before the next.
    const bodies = arms.map(({ body }) => (body ? this.read(body) : NULL));
    return arms.reduceRight<Statement | undefined>((whenFalse, { condition, start }, index) => {
      const whenTrue = bodies[index] ?? NULL;
      if (!condition) return whenTrue;
      const statement: Statement = { kind: 'if', condition: this.#expression(condition), whenTrue, whenFalse, promise };
      return index === 0 ? statement : Object.assign(statement, { span: { start, end: arms.at(-1)?.end ?? start } });
    }, undefined) ?? NULL;
  }

  #case(node: Node): Statement {
    const selector = childOfType(node, 'case_expression');
    const branches = childrenOfType(node, 'case_item', 'case_inside_item', 'case_pattern_item').map((item): CaseBranch => {
      const labels = childrenOf(item).flatMap((child) => {
        if (child.type === 'case_item_expression') return [this.#expression(child)];
        if (child.type === 'range_list') return readerOf(textOf(child, this.#text), child.startIndex).list('');
        return [];
      });
      return { labels, body: this.#bodyOf(item) };
    });
    const keyword = childOfType(node, 'case_keyword');
    return {
      kind: 'case',
      keyword: keyword ? textOf(keyword, this.#text) : 'case',
      inside: childOfType(node, 'inside') !== undefined,
      promise: this.#promiseOf(node) ?? (FULL_CASE_COMMENT.test(this.#headOfCase(node)) ? 'synthesis' : undefined),
      selector: selector ? this.#expression(selector) : { kind: 'other', parts: [] },
      branches,
    };
  }

  /** From the keyword to the first branch. */
  #headOfCase(node: Node): string {
    const first = childOfType(node, 'case_item', 'case_inside_item', 'case_pattern_item');
    return this.#text.slice(node.startIndex, first?.startIndex ?? node.endIndex);
  }

  #promiseOf(...nodes: readonly Node[]): Promised {
    const modifier = nodes.map((node) => (node.type === 'unique_priority' ? node : childOfType(node, 'unique_priority'))).find((found) => found);
    return modifier && textOf(modifier, this.#text) !== 'unique0' ? 'language' : undefined;
  }

  #loop(node: Node): Statement {
    const keyword = (['for', 'while', 'repeat', 'forever', 'do', 'foreach'] as const).find((word) => word === node.children[0]?.type) ?? 'forever';
    const initialNode = childOfType(node, 'for_initialization');
    const stepNode = childOfType(node, 'for_step');
    const condition = childOfType(node, 'expression');
    return {
      kind: 'loop',
      keyword,
      initial: initialNode ? this.#initialisation(initialNode) : [],
      condition: condition && this.#expression(condition),
      step: stepNode ? childrenOfType(stepNode, 'operator_assignment', 'inc_or_dec_expression').map((step) => this.read(step)) : [],
      body: this.#bodyOf(node),
    };
  }

  #initialisation(node: Node): Statement[] {
    const list = childOfType(node, 'list_of_variable_assignments');
    if (list) return childrenOfType(list, 'variable_assignment').map((child) => this.read(child));
    return childrenOfType(node, 'for_variable_declaration').flatMap((declaration) => {
      const names = childrenOfType(declaration, 'simple_identifier', 'escaped_identifier');
      const values = childrenOfType(declaration, 'expression');
      return names.map((name, index): Statement => {
        const value = values[index];
        return {
          kind: 'assign',
          target: this.#expression(name),
          operator: '=',
          value: value ? this.#expression(value) : { kind: 'other', parts: [] },
        };
      });
    });
  }

  #timing(node: Node): Statement {
    const event = childOfType(node, 'event_control');
    if (event) return { kind: 'event', control: this.readEventControl(event), body: this.#bodyOf(node) };
    return { kind: 'delay', body: this.#bodyOf(node) };
  }

  #jump(node: Node): Statement {
    if (!childOfType(node, 'return')) return { kind: 'other' };
    const value = childOfType(node, 'expression');
    return { kind: 'return', value: value && this.#expression(value) };
  }

  #assignment(node: Node): Statement {
    const parts = childrenOf(node).filter((child) => child.type !== 'attribute_instance');
    const only = parts.length === 1 ? parts[0] : undefined;
    if (only) return this.read(only);
    if (node.type === 'inc_or_dec_expression') {
      const target = childOfType(node, 'variable_lvalue');
      if (!target) return { kind: 'other' };
      const operator = textOf(node, this.#text).includes('++') ? '+=' : '-=';
      return { kind: 'assign', target: this.#expression(target), operator, value: { kind: 'number', bits: 1n, unknown: 0n, width: undefined, signed: true } };
    }
    if (node.type === 'procedural_continuous_assignment') {
      const inner = childOfType(node, 'variable_assignment', 'net_assignment');
      const statement = inner && this.#assignment(inner);
      return statement?.kind === 'assign' ? { ...statement, forced: true } : { kind: 'other' };
    }
    const [target, operator] = parts;
    const value = parts.at(-1);
    if (!target || !operator || !value || parts.length < 3) return { kind: 'other' };
    return { kind: 'assign', target: this.#expression(target), operator: textOf(operator, this.#text), value: this.#expression(value) };
  }
}

/** Reads an event control as written, `@` included. `base` is the place of the text in the parsed text. */
export function parseEventControl(text: string, base?: number): EventControl {
  const reader = readerOf(text, base);
  reader.accept('@');
  if (reader.peek() === '*' || (reader.peek() === '(' && reader.peek(1) === '*')) return '*';
  const parenthesised = reader.accept('(');
  const terms: EventTerm[] = [];
  const read = (): void => {
    for (;;) {
      const edge = (['posedge', 'negedge', 'edge'] as const).find((word) => reader.accept(word));
      if (edge === undefined && reader.peek() === '(' && ['posedge', 'negedge', 'edge'].includes(reader.peek(1) ?? '')) {
        reader.accept('(');
        read();
        reader.accept(')');
      } else {
        const expression = reader.expression();
        const iff = reader.accept('iff') ? reader.expression() : undefined;
        terms.push({ edge, expression, iff });
      }
      if (!parenthesised || !(reader.accept('or') || reader.accept(','))) return;
    }
  };
  read();
  return terms;
}
