import type { Span } from '../base/text.ts';
import type { Node } from './parser.ts';

/** Children without comments, in order. */
export function childrenOf(node: Node): Node[] {
  return node.children.filter((child) => child.type !== 'comment');
}

export function childOfType(node: Node, ...types: readonly string[]): Node | undefined {
  return node.children.find((child) => types.includes(child.type));
}

export function childrenOfType(node: Node, ...types: readonly string[]): Node[] {
  return node.children.filter((child) => types.includes(child.type));
}

export function spanOf(node: Node): Span {
  return { start: node.startIndex, end: node.endIndex };
}

export function textOf(node: Node, text: string): string {
  return text.slice(node.startIndex, node.endIndex);
}

/** The name as it is compared: an escaped identifier loses its backslash. */
export function nameOf(node: Node, text: string): string {
  const written = textOf(node, text).trim();
  return written.startsWith('\\') ? written.slice(1) : written;
}

/** Design units that hold items and end in a keyword of their own. */
export const DESIGN_UNITS: ReadonlyMap<string, string> = new Map([
  ['module_declaration', 'module'],
  ['interface_declaration', 'interface'],
  ['program_declaration', 'program'],
  ['package_declaration', 'package'],
]);
