import type { Expression } from '../ast.ts';
import { evaluate, sizeOf } from '../constant.ts';
import { maskOf, toNumber } from '../operators.ts';
import { coversAll } from '../latches.ts';
import type { Statement } from '../items.ts';
import type { Span } from '../../base/text.ts';
import type { Scope } from '../scope.ts';
import { trustOf } from './trust.ts';
import { bits, isLiteral, plainWidth } from './expressions.ts';
import type { Report, Rule } from './rule.ts';
import type { ModuleView } from './view.ts';

/** Selectors of more bits are not looked at. */
const MAX_WIDTH = 64;

type Case = Extract<Statement, { kind: 'case' }>;

interface Label {
  /** Its place among the labels that are known. */
  readonly index: number;
  readonly expression: Expression;
  readonly bits: bigint;
  /** Digits that match anything. */
  readonly any: bigint;
}

function labelsOf(statement: Case, scope: Scope, width: number, textOf: (span: Span) => string): Label[] {
  const found: Label[] = [];
  const mask = maskOf(width);
  for (const { labels } of statement.branches) {
    for (const expression of labels) {
      const index = found.length;
      if (expression.kind === 'number' && expression.unknown !== 0n) {
        // In a casez an x stands for itself.
        const isPattern = statement.keyword === 'casex' || (statement.keyword === 'casez' && expression.span !== undefined && !/x/i.test(textOf(expression.span)));
        if (isPattern) found.push({ index, expression, bits: expression.bits & mask, any: expression.unknown & mask });
        continue;
      }
      const value = evaluate(expression, scope, width);
      if (value) found.push({ index, expression, bits: value.bits & mask, any: 0n });
    }
  }
  return found;
}

/** Selector and items are compared in the size of the largest of them (IEEE 1800-2017, 12.5). Undefined where it is not known. */
function comparedWidth({ selector, branches }: Case, scope: Scope): number | undefined {
  let width = 0;
  for (const expression of [selector, ...branches.flatMap(({ labels }) => labels)]) {
    const size = sizeOf(expression, scope);
    if (expression.kind === 'fill') continue;
    if (!size) return undefined;
    width = Math.max(width, expression.kind === 'number' && expression.width === undefined ? expression.bits.toString(2).length : size.width);
  }
  return width;
}

interface PlainCase {
  readonly statement: Case;
  readonly scope: Scope;
  readonly isCertain: boolean;
  /** Those that are known. */
  readonly labels: readonly Label[];
}

/** Case statements whose selector is no constant, and which compare values of a known size. */
function plainCases(module: ModuleView): readonly PlainCase[] {
  return module.once(collectPlainCases);
}

function collectPlainCases(module: ModuleView): readonly PlainCase[] {
  return module.statements('case').flatMap(({ statement, scope, procedure }) => {
    const width = statement.inside || evaluate(statement.selector, scope) ? undefined : comparedWidth(statement, scope);
    return width === undefined || width > MAX_WIDTH ? [] : [{ statement, scope, isCertain: procedure.view.isCertain, labels: labelsOf(statement, scope, width, (span) => module.textOf(span)) }];
  });
}

export const duplicateCaseItem: Rule = {
  id: 'duplicate-case-item',
  followsValues: true,
  level: 'warning',
  category: 'cases',
  reason: 'A case item that an earlier one matches already is never reached.',
  verilator: ['CASEOVERLAP'],
  flagged: `case (s)
  2'd0: y = a;
  2'd0: y = b;
  default: y = c;
endcase`,
  silent: `case (s)
  2'd0: y = a;
  2'd1: y = b;
  default: y = c;
endcase`,
  check(module, report) {
    for (const { labels } of plainCases(module)) {
      /** Labels of one value, by it. */
      const plain = new Map<bigint, Label>();
      const wild: Label[] = [];
      for (const label of labels) {
        const hides = (earlier: Label): boolean => ((earlier.bits ^ label.bits) & ~earlier.any) === 0n && (label.any & ~earlier.any) === 0n;
        const [same, wider] = [label.any === 0n ? plain.get(label.bits) : undefined, wild.find(hides)];
        const earlier = same && wider ? (same.index < wider.index ? same : wider) : (same ?? wider);
        const { span } = label.expression;
        if (earlier?.expression.span && span) {
          report(span, `This case item is never reached, because ${module.textOf(earlier.expression.span)} above matches the same value; remove it or correct its value.`, {
            related: [{ span: earlier.expression.span, message: 'This item comes first.' }],
          });
        }
        if (label.any !== 0n) wild.push(label);
        else if (!same) plain.set(label.bits, label);
      }
    }
  },
};

export const overlappingCaseItem: Rule = {
  id: 'overlapping-case-item',
  level: 'off',
  category: 'cases',
  reason: 'Items of a casez that match common values make their order matter, which a reader may miss.',
  verilator: ['CASEOVERLAP'],
  flagged: `casez (s)
  2'b1?: y = a;
  2'b?1: y = b;
  default: y = c;
endcase`,
  silent: `casez (s)
  2'b1?: y = a;
  2'b01: y = b;
  default: y = c;
endcase`,
  check(module, report) {
    for (const { labels } of plainCases(module)) {
      const wild = labels.filter(({ any }) => any !== 0n);
      for (const label of labels) {
        const meets = (earlier: Label): boolean => ((earlier.bits ^ label.bits) & ~earlier.any & ~label.any) === 0n;
        const earlier = (label.any === 0n ? wild : labels).find((candidate) => candidate.index < label.index && meets(candidate));
        if (earlier?.expression.span) report(label.expression.span, `This item and ${module.textOf(earlier.expression.span)} above match common values, so that their order decides.`);
      }
    }
  },
};

export const unreachableCaseItem: Rule = {
  id: 'unreachable-case-item',
  followsValues: true,
  level: 'warning',
  category: 'cases',
  reason: 'A case item whose value needs more bits than what is compared is never reached.',
  flagged: `wire [1:0] s;
always @(*) case (s)
  4: y = a;
  default: y = b;
endcase`,
  silent: `wire [2:0] s;
always @(*) case (s)
  4: y = a;
  default: y = b;
endcase`,
  check(module, report) {
    for (const { statement, scope, isCertain } of plainCases(module)) {
      const { selector } = statement;
      if (statement.keyword === 'case') for (const label of statement.branches.flatMap(({ labels }) => labels)) tellWildcard(label, report);
      const isPlain = selector.kind === 'name' || selector.kind === 'select' || selector.kind === 'range' || selector.kind === 'concatenation' || selector.kind === 'member';
      const width = isPlain ? plainWidth(selector, scope) : undefined;
      // A selector with a sign grows by it.
      if (width === undefined || !isCertain || !selector.span || sizeOf(selector, scope)?.signed !== false) continue;
      for (const label of statement.branches.flatMap(({ labels }) => labels)) {
        const value = isLiteral(label) ? evaluate(label, scope) : undefined;
        if (!value || toNumber(value) < 0n || value.bits >> BigInt(width) === 0n) continue;
        report(label.span, `This case item is never reached, because ${module.textOf(selector.span)} has only ${bits(width)}.`);
      }
    }
  },
};

/** Digits that are not known match nothing but themselves; all of them together are an unknown value that a test bench looks for. */
function tellWildcard(label: Expression, report: Report): void {
  if (label.kind !== 'number' || label.unknown === 0n || label.width === undefined || label.unknown === maskOf(label.width)) return;
  report(label.span, "This case item matches only where the value itself is x or z, since 'case' takes x, z and ? for no other; write 'casez' and '?' for any value.");
}

export const incompleteCase: Rule = {
  id: 'incomplete-case',
  level: 'off',
  category: 'cases',
  reason: 'A case statement that neither covers every value nor has a default does nothing for the rest, which may be a forgotten case.',
  verilator: ['CASEINCOMPLETE'],
  flagged: `always @(*) begin
  y = 0;
  case (s)
    2'd0: y = a;
    2'd1: y = b;
  endcase
end`,
  silent: `always @(*)
  case (s)
    2'd0: y = a;
    default: y = b;
  endcase`,
  check(module, report) {
    for (const { statement, scope } of plainCases(module)) {
      if (!statement.span || coversAll(statement, scope, trustOf(module))) continue;
      const at = { start: statement.span.start, end: statement.span.start + statement.keyword.length };
      const end = statement.span.end - 'endcase'.length;
      report(at, "This 'case' neither covers every value nor has a 'default'; add one, or say 'unique' where the rest cannot happen.", {
        fixes: module.textOf({ start: end, end: statement.span.end }) === 'endcase' ? [{ title: "Add an empty 'default'", changes: [{ span: { start: end, end }, text: 'default: ;\n' }] }] : [],
      });
    }
  },
};

export const casexUsed: Rule = {
  id: 'casex',
  level: 'hint',
  category: 'cases',
  reason: 'casex takes an unknown selector for a match, which hides an uninitialized signal; casez does not.',
  verilator: ['CASEX'],
  flagged: `casex (s)
  2'b1x: y = a;
  default: y = b;
endcase`,
  silent: `casez (s)
  2'b1?: y = a;
  default: y = b;
endcase`,
  check(module, report) {
    for (const { statement } of module.statements('case')) {
      if (statement.keyword !== 'casex' || !statement.span) continue;
      report({ start: statement.span.start, end: statement.span.start + 5 }, "'casex' takes x in its selector for a match; 'casez' with '?' digits does not.");
    }
  },
};

export const repeatedCondition: Rule = {
  id: 'repeated-condition',
  level: 'warning',
  category: 'cases',
  reason: 'A condition that was tested before in the same chain of else if is never true again.',
  flagged: `if (a) y = b;
else if (a) y = c;
else y = d;`,
  silent: `if (a) y = b;
else if (b) y = c;
else y = d;`,
  check(module, report) {
    const inner = new Set<Statement>();
    for (const { statement } of module.statements('if')) {
      if (statement.whenFalse?.kind !== 'if' || inner.has(statement)) continue;
      const seen = new Map<string, Expression>();
      for (let decision: Statement | undefined = statement; decision?.kind === 'if'; decision = decision.whenFalse) {
        inner.add(decision);
        const { condition } = decision;
        const text = condition.span && module.textOf(condition.span).replace(/\s+/g, '');
        if (text === undefined || text.includes('$')) continue;
        if (seen.has(text)) report(condition.span, 'This condition was tested above in the same chain, so that the branch is never taken; correct it or remove the branch.');
        else seen.set(text, condition);
      }
    }
  },
};

export const constantCondition: Rule = {
  id: 'constant-condition',
  level: 'hint',
  category: 'cases',
  reason: 'A condition of literals only always goes the same way, so that the other branch is dead.',
  flagged: `always @(*) if (1'b0) y = a; else y = b;`,
  silent: `always @(*) if (ENABLE) y = a; else y = b;`,
  check(module, report) {
    const conditions = [
      ...module.statements('if').map(({ statement, scope }) => ({ condition: statement.condition, scope })),
      ...module.expressions('conditional').map(({ expression, scope }) => ({ condition: expression.condition, scope })),
    ];
    for (const { condition, scope } of conditions) {
      const value = isLiteral(condition) ? evaluate(condition, scope) : undefined;
      if (value) report(condition.span, `This condition is always ${String(value.bits !== 0n)}, so that the other branch is dead.`);
    }
  },
};
