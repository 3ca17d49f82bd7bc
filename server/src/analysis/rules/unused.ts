import type { Declaration, Use } from '../names/model.ts';
import type { Rule } from './rule.ts';
import { signalsOf } from './signals.ts';
import { isOpaque, scopesIn, usagesIn } from './usage.ts';
import type { Usage } from './usage.ts';
import type { ModuleView } from './view.ts';

const BIT_TYPE = /^(?:wire|reg|logic|bit|integer|int|tri|var|\[|signed|unsigned|$)/;

/** Declarations directly in the module or one of its generate blocks, where everything that uses them can be seen. */
function moduleUsages(module: ModuleView): readonly Usage[] {
  return module.once(collectModuleUsages);
}

function collectModuleUsages(module: ModuleView): readonly Usage[] {
  const { file, summary } = module;
  if (summary?.kind !== 'module' || isOpaque(module)) return [];
  const connectsAll = module.items.some(({ item }) => item.kind === 'instance' && item.wildcard);
  if (connectsAll || /(?:^|\s)bind\s/.test(module.extent ? module.textOf(module.extent) : '')) return [];
  return usagesIn(module).filter(({ declaration }) => {
    const kind = file.names.scopes[declaration.scope]?.kind;
    return (kind === 'module' || kind === 'generate') && !declaration.hidden;
  });
}

/** Queues, dynamic and associative arrays are filled by methods. */
const DYNAMIC = /\[\s*(?:\]|\$|\*|int\b|integer\b|string\b|byte\b|logic\b|bit\b)/;

/** A module without a body is a black box, which something else stands in for. */
function drivesAnything(module: ModuleView): boolean {
  return signalsOf(module).all.some(({ drivers, mayBeDrivenElsewhere }) => drivers.length > 0 || mayBeDrivenElsewhere);
}

function isBits({ typeText, type }: Declaration): boolean {
  return type === undefined && BIT_TYPE.test(typeText.replace(/^(?:input|output|inout)\s*/, ''));
}

export const undriven: Rule = {
  id: 'undriven',
  level: 'warning',
  category: 'drivers',
  reason: 'A signal that is read but never driven is z or x.',
  verilator: ['UNDRIVEN'],
  flagged: `wire en;
always @(posedge clk) if (en) q <= d;`,
  silent: `wire en = a & b;
always @(posedge clk) if (en) q <= d;`,
  check(module, report) {
    if (!drivesAnything(module)) return;
    for (const { declaration, uses, isRead, isWritten, isUncertain } of moduleUsages(module)) {
      const { kind, name, direction, span, valueText } = declaration;
      if (isWritten || isUncertain || valueText !== undefined || declaration.implicit) continue;
      const isOutput = kind === 'port' && direction === 'output';
      const isReadInside = (kind === 'net' || kind === 'variable') && isRead;
      if (!(isOutput || isReadInside) || !isBits(declaration)) continue;
      if (/^(?:supply|tri[01]|trireg)/.test(declaration.typeText) || DYNAMIC.test(declaration.dimensionsText) || isDrivenByTool(declaration, module) || uses.some((use) => isAssumed(use, module))) continue;
      report(span, isOutput ? `Output ${name} is never driven; assign it.` : `${name} is read but never driven; assign it, or remove it.`);
    }
  },
};

/** What a formal tool chooses by an attribute, or a test bench in C++ sets by a comment. */
function isDrivenByTool({ span }: Declaration, module: ModuleView): boolean {
  const before = module.textBefore(span.start, 400);
  const behind = module.textOf({ start: span.end, end: span.end + 120 });
  const attributes = before.slice(before.lastIndexOf(';') + 1);
  return /\(\*[^;]*\b(?:any|all)(?:const|seq)\b|\(\*[^;]*\bgclk\b|\brand\b/.test(attributes) || /^[^;,\n]*\bverilator\s+public/.test(behind);
}

/** A formal tool chooses any value that the assumptions about it allow. */
function isAssumed({ span }: Use, module: ModuleView): boolean {
  return /\bassume\b[^;]*$/.test(module.textBefore(span.start, 400));
}

export const unused: Rule = {
  id: 'unused',
  level: 'hint',
  category: 'names',
  reason: 'What is declared but never used may be left over, or its use may be misspelt.',
  verilator: ['UNUSED', 'UNUSEDSIGNAL', 'UNUSEDPARAM', 'UNUSEDGENVAR'],
  flagged: `wire left_over;
assign y = a;`,
  silent: `wire used = a;
assign y = used;`,
  check(module, report) {
    for (const usage of moduleUsages(module)) {
      const { declaration, uses, isRead, isAsked, isUncertain } = usage;
      const { kind, name, span } = declaration;
      if (declaration.implicit || name === 'new' || /^(?:unused|_)/.test(name)) continue;
      const isValue = kind === 'net' || kind === 'variable' || kind === 'parameter' || kind === 'genvar' || kind === 'function' || kind === 'task';
      if (!isValue || (kind === 'parameter' && !declaration.local && declaration.valueText === undefined)) continue;
      if (uses.length === 0) report(span, `${name} is never used; remove it, or use it where it was meant.`, { unnecessary: true });
      else if (!isRead && !isAsked && !isUncertain && (kind === 'net' || kind === 'variable')) report(span, `${name} is assigned but never read; remove it, or read it where it was meant.`, { unnecessary: true });
    }
  },
};

export const unreadInput: Rule = {
  id: 'unread-input',
  level: 'off',
  category: 'names',
  reason: 'An input that the module never reads is left over, or its use is misspelt.',
  verilator: ['UNUSED', 'UNUSEDSIGNAL'],
  flagged: `module m(input a, b, output y);
assign y = a;
endmodule`,
  silent: `module m(input a, b, output y);
assign y = a & b;
endmodule`,
  check(module, report) {
    if (!drivesAnything(module)) return;
    for (const { declaration, isRead, isAsked, isUncertain } of moduleUsages(module)) {
      const { kind, name, direction, span } = declaration;
      if (kind !== 'port' || direction !== 'input' || isRead || isAsked || isUncertain || /^(?:unused|_)|_(?:unused|nc)$/.test(name)) continue;
      report(span, `Input ${name} is never read; remove it, or read it where it was meant.`, { unnecessary: true });
    }
  },
};

export const duplicateDeclaration: Rule = {
  id: 'duplicate-declaration',
  level: 'error',
  category: 'names',
  reason: 'A name that one scope declares twice does not compile.',
  flagged: `wire a1;
wire a1;`,
  silent: `wire a1;
wire a2;`,
  check(module, report) {
    const { names } = module.file;
    for (const scope of scopesIn(module)) {
      for (const indexes of scope.names.values()) {
        if (indexes.length < 2) continue;
        const declared = indexes.flatMap((index) => names.declarations[index] ?? []).filter(({ implicit, hidden, typeText }) => !implicit && !hidden && typeText !== 'alias');
        const [first, ...others] = declared;
        // Blocks of one name may stand in branches of which one is taken.
        if (!first || (scope.kind !== 'module' && declared.some(({ kind }) => kind === 'block' || kind === 'instance'))) continue;
        if (declared.some(({ kind, direction }) => kind === 'block' || (kind === 'port' && direction === undefined))) continue;
        for (const other of others) {
          report(other.span, `${first.name} is declared twice in this scope; rename one of them or remove it.`, { related: [{ span: first.span, message: `${first.name} is declared here first.` }] });
        }
      }
    }
  },
};
