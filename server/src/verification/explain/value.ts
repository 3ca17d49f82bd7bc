import { known, numberOf, type Moment, type Pattern, type View } from './view.ts';
import { portText } from '../trace.ts';
import { literal } from '../value-text.ts';

/** Known samples that a pattern needs at least, and different values among them. */
const LEAST_SAMPLES = 8;
const LEAST_VALUES = 3;
/** How often the golden has to change, so that what always holds is no chance. */
const LEAST_CHANGES = 4;

/** The two differ in nothing but which of them drives, or what is known. */
export function undrivenPattern({ moments, output }: View): Pattern | undefined {
  const differing = moments.filter(({ differs }) => differs);
  const kinds = new Set(differing.flatMap(({ expected, actual }) => Array.from(expected, (bit, at) => conflictOf(bit, actual[at] ?? ''))));
  if (differing.length === 0 || kinds.has('values')) return undefined;
  const name = `'${output.port}'`;
  if (kinds.has('driven')) {
    // Where both drive an inout, the one against the other makes it unknown.
    if (kinds.has('unknown') && !output.inout) return undefined;
    const when = kinds.has('released') ? 'is driven at other moments than expected, and undriven (z) at others.' : 'is driven where it should be left undriven (z).';
    return { id: 'three-state', text: `${name} ${when}` };
  }
  const comparable = moments.filter(({ expected }) => /[01]/.test(expected));
  if (comparable.every(({ actual }) => !/[01]/.test(actual))) return { id: 'unknown', text: `${name} is never driven to a known value.` };
  const found = kinds.has('unknown') && kinds.has('released') ? 'unknown (x) or undriven (z)' : kinds.has('unknown') ? 'unknown (x)' : 'undriven (z)';
  return { id: 'unknown', text: `${name} is ${found} where a value is expected.` };
}

/** How a bit of the DUT contradicts the golden's, if it does. */
function conflictOf(expected: string, actual: string): 'values' | 'driven' | 'released' | 'unknown' | 'none' {
  if (expected === actual || expected === 'x') return 'none';
  if (expected === 'z') return 'driven';
  return actual === 'z' ? 'released' : actual === 'x' ? 'unknown' : 'values';
}

/** Never changing. */
export function constantPattern({ moments, output }: View): Pattern | undefined {
  const pairs = moments.filter((moment) => moment.known);
  const actuals = new Set(pairs.map(({ actual }) => actual));
  const [value] = actuals;
  if (changesOf(pairs) < LEAST_CHANGES || actuals.size !== 1 || value === undefined) return undefined;
  return { id: 'stuck', text: `'${output.port}' never leaves the value ${literal(value)}.` };
}

function changesOf(pairs: readonly Moment[]): number {
  return pairs.filter(({ expected }, index) => index > 0 && expected !== pairs[index - 1]?.expected).length;
}

/** The bits are right, but inverted or in another order. */
export function bitPattern(view: View): Pattern | undefined {
  const { output } = view;
  const pairs = known(view);
  if (changesOf(pairs) < LEAST_CHANGES) return undefined;
  const fits = (change: (bits: string) => string): boolean => pairs.every(({ expected, actual }) => actual === change(expected));
  if (fits((bits) => bits.replace(/[01]/g, (bit) => (bit === '0' ? '1' : '0')))) return { id: 'inverted', text: `'${output.port}' is always the inverse of what is expected.` };
  const telling = pairs.filter(({ expected, actual }) => expected !== actual).length >= LEAST_VALUES;
  if (output.width < 2 || !telling || pairs.length < LEAST_SAMPLES) return undefined;
  if (fits((bits) => Array.from(bits).reverse().join(''))) return { id: 'bit-order', text: `'${output.port}' has its bits in reversed order.` };
  if (output.width > 8 && output.width % 8 === 0 && fits((bits) => (bits.match(/.{8}/g) ?? []).reverse().join(''))) {
    return { id: 'byte-order', text: `'${output.port}' has its bytes in reversed order.` };
  }
  const half = output.width / 2;
  if (output.width > 2 && Number.isInteger(half) && fits((bits) => bits.slice(half) + bits.slice(0, half))) return { id: 'halves', text: `The upper and the lower half of '${output.port}' are exchanged.` };
  return swappedBits(view);
}

/** Two bits of the output stand in each other's place. */
function swappedBits(view: View): Pattern | undefined {
  const { output } = view;
  const pairs = known(view);
  const places = new Set<number>();
  for (const { expected, actual } of pairs) for (let at = 0; at < output.width; at++) if (expected[at] !== actual[at]) places.add(at);
  const [first, second] = places;
  if (places.size !== 2 || first === undefined || second === undefined) return undefined;
  if (!pairs.every(({ expected, actual }) => expected[first] === actual[second] && expected[second] === actual[first])) return undefined;
  const varied = (at: number): boolean => new Set(pairs.map(({ expected }) => expected[at])).size === 2;
  if (!varied(first) || !varied(second)) return undefined;
  return { id: 'swapped-bits', text: `Bits ${String(output.width - 1 - second)} and ${String(output.width - 1 - first)} of '${output.port}' are exchanged.` };
}

/** Another output of the same width carries what is expected here, and the other way round. */
export function swappedPortsPattern(view: View): Pattern | undefined {
  const { exchange, output, moments } = view;
  const { golden, dut, layout } = exchange;
  const fits = layout.observed.filter((other) => {
    if (other.port === output.port || other.width !== output.width) return false;
    let telling = 0;
    const same = moments.every(({ sample }) => {
      const texts = [portText(golden, sample, output), portText(dut, sample, other), portText(golden, sample, other), portText(dut, sample, output)] as const;
      if (texts.some((text) => /[xz]/.test(text))) return true;
      if (texts[0] !== texts[2]) telling++;
      return texts[0] === texts[1] && texts[2] === texts[3];
    });
    return same && telling >= LEAST_VALUES;
  });
  const [other] = fits;
  return fits.length !== 1 || other === undefined ? undefined : { id: 'swapped-ports', text: `'${output.port}' and '${other.port}' are exchanged.` };
}

/** The lower bits are right; the upper ones are those of another extension, or lost. */
export function extensionPattern(view: View): Pattern | undefined {
  const { output } = view;
  const { width, port } = output;
  const pairs = known(view);
  if (width < 2 || pairs.length < LEAST_SAMPLES || new Set(pairs.map(({ expected }) => expected)).size < LEAST_VALUES) return undefined;
  let right = width;
  for (const { expected, actual } of pairs) {
    let equal = 0;
    while (equal < right && expected[width - 1 - equal] === actual[width - 1 - equal]) equal++;
    right = equal;
  }
  if (right === 0 || right === width) return undefined;
  const upper = (bits: string): string => bits.slice(0, width - right);
  const sign = (bits: string): string => (bits[width - right] ?? '0').repeat(width - right);
  const isZero = (bits: string): boolean => !upper(bits).includes('1');
  const isSigned = (bits: string): boolean => upper(bits) === sign(bits);
  const telling = new Set(pairs.filter(({ expected, actual }) => expected !== actual).map(({ expected }) => expected)).size >= 2;
  if (!telling || !pairs.some(({ expected }) => isZero(expected))) return undefined;
  if (pairs.every(({ expected, actual }) => isSigned(expected) && isZero(actual))) {
    return { id: 'sign', text: `'${port}' is extended with zeros above bit ${String(right - 1)}, where the sign is expected: signedness is lost.` };
  }
  if (pairs.every(({ expected, actual }) => isZero(expected) && isSigned(actual))) {
    return { id: 'sign', text: `'${port}' is extended with the sign above bit ${String(right - 1)}, where zeros are expected.` };
  }
  if (pairs.every(({ actual }) => isZero(actual)) && new Set(pairs.map(({ expected }) => upper(expected))).size > 1) {
    return { id: 'width', text: width - right === 1 ? `Bit ${String(right)} of '${port}', its highest, is lost: it is always 0.` : `The upper ${String(width - right)} bits of '${port}' are lost: they are always 0.` };
  }
  return undefined;
}

/** Wherever the values differ, they differ in the same single bit. */
export function singleBitPattern(view: View): Pattern | undefined {
  const { output } = view;
  const differing = known(view).filter(({ differs }) => differs);
  const values = new Set(differing.map(({ expected }) => expected));
  if (output.width < 2 || values.size < LEAST_VALUES) return undefined;
  const places = new Set(differing.flatMap(({ expected, actual }) => Array.from(expected, (bit, at) => (bit === actual[at] ? -1 : at)).filter((at) => at >= 0)));
  const [at] = places;
  if (places.size !== 1 || at === undefined) return undefined;
  const wanted = new Set(differing.map(({ expected }) => expected[at]));
  const how = wanted.size === 2 ? '' : wanted.has('0') ? ', which is 1 where 0 is expected' : ', which is 0 where 1 is expected';
  return { id: 'bit', text: `'${output.port}' differs in its bit ${String(output.width - 1 - at)} alone${how}.` };
}

/** Wherever the values differ, they differ by the same amount. */
export function arithmeticPattern(view: View): Pattern | undefined {
  const { output } = view;
  const differing = known(view).filter(({ differs }) => differs);
  if (output.width < 2 || differing.length < 4) return undefined;
  const modulus = 1n << BigInt(output.width);
  const offsets = new Set(differing.map(({ expected, actual }) => (numberOf(actual) - numberOf(expected) + modulus) % modulus));
  const [offset] = offsets;
  if (offsets.size !== 1 || offset === undefined || new Set(differing.map(({ expected }) => expected)).size < 2) return undefined;
  const signed = offset > modulus / 2n ? offset - modulus : offset;
  const amount = signed > 0n ? signed : -signed;
  const text = `Where '${output.port}' differs it is always ${String(amount)} ${signed > 0n ? 'more' : 'less'} than expected.`;
  return { id: amount === 1n ? 'off-by-one' : 'offset', text };
}
