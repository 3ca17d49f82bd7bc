import type { Elaboration } from './elaborate.ts';
import { toNumber } from './constant.ts';
import type { MinedConstant } from './module.ts';

/** Values of the module's own numeric parameters. */
export function mineConstants(elaboration: Elaboration): MinedConstant[] {
  return elaboration.parameters.flatMap((parameter) => {
    const value = elaboration.scope.constant(parameter.name);
    return value && toNumber(value) >= 0n ? [{ value: value.bits, width: undefined }] : [];
  });
}
