import { blockingInClocked, clockedRace } from './blocking-in-clocked.ts';
import { casexUsed, constantCondition, duplicateCaseItem, incompleteCase, overlappingCaseItem, repeatedCondition, unreachableCaseItem } from './cases.ts';
import { missingPort, portWidth, repeatedParameter, repeatedPort, unknownModule, unknownParameter, unknownPort } from './connections.ts';
import { constantComparison, indexOutOfRange, signedArithmetic, signedCompare, truncatedConstant, unknownCompare, unsizedInConcatenation } from './constants.ts';
import { assignedInput, assignedNet, clockAsData, combinationalLoop, multipleDrivers, resetAsData } from './drivers.ts';
import { alwaysWithoutControl, mixedEdges, registerWithoutReset, resetPolarity, unusedEdge } from './events.ts';
import { inferredLatch, plainLatch } from './inferred-latch.ts';
import { mixedAssignment } from './mixed-assignment.ts';
import { nonblockingInCombinational, staleRead } from './nonblocking-in-combinational.ts';
import type { Rule } from './rule.ts';
import { incompleteSensitivity } from './sensitivity.ts';
import { assignmentInCondition, initialInDesign, missingDefaultNettype, notSynthesizable } from './style.ts';
import { undrivenBits } from './undriven-bits.ts';
import { duplicateDeclaration, undriven, unreadInput, unused } from './unused.ts';
import { implicitNet, undeclaredName, unknownMember } from './undeclared.ts';
import { widthTruncation } from './width-truncation.ts';

/** All rules, in the order of their page. */
export const rules: readonly Rule[] = [
  undeclaredName, implicitNet, unknownMember, duplicateDeclaration, unused, unreadInput,
  unknownModule, unknownPort, repeatedPort, missingPort, unknownParameter, repeatedParameter, portWidth,
  widthTruncation, truncatedConstant, indexOutOfRange, unsizedInConcatenation, signedCompare, signedArithmetic, constantComparison, unknownCompare,
  multipleDrivers, undriven, undrivenBits, assignedInput, assignedNet, combinationalLoop, clockAsData, resetAsData,
  inferredLatch, plainLatch, incompleteSensitivity, clockedRace, blockingInClocked, nonblockingInCombinational, staleRead, mixedAssignment,
  mixedEdges, resetPolarity, unusedEdge, registerWithoutReset, alwaysWithoutControl,
  duplicateCaseItem, unreachableCaseItem, overlappingCaseItem, incompleteCase, casexUsed, repeatedCondition, constantCondition, assignmentInCondition,
  notSynthesizable, initialInDesign, missingDefaultNettype,
];
