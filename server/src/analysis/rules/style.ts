import type { Rule } from './rule.ts';
import type { ModuleView } from './view.ts';

/** A module that describes hardware: it has ports and processes or assignments, and none of the marks of a test bench. */
function isDesign(module: ModuleView): boolean {
  const { summary } = module;
  if (summary?.kind !== 'module' || summary.headerPorts.length === 0) return false;
  if (/(?:^|_)(?:tb|test|testbench|bench|sim|model|bfm|stim|stimulus|monitor|checker)(?:_|\d*$)/i.test(summary.name)) return false;
  const calls = module.statements('call').some(({ statement }) => statement.call.kind === 'call' && /^\$(?:display|write|monitor|finish|stop|dump|f)/.test(statement.call.name));
  return !calls && module.procedures.some(({ kind }) => kind === 'clocked' || kind === 'combinational');
}

export const notSynthesizable: Rule = {
  id: 'not-synthesizable',
  level: 'information',
  category: 'style',
  reason: 'Delays, waits, forces and forks are simulated but not synthesized, so that hardware does something else.',
  verilator: ['STMTDLY', 'WAITCONST', 'FORK'],
  flagged: `always @(posedge clk) begin
  #5 q <= d;
end`,
  silent: `always @(posedge clk) q <= #1 d;`,
  check(module, report) {
    if (!isDesign(module)) return;
    for (const { statement, procedure } of module.procedures.flatMap(({ statements }) => statements)) {
      const { span, kind } = statement;
      if (kind !== 'delay' && kind !== 'wait' && kind !== 'block' && kind !== 'other' && !(kind === 'assign' && statement.forced === true)) continue;
      if (!span || procedure.kind === 'initial' || procedure.kind === 'subroutine') continue;
      const [, word = ''] = /^(#|\w+)/.exec(module.textOf({ start: span.start, end: Math.min(span.end, span.start + 12) })) ?? [];
      const what = statement.kind === 'delay' && word === '#' ? 'A delay' : ['wait', 'force', 'release', 'fork'].includes(word) && isWhole(statement.kind, word) ? `'${word}'` : undefined;
      if (what !== undefined) report({ start: span.start, end: span.start + word.length }, `${what} is not synthesized; hardware will do without it. Move it to a test bench, or describe it with clocked logic.`);
    }
  },
};

function isWhole(kind: string, word: string): boolean {
  return word === 'wait' ? kind === 'wait' : word === 'fork' ? kind === 'block' : kind === 'assign' || kind === 'other';
}

export const initialInDesign: Rule = {
  id: 'initial-in-design',
  level: 'off',
  category: 'style',
  reason: 'An initial process sets registers at power-on of an FPGA only; an ASIC needs a reset.',
  flagged: `initial q = 0;
always @(posedge clk) q <= d;`,
  silent: `always @(posedge clk)
  if (rst) q <= 0; else q <= d;`,
  check(module, report) {
    if (!isDesign(module)) return;
    for (const { kind, span } of module.procedures) if (kind === 'initial' && span) report({ start: span.start, end: span.start + 7 }, "An 'initial' process works at power-on of an FPGA only; use a reset where an ASIC is meant.");
  },
};

export const missingDefaultNettype: Rule = {
  id: 'missing-default-nettype',
  level: 'off',
  category: 'style',
  reason: 'Without `default_nettype none a misspelt name makes a net of its own.',
  flagged: `module m(input a, output y); assign y = a; endmodule`,
  silent: `\`default_nettype none
module m(input wire a, output wire y); assign y = a; endmodule`,
  check(module, report) {
    const { file, summary } = module;
    if (!summary || file.summary.modules[0] !== summary || /`default_nettype\b/.test(file.text)) return;
    const { start } = summary.location.span;
    const at = file.map.fromRoot(summary.nameLocation.span.start);
    report({ start: at, end: at + summary.name.length }, "The file does not say '`default_nettype none', so that a misspelt name makes a net of its own; say it before the first module.", {
      fixes: [{ title: "Say '`default_nettype none' first", changes: [{ span: { start: file.map.fromRoot(start), end: file.map.fromRoot(start) }, text: '`default_nettype none\n' }] }],
    });
  },
};

export const assignmentInCondition: Rule = {
  id: 'assignment-in-condition',
  level: 'warning',
  category: 'cases',
  reason: 'An assignment where a comparison was meant changes the variable and tests its new value.',
  flagged: `always @(*) if ((a = b)) y = c; else y = d;`,
  silent: `always @(*) if ((a == b)) y = c; else y = d;`,
  check(module, report) {
    for (const { statement } of module.statements('if')) {
      if (!statement.span || !statement.whenTrue.span) continue;
      const start = statement.span.start;
      const text = module.textOf({ start, end: statement.whenTrue.span.start }).replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\[\s\S])*"/g, (skipped) => ' '.repeat(skipped.length));
      const at = /[^=!<>+\-*/%&|^]=(?![=?])/.exec(text);
      if (!at) continue;
      const place = { start: start + at.index + 1, end: start + at.index + 2 };
      report(place, "This '=' assigns; write '==' to compare.", { fixes: [{ title: "Change '=' to '=='", changes: [{ span: place, text: '==' }] }] });
    }
  },
};

