import { childOfType, childrenOf, childrenOfType, textOf } from '../../syntax/nodes.ts';
import { IfStatements } from '../../syntax/if-statement.ts';
import type { Node } from '../../syntax/parser.ts';
import { Choices } from './choices.ts';
import { CodeDraft, IDENTIFIERS, type CodeText, type Context } from './code-draft.ts';
import type { CodeMap, Comparison, Connection, Gap, Mark } from './code-map.ts';
import { comparedIn, type Sides } from './comparisons.ts';

/** Reads the branches and the elements of some files; `mark` is the text that is put into each branch. */
export function readCode(files: readonly CodeText[], mark: Mark): CodeMap {
  const draft = new CodeDraft(mark);
  const reader = new CodeReader(draft);
  for (const file of files) reader.read(file);
  return draft;
}

class CodeReader {
  readonly #draft: CodeDraft;
  readonly #choices: Choices;
  readonly #ifs = new IfStatements();

  constructor(draft: CodeDraft) {
    this.#draft = draft;
    this.#choices = new Choices(draft);
  }

  read(file: CodeText): void {
    this.#draft.open(file);
    for (const module of file.root.descendantsOfType('module_declaration')) this.#module(module);
  }

  #module(node: Node): void {
    const header = childOfType(node, 'module_ansi_header', 'module_nonansi_header');
    const name = header === undefined ? undefined : childOfType(header, ...IDENTIFIERS);
    if (header === undefined || name === undefined) {
      this.#draft.complete = false;
      return;
    }
    const module = this.#draft.name(name);
    this.#draft.ports.set(module, header.descendantsOfType(['ansi_port_declaration', 'port']).flatMap((port) => childrenOfType(port, ...IDENTIFIERS).map((child) => this.#draft.name(child))));
    const constants = new Set(node.descendantsOfType(['param_assignment', 'genvar_initialization', 'enum_name_declaration']).flatMap((child) => childrenOfType(child, ...IDENTIFIERS).map((named) => this.#draft.name(named))));
    const context: Context = { module, branch: undefined, runs: 'settled', controls: [], watched: true, constants, values: this.#valuesIn(node) };
    for (const child of childrenOf(node)) this.#item(child, context);
  }

  #valuesIn(module: Node): Map<string, Node> {
    const values = new Map<string, Node>();
    for (const assignment of module.descendantsOfType(['net_assignment', 'net_decl_assignment'])) {
      const [target, ...rest] = childrenOf(assignment);
      const value = rest.at(-1);
      const [name, ...others] = target === undefined ? [] : this.#draft.names(target);
      if (name !== undefined && others.length === 0 && value !== undefined && textOf(assignment, this.#draft.text).trim().startsWith(name)) values.set(name, value);
    }
    return values;
  }

  #item(node: Node, context: Context): void {
    this.#draft.nextProcess();
    switch (node.type) {
      case 'continuous_assign':
        for (const assignment of node.descendantsOfType('net_assignment')) this.#assignment(assignment, context);
        this.#choices.item(node, context);
        return;
      case 'net_declaration':
        for (const declared of node.descendantsOfType('net_decl_assignment')) if (childOfType(declared, '=')) this.#assignment(declared, context);
        this.#choices.item(node, context);
        return;
      case 'always_construct':
        this.#statement(node, context);
        return;
      case 'initial_construct':
        this.#statement(node, { ...context, runs: 'once', watched: false });
        return;
      case 'function_declaration':
      case 'task_declaration':
        this.#statement(node, { ...context, watched: false });
        return;
      case 'module_instantiation':
        this.#instances(node, context);
        this.#choices.item(node, context);
        return;
      case 'gate_instantiation':
        for (const gate of childrenOf(node)) this.#gate(gate, context);
        return;
      case 'param_assignment':
      case 'enum_name_declaration':
        this.#declaration(node, context);
        return;
      case 'variable_decl_assignment':
        this.#declaration(node, { ...context, runs: 'once' });
        return;
      default:
        for (const child of childrenOf(node)) this.#item(child, context);
    }
  }

  #statement(node: Node, context: Context): void {
    switch (node.type) {
      case 'statement':
        this.#choices.statement(node, context, () => this.#parts(node, context));
        return;
      case 'conditional_statement':
        this.#conditional(node, context);
        return;
      case 'case_statement':
        this.#case(node, context);
        return;
      case 'operator_assignment':
      case 'inc_or_dec_expression':
      case 'nonblocking_assignment':
      case 'variable_assignment':
      case 'variable_decl_assignment':
        this.#assignment(node, context);
        return;
      case 'procedural_timing_control_statement':
        this.#timing(node, context);
        return;
      case 'loop_statement':
        this.#loop(node, context);
        return;
      case 'tf_call': {
        const names = this.#draft.names(node);
        this.#draft.element('assignment', node, names, names, context);
        return;
      }
      default:
        this.#parts(node, context);
    }
  }

  #parts(node: Node, context: Context): void {
    for (const child of childrenOf(node)) this.#statement(child, context);
  }

  /** A missing last `else` is a branch too. */
  #conditional(node: Node, context: Context): void {
    const draft = this.#draft;
    const arms = this.#ifs.read(node);
    const found: Sides[] = [];
    const taken: number[] = [];
    const finish = draft.decision(node, context);
    const conditions: { readonly node: Node; readonly from: number }[] = [];
    const first = draft.elements.length;
    let names = [...context.controls];
    for (const { condition, body, end } of arms) {
      if (condition !== undefined) {
        conditions.push({ node: condition, from: draft.branches.length });
        names = [...names, ...draft.names(condition)];
        found.push(...comparedIn(condition, draft, context));
      }
      const decider = conditions.at(-1)?.node;
      if (decider === undefined || body === undefined) continue;
      const text = `if (${draft.short(decider)})`;
      const arm = this.#arm(body, end, condition === undefined ? `else of ${text}` : text, condition ?? body, { ...context, controls: names });
      if (arm !== undefined) taken.push(arm);
    }
    const last = arms.at(-1);
    if (last?.condition !== undefined && last.body !== undefined) {
      const id = draft.branch(`missing else of if (${draft.short(last.condition)})`, last.condition, last.body, context);
      if (id !== undefined) {
        taken.push(id);
        draft.insert(last.end, ` else begin ${draft.mark(id)} end`);
        draft.gap({ lacks: 'else', chooser: draft.short(last.condition), labels: [], arms: taken.filter((arm) => arm !== id) }, last.condition, names, first, context, id);
      }
    }
    finish(last?.end ?? node.endIndex, found.map((sides) => ({ ...sides, branches: taken })));
    for (const { node: predicate, from } of conditions) {
      const branches = Array.from({ length: draft.branches.length - from }, (_, index) => from + index);
      draft.controlling('condition', predicate, first, { ...context, branch: undefined }, branches);
    }
  }

  #case(node: Node, context: Context): void {
    const selector = childOfType(node, 'case_expression');
    const from = this.#draft.branches.length;
    const first = this.#draft.elements.length;
    const selected = selector === undefined ? [] : this.#draft.names(selector);
    const compared: Comparison[] = [];
    const texts: string[] = [];
    const arms: number[] = [];
    let [rest, lacks]: [number | undefined, Gap['lacks']] = [undefined, 'arm'];
    const finish = this.#draft.decision(node, context);
    for (const item of childrenOfType(node, 'case_item', 'case_inside_item', 'case_pattern_item')) {
      const body = childOfType(item, 'statement_or_null');
      const labels = childrenOf(item).filter((part) => part !== body && part.type !== ':' && part.type !== ',');
      const [label] = labels;
      const end = labels.at(-1)?.endIndex;
      if (body === undefined || label === undefined || end === undefined) continue;
      const isDefault = label.type === 'default';
      const inside = this.#draft.elements.length;
      const names = isDefault ? [] : labels.flatMap((part) => this.#draft.names(part));
      const what = isDefault ? `default of case (${selector === undefined ? '' : this.#draft.short(selector)})` : `case ${this.#draft.shortText(label.startIndex, end)}`;
      const id = this.#arm(body, body.endIndex, what, label, { ...context, controls: [...context.controls, ...selected, ...names] });
      if (!isDefault && selector !== undefined && !/[xz?]/i.test(textOf(label, this.#draft.text).replace(/^.*'/, ''))) {
        compared.push({ left: textOf(selector, this.#draft.text), right: textOf(label, this.#draft.text), ordered: false, branches: id === undefined ? [] : [id] });
      }
      if (isDefault) {
        [rest, lacks] = [id, 'default'];
        continue;
      }
      this.#draft.controlling('condition', label, inside, context, id === undefined ? [] : [id]);
      texts.push(...labels.map((part) => textOf(part, this.#draft.text)));
      if (id !== undefined) arms.push(id);
    }
    if (lacks === 'arm') rest = this.#restOf(node, selector, context);
    const [comparison] = finish(node.endIndex, compared);
    const branches = Array.from({ length: this.#draft.branches.length - from }, (_, index) => from + index);
    if (selector === undefined) return;
    const place = { startIndex: node.startIndex, endIndex: (childOfType(node, ')') ?? selector).endIndex };
    if (rest !== undefined) this.#draft.gap({ lacks, chooser: this.#draft.short(selector), comparison, labels: texts, arms }, place, selected, first, context, rest);
    this.#draft.controlling('condition', selector, first, context, branches);
  }

  /** A branch for the values that no arm of a `case` names. */
  #restOf(node: Node, selector: Node | undefined, context: Context): number | undefined {
    const end = childOfType(node, 'endcase');
    if (end === undefined || selector === undefined) return undefined;
    const id = this.#draft.branch(`no arm of case (${this.#draft.short(selector)})`, selector, end, context, { kind: 'rest' });
    if (id !== undefined) this.#draft.insert(end.startIndex, `default: begin ${this.#draft.mark(id)} end `);
    return id;
  }

  #arm(body: Node, end: number, what: string, place: Node, context: Context): number | undefined {
    const id = this.#draft.branch(what, place, body, context, { kind: place.type === 'default' ? 'default' : 'arm', body: this.#draft.location(body.startIndex, end) });
    if (id === undefined) this.#statement(body, context);
    else this.#draft.around(body.startIndex, end, this.#draft.mark(id), () => this.#statement(body, { ...context, branch: id }));
    return id;
  }

  #timing(node: Node, context: Context): void {
    const event = childOfType(node, 'event_control');
    const first = this.#draft.elements.length;
    const isClocked = event !== undefined && event.descendantsOfType('edge_identifier').length > 0;
    this.#parts(node, isClocked && context.runs === 'settled' ? { ...context, runs: 'clocked' } : context);
    if (event !== undefined) this.#draft.controlling('event', event, first, context, []);
  }

  #loop(node: Node, context: Context): void {
    const body = childOfType(node, 'statement_or_null');
    const heads = childrenOf(node).filter((part) => part !== body);
    const controls = [...context.controls, ...heads.flatMap((part) => this.#draft.names(part))];
    const first = this.#draft.elements.length;
    for (const head of heads) this.#statement(head, { ...context, watched: false });
    if (body !== undefined) this.#statement(body, { ...context, controls });
    const [start] = heads;
    if (start !== undefined) this.#draft.controlling('condition', start, first, context, []);
  }

  /** An assignment in any form: what stands before the operator is its target. */
  #assignment(node: Node, context: Context): void {
    const [target, ...rest] = childrenOf(node);
    if (target === undefined) return;
    const targets = this.#draft.targets(target);
    const operator = rest[0]?.type === 'assignment_operator' ? textOf(rest[0], this.#draft.text) : '=';
    const own = operator === '=' && node.type !== 'inc_or_dec_expression' ? [] : targets;
    const value = rest.at(-1);
    const sign = node.type === 'nonblocking_assignment' ? '<=' : node.type === 'operator_assignment' && operator === '=' ? '=' : undefined;
    const fault = sign === undefined || value === undefined ? undefined : `${textOf(target, this.#draft.text)} ${sign} ~(${textOf(value, this.#draft.text)});`;
    this.#draft.element('assignment', node, targets, [...own, ...this.#draft.names(node).filter((name) => !targets.includes(name)), ...rest.flatMap((part) => this.#draft.names(part))], context, fault);
  }

  #gate(node: Node, context: Context): void {
    const names = node.descendantsOfType(['net_lvalue', 'expression']).flatMap((terminal) => this.#draft.names(terminal));
    if (names.length > 0) this.#draft.element('assignment', node, names.slice(0, 1), names.slice(1), context);
  }

  #declaration(node: Node, context: Context): void {
    if (childOfType(node, '=') === undefined) return;
    const [name] = childrenOfType(node, ...IDENTIFIERS);
    if (name !== undefined) this.#draft.element('declaration', node, [this.#draft.name(name)], this.#draft.names(node), context);
  }

  #instances(node: Node, context: Context): void {
    const [type] = childrenOfType(node, ...IDENTIFIERS);
    if (type === undefined) return;
    for (const instance of childrenOfType(node, 'hierarchical_instance')) {
      const connections: Connection[] = [];
      let wildcard = false;
      for (const [index, part] of instance.descendantsOfType(['named_port_connection', 'ordered_port_connection']).entries()) {
        const [port] = childrenOfType(part, ...IDENTIFIERS);
        const value = childOfType(part, 'expression');
        const names = value === undefined ? [] : this.#draft.names(value);
        if (part.type === 'ordered_port_connection') connections.push({ port: index, names });
        else if (port === undefined) wildcard = true;
        else connections.push({ port: this.#draft.name(port), names: value === undefined && childOfType(part, '(') === undefined ? [this.#draft.name(port)] : names });
        if (names.length > 0) this.#draft.element('connection', part, names, names, context);
      }
      this.#draft.instances.push({ module: context.module, of: this.#draft.name(type), connections, wildcard });
    }
  }
}
