import { withinStack } from '../base/nesting.ts';
import { childOfType, childrenOf, DESIGN_UNITS, nameOf, textOf } from '../syntax/nodes.ts';
import type { Node, SyntaxTree } from '../syntax/parser.ts';
import type { SourceMap } from '../syntax/source-map.ts';
import { PortListReader, readHeaderPort, readHeaderPorts, readParameterPortList } from './declarations.ts';
import type { Locate, ReadContext } from './declarations.ts';
import { ItemReader } from './item-reader.ts';
import type { FileSummary, HeaderPort, Item, ModuleSummary, PackageSummary } from './items.ts';

/**
 * Reads what a file declares from its syntax tree. `text` is the text that the tree was parsed from; when that came out of
 * the preprocessor, `map` leads the places back to the sources. A broken tree gives what can be recognised in it.
 */
export function summarize(file: string, text: string, tree: SyntaxTree, map?: SourceMap): FileSummary {
  return summarizeWith(file, text, tree, map, (read) => read());
}

/** As `summarize`, but a module whose items are nested too deeply for the stack lacks these and counts as one with errors. */
export function summarizeWhatFits(file: string, text: string, tree: SyntaxTree, map?: SourceMap): FileSummary {
  return summarizeWith(file, text, tree, map, (read) => withinStack(read, () => undefined));
}

/** Reads an item; undefined where it is nested too deeply. */
type Attempt = (read: () => Item[]) => Item[] | undefined;

function summarizeWith(file: string, text: string, tree: SyntaxTree, map: SourceMap | undefined, attempt: Attempt): FileSummary {
  const locate: Locate = (start, end) => {
    if (!map) return { file, span: { start, end } };
    const place = map.locateSpan({ start, end });
    return { file: place.file, span: place.span };
  };
  const summarizer = new Summarizer({ text, locate }, attempt);
  summarizer.visit(tree.rootNode);
  return { file, ...summarizer.finish() };
}

type UnitKind = ModuleSummary['kind'] | 'package';

/** A design unit whose end has not been met yet. */
interface OpenUnit {
  readonly kind: UnitKind;
  readonly start: number;
  name: string;
  nameNode: Node | undefined;
  headerEnd: number;
  ansi: boolean;
  headerPorts: HeaderPort[];
  hasError: boolean;
  readonly items: Item[];
}

/**
 * Walks design units as a stream: a header opens one and a closing keyword ends it, wherever they stand. So a unit that
 * error recovery tore apart keeps its items.
 */
class Summarizer {
  readonly #context: ReadContext;
  readonly #attempt: Attempt;
  readonly #reader: ItemReader;
  readonly #open: OpenUnit[] = [];
  readonly #modules: ModuleSummary[] = [];
  readonly #packages: PackageSummary[] = [];
  readonly #primitives: string[] = [];
  readonly #items: Item[] = [];

  constructor(context: ReadContext, attempt: Attempt) {
    this.#context = context;
    this.#attempt = attempt;
    this.#reader = new ItemReader(context);
  }

  finish(): Omit<FileSummary, 'file'> {
    while (this.#open.length > 0) this.#close(this.#context.text.length, this.#context.text.length);
    return { modules: this.#modules, packages: this.#packages, primitives: this.#primitives, items: this.#items };
  }

  visit(node: Node): void {
    for (const child of childrenOf(node)) this.#visitChild(child, node);
  }

  #visitChild(child: Node, parent: Node): void {
    const unit = DESIGN_UNITS.get(child.type);
    if (unit !== undefined) {
      this.#unit(child, unit as UnitKind);
      return;
    }
    switch (child.type) {
      case 'ERROR':
        this.visit(child);
        return;
      case 'module_ansi_header':
      case 'module_nonansi_header':
      case 'interface_ansi_header':
      case 'interface_nonansi_header':
      case 'program_ansi_header':
      case 'program_nonansi_header':
        this.#header(child, parent);
        return;
      case 'udp_declaration':
        this.#primitives.push(/\bprimitive\s+([\w$]+)/.exec(textOf(child, this.#context.text))?.[1] ?? '');
        return;
      case 'endmodule':
      case 'endinterface':
      case 'endprogram':
      case 'endpackage':
        if (!child.isMissing) this.#close(child.startIndex, child.endIndex);
        return;
      default: {
        const items = this.#attempt(() => this.#reader.read(child));
        const unit = this.#open.at(-1);
        if (items) (unit?.items ?? this.#items).push(...items);
        else if (unit) unit.hasError = true;
      }
    }
  }

  #unit(node: Node, kind: UnitKind): void {
    // An unclosed unit before this one ends where this one starts, unless this one is nested in it.
    if (node.parent?.type === 'source_file') {
      while (this.#open.length > 0) this.#close(node.startIndex, node.startIndex);
    }
    const depth = this.#open.length;
    if (kind === 'package' || !node.children.some((child) => /_header$/.test(child.type))) {
      const nameNode = node.childForFieldName('name');
      this.#push(kind, node.startIndex, nameNode ?? undefined);
      const unit = this.#open.at(-1);
      if (unit) unit.headerEnd = childOfType(node, ';')?.endIndex ?? node.startIndex;
    }
    this.visit(node);
    const unit = this.#open[depth];
    if (unit) unit.hasError ||= node.hasError;
    const last = this.#modules.at(-1);
    if (!unit && last && node.hasError) this.#modules[this.#modules.length - 1] = { ...last, hasError: true };
  }

  #push(kind: UnitKind, start: number, nameNode: Node | undefined): OpenUnit {
    const name = nameNode ? nameOf(nameNode, this.#context.text) : '';
    const unit: OpenUnit = { kind, start, name, nameNode, headerEnd: start, ansi: true, headerPorts: [], hasError: false, items: [] };
    this.#open.push(unit);
    return unit;
  }

  #header(node: Node, parent: Node): void {
    if (parent.type === 'source_file' || parent.parent?.type === 'source_file') {
      while (this.#open.length > 0) this.#close(node.startIndex, node.startIndex);
    }
    const kind = (['module', 'interface', 'program'] as const).find((word) => node.type.startsWith(word)) ?? 'module';
    const unit = this.#push(kind, node.startIndex, node.childForFieldName('name') ?? undefined);
    unit.headerEnd = node.endIndex;
    for (const child of childrenOf(node)) {
      if (child.type === 'package_import_declaration') unit.items.push(...this.#reader.read(child));
      else if (child.type === 'parameter_port_list') unit.items.push(...readParameterPortList(this.#context, child));
      else if (child.type.startsWith('list_of_port') && (node.hasError || hasNamedPorts(textOf(child, this.#context.text)))) this.#brokenPortList(child, unit);
      else if (child.type === 'list_of_ports' || child.type === 'list_of_port_declarations') this.#portList(child, unit);
    }
  }

  #brokenPortList(list: Node, unit: OpenUnit): void {
    const ports = readHeaderPorts(this.#context, list.startIndex);
    if (!ports) {
      this.#portList(list, unit);
      return;
    }
    unit.ansi = false;
    unit.headerPorts = ports;
  }

  #portList(list: Node, unit: OpenUnit): void {
    const reader = new PortListReader(this.#context);
    const visit = (node: Node): void => {
      for (const child of childrenOf(node)) {
        if (child.type === 'ansi_port_declaration') reader.add(child);
        else if (child.type === 'port') reader.header.push(readHeaderPort(this.#context, child));
        else if (child.type === 'ERROR') visit(child);
      }
    };
    visit(list);
    unit.ansi = reader.declared || list.type === 'list_of_port_declarations';
    if (!reader.declared && reader.header.length > 0) unit.ansi = false;
    unit.headerPorts = reader.header;
    unit.items.push(...reader.ports);
  }

  #close(bodyEnd: number, end: number): void {
    const unit = this.#open.pop();
    if (!unit || unit.name === '' || !unit.nameNode) return;
    const { locate } = this.#context;
    const { name, items, headerEnd, start } = unit;
    const location = locate(start, end);
    if (unit.kind === 'package') {
      this.#packages.push({ name, items, location, span: { start, end } });
      return;
    }
    this.#modules.push({
      name,
      kind: unit.kind,
      ansi: unit.ansi,
      headerPorts: unit.headerPorts,
      items,
      location,
      nameLocation: locate(unit.nameNode.startIndex, unit.nameNode.endIndex),
      headerLocation: locate(start, headerEnd),
      headerEnd,
      span: { start, end },
      bodyLocation: locate(headerEnd, bodyEnd),
      hasError: unit.hasError,
    });
  }
}

/** `.name(expression)`, which the grammar does not know. */
function hasNamedPorts(list: string): boolean {
  return /[(,]\s*\.\s*[\w$]+\s*\(/.test(list);
}
