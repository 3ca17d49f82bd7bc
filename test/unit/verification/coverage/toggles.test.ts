import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readActivity, readToggles } from '../../../../server/src/verification/coverage/toggles.ts';

const header = `$timescale 1s $end
$scope module harness $end
$scope module side $end
$var wire 1 ! clk $end
$var reg 4 " q [3:0] $end
$var integer 32 # i [31:0] $end
$scope module u $end
$var wire 1 ! clk $end
$var wire 1 $ en $end
$upscope $end
$scope function f $end
$var reg 1 % f $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
`;

function check(changes: string, expected: Readonly<Record<string, readonly number[]>>): void {
  const toggles = readToggles(Buffer.from(header + changes));
  assert.deepEqual(toggles && Object.fromEntries(toggles.map(({ path, bits }) => [path.join('.'), [...bits]])), expected);
}

test('changes count from one known value to the other, bit by bit; nets that are one net count once', () => {
  check('#0\n$dumpvars\n0!\nb0 "\nx$\n$end\n#5\n1!\nb101 "\n0$\n#10\n0!\nb1 "\n1$\n1%\nb1 #\n', { clk: [3], q: [1, 0, 3, 0], 'u.en': [1] });
});

test('a change through an unknown value is none', () => {
  check('#0\n0!\nb0 "\n0$\n#1\nx!\nbx "\n#2\n1!\nb1111 "\n', { clk: [0], q: [0, 0, 0, 0], 'u.en': [0] });
});

test('bits keep the indexes of their declaration', () => {
  const declared = readToggles(Buffer.from(header.replace('q [3:0]', 'q [1:4]')))?.find(({ path }) => path[0] === 'q');
  assert.deepEqual([declared?.lowest, declared?.step], [4, -1]);
});

test('activity is counted by the rows of the stimulus, without inputs and clocks', () => {
  const counted = header.replace('$scope module side', '$var integer 32 % steps [31:0] $end\n$scope module side');
  const row = (number: number, changes: string): string => `#${String(number)}\nb${number.toString(2)} %\n${String(number % 2)}!\n${changes}`;
  const dump = counted + row(0, 'b1 "\n') + row(1, '') + row(2, 'b10 "\n1$\n') + row(3, '1$\n');
  assert.deepEqual(readActivity(Buffer.from(dump), 4, new Set(['clk'])), [1, 0, 2, 1]);
  assert.deepEqual(readActivity(Buffer.from(dump), 4, new Set(['clk', 'q'])), [0, 0, 1, 1]);
});

test('a dump that reached its limit says nothing', () => {
  assert.equal(readToggles(Buffer.from(header), header.length), undefined);
});
