import type { Expression } from '../ast.ts';
import { evaluate } from '../constant.ts';
import { classifyBlock, levelTests, signalKey } from '../event-block.ts';
import type { EventTerm, Statement } from '../items.ts';
import type { Scope } from '../scope.ts';
import { baseNameOf, forEachStatement, namesAssigned, namesRead } from '../walk.ts';
import { listNames } from './assignments.ts';
import type { Rule } from './rule.ts';
import type { ModuleView } from './view.ts';

export const mixedEdges: Rule = {
  id: 'mixed-edges',
  level: 'warning',
  category: 'processes',
  reason: 'An event list with an edge of one signal and any change of another is neither a register nor combinational logic.',
  flagged: `always @(posedge clk or rst) q <= d;`,
  silent: `always @(posedge clk or posedge rst)
  if (rst) q <= 0; else q <= d;`,
  check(module, report) {
    for (const { kind, control, statements } of module.procedures) {
      if (kind !== 'mixed' || control === undefined || control === '*') continue;
      // A model of a cell that looks at its clock itself.
      if (statements.every(({ statement }) => statement.kind !== 'assign' || statement.operator !== '<=')) continue;
      const level = control.find((term) => term.edge === undefined);
      const { span } = level?.expression ?? {};
      if (!span) continue;
      const name = module.textOf(span);
      report(span, `${name} has no edge while another signal of this list has one; write 'posedge ${name}' or 'negedge ${name}'.`);
    }
  },
};

/** All that it assigns are constants, as a reset does. */
function setsConstants(statement: Statement, scope: Scope): boolean {
  const values: Expression[] = [];
  forEachStatement(statement, (inner) => {
    if (inner.kind === 'assign') values.push(inner.value);
  });
  return values.length > 0 && values.every((value) => value.kind === 'fill' || evaluate(value, scope) !== undefined);
}

/** The first decision of a process. */
function firstIf(statement: Statement): Extract<Statement, { kind: 'if' }> | undefined {
  if (statement.kind === 'if') return statement;
  return statement.kind === 'block' && statement.statements[0] ? firstIf(statement.statements[0]) : undefined;
}


export const resetPolarity: Rule = {
  id: 'reset-polarity',
  level: 'warning',
  category: 'processes',
  reason: 'An asynchronous reset that is tested for the level opposite to its edge holds the registers in reset, or never resets them.',
  flagged: `always @(posedge clk or negedge rst_n)
  if (rst_n) q <= 0; else q <= d;`,
  silent: `always @(posedge clk or negedge rst_n)
  if (!rst_n) q <= 0; else q <= d;`,
  check(module, report) {
    for (const procedure of module.procedures) {
      const { kind, control, scope, body } = procedure;
      if (kind !== 'clocked' || control === undefined || control === '*' || control.length < 2) continue;
      const decision = firstIf(body);
      if (!decision?.whenFalse) continue;
      const tests = levelTests(decision.condition, scope);
      const [test] = tests;
      const key = test && signalKey(test.signal, scope);
      const terms = control.filter((term) => key !== undefined && signalKey(term.expression, scope) === key);
      const [term] = terms;
      // Both edges of one signal, or a test of several levels, is something else than a reset.
      if (tests.length !== 1 || !test || !term || terms.length !== 1) continue;
      const wanted = term.edge === 'negedge' ? 'low' : 'high';
      // The reset may stand behind `else`.
      if (test.active === wanted || (setsConstants(decision.whenFalse, scope) && !setsConstants(decision.whenTrue, scope))) continue;
      const name = key ?? '';
      const { span } = decision.condition;
      report(span, `${name} is tested for being ${test.active}, but the process wakes on its ${term.edge ?? ''}, where it is ${wanted}; test '${wanted === 'low' ? '!' : ''}${name}' or change the edge.`, {
        fixes: span ? [{ title: `Test '${wanted === 'low' ? '!' : ''}${name}'`, changes: [{ span, text: `${wanted === 'low' ? '!' : ''}${name}` }] }] : [],
      });
    }
  },
};

export const unusedEdge: Rule = {
  id: 'untested-edge',
  level: 'warning',
  category: 'processes',
  reason: 'A register with two edges in its event list has to test one of the signals first; otherwise both are clocks, which no flip-flop has.',
  flagged: `always @(posedge clk or negedge rst_n) q <= d;`,
  silent: `always @(posedge clk or negedge rst_n)
  if (!rst_n) q <= 0; else q <= d;`,
  check(module, report) {
    for (const procedure of module.procedures) {
      const { kind, control, scope, body } = procedure;
      if (kind !== 'clocked' || control === undefined || control === '*' || control.length !== 2) continue;
      if (new Set(control.map(({ expression }) => baseNameOf(expression))).size < 2) continue;
      const read = new Set<string>();
      forEachStatement(body, (statement) => {
        if (statement.kind === 'if') for (const test of levelTests(statement.condition, scope)) if (test) read.add(signalKey(test.signal, scope) ?? '');
      });
      const isReset = (term: EventTerm): boolean => /rst|reset|clear|clr/i.test(baseNameOf(term.expression) ?? '');
      const reset = control.find((term) => isReset(term) && !read.has(signalKey(term.expression, scope) ?? ''));
      const name = reset && baseNameOf(reset.expression);
      if (!reset || name === undefined || namesRead(body).has(name)) continue;
      report(reset.expression.span, `The process wakes on ${name} but never tests it, so that ${name} acts as a second clock; test it first or remove it from the list.`);
    }
  },
};

export const registerWithoutReset: Rule = {
  id: 'register-without-reset',
  level: 'off',
  category: 'processes',
  reason: 'A register that its process assigns but does not reset keeps its value during reset, which then acts as an enable.',
  flagged: `always @(posedge clk or posedge rst)
  if (rst) q <= 0;
  else begin q <= a; r <= b; end`,
  silent: `always @(posedge clk or posedge rst)
  if (rst) begin q <= 0; r <= 0; end
  else begin q <= a; r <= b; end`,
  check(module, report) {
    for (const procedure of module.procedures) {
      const { kind, control, scope, body } = procedure;
      const decision = firstIf(body);
      if (kind !== 'clocked' || control === undefined || control === '*' || !decision?.whenFalse) continue;
      const { asyncResets } = classifyBlock(control, body, scope, () => false);
      if (asyncResets.length === 0) continue;
      const set = namesAssigned(decision.whenTrue);
      const missing = [...namesAssigned(decision.whenFalse)].filter((name) => !set.has(name) && scope.variable(name));
      const { span } = decision.condition;
      if (missing.length > 0) report(span, `The reset does not set ${listNames(missing)}, so that it acts as an enable there; reset ${missing.length > 1 ? 'them' : 'it'} or use a process without this reset.`);
    }
  },
};

export const alwaysWithoutControl: Rule = {
  id: 'always-without-control',
  level: 'error',
  category: 'processes',
  reason: 'An always process that waits for nothing repeats without end and stops time.',
  verilator: ['INFINITELOOP'],
  flagged: `always y = a & b;`,
  silent: `always @(*) y = a & b;`,
  check(module, report) {
    for (const { kind, keyword, statements, body, span } of module.procedures) {
      if (kind !== 'other' || keyword !== 'always' || !span) continue;
      const waits = statements.some(({ statement }) => ['event', 'delay', 'wait', 'call', 'other'].includes(statement.kind) || waitsInside(statement, module));
      if (waits || body.kind === 'other') continue;
      const at = { start: span.start, end: span.start + keyword.length };
      report(at, "This process waits for nothing, so that it repeats without end; write 'always @(*)' or name a clock edge.", {
        fixes: [{ title: "Wake for everything that is read: 'always @(*)'", changes: [{ span: at, text: 'always @(*)' }] }],
      });
    }
  },
};

/** A delay or event stands between the target and the value of a blocking assignment, as in `a = #1 b`. */
function waitsInside(statement: Statement, module: ModuleView): boolean {
  if (statement.kind !== 'assign' || statement.operator !== '=') return false;
  const { target, value } = statement;
  return target.span !== undefined && value.span !== undefined && /[#@]/.test(module.textOf({ start: target.span.end, end: value.span.start }));
}
