import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readHints } from '../../../server/src/generation/prose.ts';
import { parseTable } from '../../../server/src/generation/tables/parse.ts';
import { intersect, minterm, type LogicTable, type StateTable, type Table, type TableResult } from '../../../server/src/generation/tables/table.ts';
import { logicTables, machines, machineStyles, machineText, mapLayouts, mapStyles, mapText, truthStyles, truthTableText } from './random.ts';

function parse(text: string): TableResult {
  const hints = readHints(text);
  const closed = hints.ports.some(({ direction }) => direction === 'input') && hints.ports.some(({ direction }) => direction === 'output');
  const machinePorts = hints.ports.filter(({ name }) => name !== hints.clock && name !== hints.reset);
  return parseTable(text, 0, { names: { ports: hints.ports, closed }, machineNames: { ports: machinePorts, closed }, hints, noMachine: undefined });
}

function tableOf(text: string): Table {
  const result = parse(text);
  assert.ok(result.kind === 'table', `${result.kind}: ${result.kind === 'ill-formed' ? result.problems.map(({ message }) => message).join(' ') : ''}\n${text}`);
  return result.table;
}

function logic(text: string): LogicTable {
  const table = tableOf(text);
  assert.ok(table.kind === 'logic');
  return table;
}

function machine(text: string): StateTable {
  const table = tableOf(text);
  assert.ok(table.kind === 'fsm');
  return table;
}

/** Value of an output at each input combination, in counting order: 0, 1, or - where it does not matter. */
function column(text: string, output = 0): string {
  const { inputs, rows } = logic(text);
  return Array.from({ length: 2 ** inputs.length }, (_, value) => rows.find((row) => intersect(row.inputs, minterm(value, inputs.length)) && row.outputs[output] !== '-')?.outputs[output] ?? '-').join('');
}

/** `state:next/outputs` for each state and input combination. */
function steps({ states, inputs, transitions, idle }: StateTable): string[] {
  return states.flatMap(({ name }, state) =>
    Array.from({ length: 2 ** inputs.length }, (_, value) => {
      const combination = minterm(value, inputs.length);
      const taken = transitions.find(({ from, inputs: cube }) => from === state && intersect(cube, combination));
      const to = taken === undefined ? name : taken.to === undefined ? '?' : (states[taken.to]?.name ?? '');
      return `${name} ${combination}: ${to}/${taken?.outputs ?? idle[state] ?? ''}`;
    }),
  );
}

/** The marked cell (`«…»`) has the diagnostic; an unmarked text has none at all. */
function checkProblem(marked: string, code: string): void {
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  const text = marked.replace(/[«»]/g, '');
  const result = parse(text);
  assert.ok(result.kind === 'ill-formed', `${result.kind}, but ${code} is expected`);
  const [first] = result.problems;
  assert.equal(first?.code, code, first?.message);
  assert.equal(text.slice(first.span.start, first.span.end), text.slice(start, end));
  assert.equal(first.span.start, start);
  assert.match(first.message, /^[A-Z'].*\.$/);
}

describe('tables that are printed and read again', () => {
  for (const style of truthStyles) {
    test(`truth tables, ${style}`, () => {
      fc.assert(
        fc.property(logicTables({ inputs: 5, outputs: 3 }), (table) => {
          // Digits of a vector are not told from those of single bits in the compact form, and one input and output are no table.
          const read = logic(truthTableText(table, style));
          assert.deepEqual(read.rows.map(({ inputs, outputs }) => [inputs, outputs]), table.rows.map(({ inputs, outputs }) => [inputs, outputs]));
          assert.deepEqual([read.inputs, read.outputs], [table.inputs, table.outputs]);
        }),
        { numRuns: 40 },
      );
    });
  }

  for (const style of mapStyles) {
    test(`Karnaugh maps in every layout, ${style}`, () => {
      for (const layout of mapLayouts) {
        const width = layout.layers + layout.rows + layout.columns;
        fc.assert(
          fc.property(fc.array(fc.constantFrom('0', '1', 'd'), { minLength: 2 ** width, maxLength: 2 ** width }), (values) => {
            const text = mapText(values, layout, style);
            const { inputs } = logic(text);
            assert.deepEqual(inputs.map(({ port }) => port).join(''), 'abcde'.slice(0, width));
            assert.equal(column(text), values.join('').replaceAll('d', '-'));
          }),
          { numRuns: 3 },
        );
      }
    });
  }

  for (const style of machineStyles) {
    test(`state machines, ${style}`, () => {
      fc.assert(
        fc.property(machines({ states: 5, inputs: 2, outputs: 2 }), (random) => {
          const read = machine(machineText(random, style));
          assert.equal(read.states[read.resetState]?.name, `S${random.table.resetState}`);
          // Where a Mealy table says nothing, its outputs do not matter.
          const told = steps(random.table);
          const seen = steps(read);
          for (const [at, step] of told.entries()) assert.equal((seen[at] ?? '').replace(/\/.*/, ''), step.replace(/\/.*/, ''));
          for (const [at, step] of told.entries()) if (!/\/-+$/.test(step) || random.table.style === 'Moore') assert.equal(seen[at], step);
        }),
        { numRuns: 60 },
      );
    });
  }
});

describe('any text', () => {
  test('is read without an exception, and mistakes lie inside it', () => {
    const words = ['a', 'b', 'y', 'A', 'B', '0', '1', '00', '01', '11', '10', 'x', '-', '|', '||', '->', '-->', '--', '=', 'in=0', '(', ')', '/', '\\', ',', ':', '*', 'state', 'next', 'out', 'time', 'clk', 's[1:0]', 'q[0]', 'a[9999:0]', '0ns', '__--', '\n', '\n', '\n', '  ', '\t', '[*]', 'input', 'output', '2\'b01', '→', '\u{1F600}'];
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', ' ', '')), { maxLength: 40 }), (parts) => {
        const text = parts.flat().join('');
        const result = parse(text);
        if (result.kind === 'ill-formed') for (const { span } of result.problems) assert.ok(span.start >= 0 && span.start <= span.end && span.end <= text.length, text);
        if (result.kind === 'ill-formed') assert.ok(result.problems.length > 0);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('truth tables', () => {
  for (const [name, text, expected] of [
    ['bars', 'a | b | y\n0 | 0 | 1\n0 | 1 | 0\n1 | 0 | x\n1 | 1 | 1', '10-1'],
    ['blanks, prose around', 'The usual:\n\n  a b   y\n  0 0   0\n  0 1   1\n  1 0   1\n  1 1   0\n\nThat is all.', '0110'],
    ['a blank line inside', 'a b y\n0 0 1\n0 1 0\n\n1 0 0\n1 1 1\n\nDone.', '1001'],
    ['a double bar', 'a b || y\n0 - || 0\n1 0 || 1\n1 1 || d', '001-'],
    ['an arrow', 'a b -> y\n0 0 -> 1\n0 1 -> 0\n1 * -> 1', '1011'],
    ['markdown', '| a | b | y |\n|---|:-:|--:|\n| 0 | X | 1 |\n| 1 | X | 0 |', '1100'],
    ['a box', '+---+---+---+\n| a | b | y |\n+===+===+===+\n| 0 | 1 | 1 |\n| 1 | 1 | 0 |\n+---+---+---+', '-1-0'],
    ['digits together', 'ab | y\n00 | 1\n01 | 0\n1x | 1', '1011'],
    ['names apart, digits together', 'a b | y\n00 | 1\n01 | 0\n1x | 1', '1011'],
    ['rows that overlap and agree', 'a b || y\n1 - || 1\n- 1 || 1\n0 0 || 0', '0111'],
    ['literals', 'input [1:0] s\noutput y\n\ns | y\n2\'b00 | 1\n2\'b01 | 0\n2\'d2 | 1\n2\'h3 | 0', '1010'],
  ] as const) {
    test(name, () => assert.equal(column(text), expected));
  }

  test('vectors by a range, by the width of their digits, and by the list of ports', () => {
    const vector = { inputs: ['s[1]', 's[0]'], outputs: ['q[1]', 'q[0]'] };
    for (const text of ['s[1:0] || q[1:0]\n00 || 01\n1- || 10', 's || q\n00 || 01\n11 || 10', 'input s (2 bits)\noutput [1:0] q\n\ns q\n00 01\n1x 10']) {
      const { inputs, outputs } = logic(text);
      const names = (bits: typeof inputs): string[] => bits.map(({ port, index }) => `${port}[${String(index)}]`);
      assert.deepEqual({ inputs: names(inputs), outputs: names(outputs) }, vector);
    }
  });

  test('several outputs, told by the list of ports in whatever column they stand', () => {
    const { inputs, outputs, rows } = logic('inputs: a, b\noutputs: s, c\n\ns a c b\n0 0 0 0\n1 0 0 1\n1 1 0 0\n0 1 1 1');
    assert.deepEqual([...inputs, ...outputs].map(({ port }) => port), ['a', 'b', 's', 'c']);
    assert.deepEqual(rows.map((row) => `${row.inputs} ${row.outputs}`), ['00 00', '01 10', '10 10', '11 01']);
  });

  test('prose holds no table', () => {
    for (const text of ['', 'An adder of two numbers.', 'Counts from 0 to 9.\nThen it starts at 0 again.', 'Converts as follows:\na -> b', 'See A: -> B']) assert.equal(parse(text).kind, 'none', text);
  });

  for (const [code, text] of [
    ['cell-count', 'a b | y\n0 0 | 1\n0 1 | 0 «1»\n1 0 | 1'],
    ['cell-count', 'a b | y\n0 0 | 1\n0 | «0»\n1 0 | 1'],
    ['unknown-symbol', 'a b | y\n0 0 | 1\n0 «2» | 0'],
    ['contradiction', 'a b | y z\n0 0 | 1 1\n0 1 | 0 0\n0 0 | 1 «0»'],
    ['contradiction', 'a b | y\n0 - | 1\n1 - | 0\n- 1 | «0»'],
    ['unknown-symbol', 'a b y\n0 0 1\n«Q» Z 1\n1 1 0'],
    ['cell-width', 's[1:0] | y\n00 | 1\n«011» | 0'],
    ['double-name', 'a «a» | y\n0 0 | 1\n1 1 | 0'],
    ['reserved-name', 'a «reg» | y\n0 0 | 1\n1 1 | 0'],
    ['unknown-name', 'inputs: a, b\noutput: y\n\na «c» y\n0 0 1\n1 1 0'],
  ] as const) {
    test(`${code}: ${text.split('\n').find((line) => line.includes('«')) ?? ''}`, () => checkProblem(text, code));
  }
});

describe('Karnaugh maps', () => {
  const rows = '00 | 1 0 0 1\n01 | 0 0 d d\n11 | 1 1 1 0\n10 | 1 1 0 1';
  test('rows come before columns in the corner, with either slash', () => {
    for (const corner of ['ab\\cd', 'ab/cd', 'a b \\ c d', 'a,b\\c,d']) {
      const text = `${corner} | 00 01 11 10\n${rows}`;
      assert.deepEqual(logic(text).inputs.map(({ port }) => port).join(''), 'abcd');
      assert.equal(column(text), '101000--11101101', corner);
    }
  });

  test('codes on the line below the corner', () => assert.equal(column('AB/CD\n     00 01 11 10\n00   1 0 0 1\n01   0 0 d d\n11   1 1 1 0\n10   1 1 0 1'), '101000--11101101'));

  test('the columns\' label above, and a name for the output', () => {
    const table = logic('F =\n         a\n   bc   0   1\n   00 | 0 | 1 |\n   01 | 1 | 1 |\n   11 | 1 | 1 |\n   10 | 1 | 1 |');
    assert.deepEqual(table.inputs.map(({ port }) => port), ['b', 'c', 'a']);
    assert.deepEqual(table.outputs, [{ port: 'F', index: undefined }]);
  });

  test('variables that are bits of a vector', () => {
    const table = logic('input x (4 bits)\noutput f\n\n             x[0]x[1]\nx[2]x[3]  00  01  11  10\n  00     | 1 | 0 | 0 | 1 |\n  01     | 0 | 0 | 0 | 0 |\n  11     | 1 | 1 | 1 | 0 |\n  10     | 1 | 1 | 0 | 1 |');
    assert.deepEqual(table.inputs.map(({ index }) => index), [2, 3, 0, 1]);
  });

  test('codes in a stated order of their own', () => assert.equal(column('a\\b | 1 0\n1 | 1 0\n0 | 0 1'), '1001'));

  test('codes that count in binary are taken as they stand, with a note', () => {
    const result = parse('ab\\c | 0 1\n00 | 0 0\n01 | 0 1\n10 | 1 0\n11 | 1 1');
    assert.ok(result.kind === 'table');
    assert.match(result.notes.join(), /count up in binary/);
  });

  for (const [code, text] of [
    ['gray-order', 'ab\\cd | 00 «11» 01 10\n00 | 1 0 0 1\n01 | 0 0 1 1\n11 | 1 1 1 0\n10 | 1 1 0 1'],
    ['double-code', 'ab\\c | 0 1\n00 | 0 0\n01 | 0 1\n«01» | 1 0\n10 | 1 1'],
    ['missing-code', 'ab\\c | 0 1\n00 | 0 0\n01 | 0 1\n«11» | 1 0'],
    ['cell-count', 'a\\bc | 00 01 11 10\n0 | 0 0 1 1\n1 | 0 1 «1»'],
    ['unknown-symbol', 'a\\b | 0 1\n0 | 0 «z»\n1 | 1 1'],
    ['label-width', '«abc»\\d | 0 1\n00 | 0 0\n01 | 0 1\n11 | 1 0\n10 | 1 1'],
  ] as const) {
    test(`${code}: ${text.split('\n').find((line) => line.includes('«')) ?? ''}`, () => checkProblem(text, code));
  }
});

describe('state machines', () => {
  const told = ['A 0: A/0', 'A 1: B/0', 'B 0: A/1', 'B 1: B/1'];
  for (const [name, text] of [
    ['a state table with columns by input', 'state | next state in=0, next state in=1 | output\nA | A, B | 0\nB | A, B | 1\nReset goes to state A.'],
    ['columns that are conditions', '| state | in=0 | in=1 | out |\n|---|---|---|---|\n| *A | A | B | 0 |\n| B | A | B | 1 |'],
    ['a heading of two lines', 'Present | Next state | Output\nstate | in=0  in=1 | out\n------\nA | A B | 0\nB | A B | 1\nThe reset state is A'],
    ['a row for each transition', 'state in next out\nA 0 A 0\nA 1 B 0\nB 0 A 1\nB 1 B 1\n\nreset state: A'],
    ['rows that repeat their state by a blank', '| state | in | next | out |\n| A | 0 | A | 0 |\n|   | 1 | B | 0 |\n| B | 0 | A | 1 |\n|   | 1 | B | 1 |\nreset state: A'],
    ['arrows', 'A (out=0) --in=0--> A\nA (out=0) --in=1--> B\nB (out=1) --in=0--> A\nB (out=1) --in=1--> B\nreset --> A'],
    ['arrows with bare values', 'A (0) --0--> A\nA (0) --1--> B\nB (1) --0--> A\nB (1) --1--> B\nResets to state A'],
    ['arrows with labels behind', '[*] --> A\nA (out=0) --> A : in=0\nA --> B : in=1\nB (out=1) --> A : in=0\nB --> B : in=1'],
    ['arrows in short', '*A: 0->A, 1->B / out 0\nB: 0->A, 1->B / out 1'],
    ['what remains', 'A (out=0) --in--> B\nA --else--> A\nB (out=1) --!in--> A\nB --otherwise--> B\nreset state A'],
  ] as const) {
    test(name, () => {
      const table = machine(text);
      assert.deepEqual(steps(table), told);
      assert.equal(table.style, 'Moore');
      assert.equal(table.states[table.resetState]?.name, 'A');
    });
  }

  const mealy = ['A 0: A/0', 'A 1: B/1', 'B 0: B/1', 'B 1: B/0'];
  for (const [name, text] of [
    ['outputs on the arrows', 'A --x=0 (z=0)--> A\nA --x=1 (z=1)--> B\nB --x=0 (z=1)--> B\nB --x=1 (z=0)--> B\nResets into state A'],
    ['outputs behind a slash', 'A --0/0--> A\nA --1/1--> B\nB --0/1--> B\nB --1/0--> B\nreset state: A'],
    ['next state and output in one cell', 'state | x=0 | x=1\n*A | A/0 | B/1\nB | B/1 | B/0'],
    ['a row for each transition', 'state | x | next | z\n*A | 0 | A | 0\nA | 1 | B | 1\nB | 0 | B | 1\nB | 1 | B | 0'],
    ['moves in short', '*A: 0->A/0, 1->B/1\nB: 0->B/1, 1->B/0'],
    ['outputs by input', 'state | next x=0, next x=1 | output z x=0, output z x=1\n*A | A, B | 0, 1\nB | B, B | 1, 0'],
  ] as const) {
    test(`Mealy: ${name}`, () => {
      const table = machine(text);
      assert.deepEqual(steps(table), mealy);
      assert.equal(table.style, 'Mealy');
    });
  }

  test('codes instead of names, and codes in the text', () => {
    assert.deepEqual(machine('state y[2:0] | next state x=0, next state x=1 | output z\n000 | 000, 001 | 0\n001 | 001, 000 | 1\nReset goes to state 000').states.map(({ code }) => code), ['000', '001']);
    assert.deepEqual(machine("A (0) --0--> B\nA (0) --1--> A\nB (1) --x--> A\nUse A=2'b10 and B=2'b01. Reset state: A").states.map(({ code }) => code), ['10', '01']);
  });

  test('an output that is not named behind a state is 0, and inputs of which nothing is said are noted', () => {
    const result = parse('inputs: clk, reset, r (2 bits)\noutputs: g (2 bits)\n\nA --r0=1--> B\nA --r0=0, r1=1--> C\nB (g0=1) --r0=1--> B\nB (g0=1) --r0=0--> A\nC (g1=1) --r1=1--> C\nC (g1=1) --r1=0--> A\nreset state A');
    assert.ok(result.kind === 'table' && result.table.kind === 'fsm');
    assert.deepEqual(result.table.idle, ['00', '01', '10']);
    assert.match(result.notes.join(' '), /not named behind a state is 0.*A \(r\[1\]=0, r\[0\]=0\)/);
  });

  for (const [code, text] of [
    ['undefined-state', 'A (0) --0--> A\nA (0) --1--> «C»\nB (1) --x--> A\nreset state: A'],
    ['undefined-state', 'state | in=0 | in=1 | out\n*A | A | B | 0\nB | «Q» | B | 1'],
    ['contradiction', 'A (0) --0--> A\nA (0) --0--> «B»\nB (1) --x--> A\nreset state: A'],
    ['contradiction', 'A (0) --0--> A\nA («1») --1--> B\nB (1) --x--> A\nreset state: A'],
    ['contradiction', '*A: 0->A/0, 1->B/1\nB: 0->B/1, 1->B/0\nB: 0->«B»/0'],
    ['no-reset-state', '«A» (0) --0--> A\nA (0) --1--> B\nB (1) --x--> A'],
    ['double-reset', '*A (0) --x--> B\n*«B» (1) --x--> A'],
    ['cell-count', 'state | in=0 | in=1 | out\n*A | A | B | 0\nB | A | «1»'],
    ['cell-width', '*A (0) --0--> A\nA (0) --«01»--> B\nB (1) --x--> A'],
    ['unknown-symbol', 'state | in | next | out\n*A | «2» | A | 0\nA | 1 | B | 0\nB | - | A | 1'],
    ['unreadable', '*A (0) --0--> A\n«A (0) --1-- B»\nB (1) --x--> A'],
    ['unreadable', '*A: 0->A, 1->B / out 0\n«B: 0->A, 1-> / out 1»\nC: x->A / out 1'],
    ['no-output', '*«A» --0--> A\nA --1--> B\nB --x--> A'],
  ] as const) {
    test(`${code}: ${text.split('\n').find((line) => line.includes('«')) ?? ''}`, () => checkProblem(text, code));
  }
});

describe('waveforms', () => {
  test('a time table; a combination that does not occur is open', () => assert.equal(column('time  a  b  q\n0ns   x  0  x\n5ns   0  0  0\n10ns  0  1  1\n15ns  0  1  1\n20ns  1  0  1'), '011-'));

  test('vectors in hexadecimal', () => {
    const { rows, outputs } = logic('input a (3 bits)\noutput q (16 bits)\n\ntime a q\n0ns x x\n5ns 0 1232\n10ns 1 aee0\n15ns 0 1232');
    assert.equal(outputs.length, 16);
    assert.deepEqual(rows.map((row) => [row.inputs, Number.parseInt(row.outputs, 2).toString(16)]), [['000', '1232'], ['001', 'aee0']]);
  });

  for (const [name, text] of [
    ['levels', 'a: __--__--\nb: ____----\nq: __----__'],
    ['levels with edges', 'a  __/--\\__/--\nb  _____/-----\nq  __/--------'.replace('q  __/--------', 'q  __/--/--\\__')],
    ['digits', 'a: 0011\nb: 0101\nq: 0110'],
  ] as const) {
    test(name, () => assert.equal(column(text), '0110'));
  }

  for (const [code, text] of [
    ['sequential', 'time «clk» a q\n0ns 0 0 0\n5ns 1 0 1'],
    ['contradiction', 'time a b q\n0ns 0 0 0\n5ns 0 1 1\n10ns 0 0 «1»'],
    ['cell-count', 'time a b q\n0ns 0 0 0\n5ns 0 «1»'],
    ['time', 'time a b q\n0ns 0 0 0\n«5ms.» 0 1 1\n10ns 1 1 1'],
    ['unknown-width', 'time «a» q\n0ns 0 0\n5ns 3 1'],
    ['length', 'a: __--__--\n«q»: __--__'],
  ] as const) {
    test(`${code}: ${text.split('\n').find((line) => line.includes('«')) ?? ''}`, () => checkProblem(text, code));
  }
});
