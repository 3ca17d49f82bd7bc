/** Proofs about texts: both sides are modules with the name `m`. */
import assert from 'node:assert/strict';
import { memoryFiles } from '../../server/src/base/files.ts';
import { findExecutable } from '../../server/src/base/process.ts';
import { createEmbeddedYosys, createNativeYosys, findEmbeddedYosys, type Yosys } from '../../server/src/tools/yosys.ts';
import { prove } from '../../server/src/verification/proof/prove.ts';
import type { ProofRequest } from '../../server/src/verification/proof/request.ts';
import type { ProofResult } from '../../server/src/verification/proof/result.ts';

export const program = findExecutable('yosys');
const embeddedPlace = findEmbeddedYosys();
assert.ok(embeddedPlace !== undefined);
export const embedded = createEmbeddedYosys(embeddedPlace, 'test');
export const yosys: Yosys = program === undefined ? embedded : createNativeYosys(program, 'test');

export interface Options {
  readonly ports?: string;
  readonly dutDefines?: Record<string, string>;
  readonly dutParameters?: Record<string, string>;
  readonly files?: Record<string, string>;
  readonly request?: Partial<ProofRequest>;
}

/** Ports are given as in a header: `input a, b, output y`. */
function readPorts(text: string): ProofRequest['ports'] {
  let direction: 'input' | 'output' | 'inout' = 'input';
  return text.split(/[\s,]+/).flatMap((word) => {
    if (word !== 'input' && word !== 'output' && word !== 'inout') return [{ name: word, direction }];
    direction = word;
    return [];
  });
}

export function proveTexts(golden: string, dut: string, options: Options = {}): Promise<ProofResult> {
  const side = (file: string, text: string) => ({
    top: 'm',
    sources: [{ file, text }],
    includeDirs: ['/inc'],
    defines: {},
    parameters: {},
  });
  return prove({
    golden: side('/w/golden.v', golden),
    dut: { ...side('/w/dut.v', dut), defines: options.dutDefines ?? {}, parameters: options.dutParameters ?? {} },
    ports: readPorts(options.ports ?? 'input clk rst d output q'),
    timeoutMs: 30_000,
    yosys,
    files: memoryFiles(new Map(Object.entries(options.files ?? {}))),
    ...options.request,
  });
}

export async function check(golden: string, dut: string, expected: ProofResult['kind'], options: Options = {}): Promise<ProofResult> {
  const result = await proveTexts(golden, dut, options);
  assert.equal(result.kind, expected, JSON.stringify(result));
  return result;
}

export async function counterexample(golden: string, dut: string, options: Options = {}) {
  const result = await proveTexts(golden, dut, options);
  assert.ok(result.kind === 'counterexample', JSON.stringify(result));
  return result;
}
