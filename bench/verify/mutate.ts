import { tokenize } from '../../server/src/syntax/tokens.ts';

export interface Mutant {
  readonly kind: string;
  readonly text: string;
}

/** Each token that has a wrong twin, with the twins and what the mistake is called. */
const TWINS: readonly { readonly kind: string; readonly from: RegExp; readonly to: (text: string) => string }[] = [
  { kind: 'operator', from: /^[-+]$/, to: (text) => (text === '+' ? '-' : '+') },
  { kind: 'operator', from: /^[&|^]$/, to: (text) => (text === '&' ? '|' : '&') },
  { kind: 'operator', from: /^(?:&&|\|\|)$/, to: (text) => (text === '&&' ? '||' : '&&') },
  { kind: 'comparison', from: /^(?:==|!=)$/, to: (text) => (text === '==' ? '!=' : '==') },
  { kind: 'comparison', from: /^[<>]$/, to: (text) => `${text}=` },
  { kind: 'shift', from: /^(?:<<|>>|>>>)$/, to: (text) => (text === '<<' ? '>>' : text === '>>' ? '<<' : '>>') },
  { kind: 'edge', from: /^(?:posedge|negedge)$/, to: (text) => (text === 'posedge' ? 'negedge' : 'posedge') },
  { kind: 'inversion', from: /^[!~]$/, to: () => ' ' },
  { kind: 'sign', from: /^signed$/, to: () => ' ' },
  { kind: 'constant', from: /^\d*'[bdh][0-9a-f_]+$/i, to: besideConstant },
];

function besideConstant(text: string): string {
  const [, size = '', base = 'd', digits = '0'] = /^(\d*)'([bdh])([0-9a-f_]+)$/i.exec(text) ?? [];
  const radix = { b: 2, d: 10, h: 16 }[base.toLowerCase()] ?? 10;
  const value = parseInt(digits.replaceAll('_', ''), radix);
  const limit = size === '' ? 2 ** 31 : 2 ** Math.min(31, Number(size));
  return `${size}'${base}${((value + 1) % limit).toString(radix)}`;
}

/** Every module with one token replaced by its wrong twin; some are equal to the original all the same. */
export function mutantsOf(text: string): Mutant[] {
  const tokens = tokenize(text);
  return tokens.flatMap(({ text: word, span }, at): Mutant[] => {
    const twin = TWINS.find(({ from }) => from.test(word));
    if (twin === undefined || tokens[at - 1]?.text === '@' || tokens[at - 1]?.text === '.') return [];
    return [{ kind: twin.kind, text: `${text.slice(0, span.start)}${twin.to(word)}${text.slice(span.end)}` }];
  });
}
