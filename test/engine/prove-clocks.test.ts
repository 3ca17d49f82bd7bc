/** Clocks and resets that a design makes itself: proofs of what is written otherwise, none of what differs, and none where the order of events decides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, proveTexts } from './proving.ts';

interface Kind {
  readonly ports: string;
  readonly golden: string;
  readonly same: readonly string[];
  readonly wrong: readonly string[];
  /** Inputs that race with each other are left open. */
  readonly lenient?: boolean;
}

const gateModule = 'module gate(input clk, en, output g); reg l; always @(clk, en) if (!clk) l = en; assign g = clk & l; endmodule';
const toggleModule = 'module toggle(input t, r, output reg q); always @(negedge t or posedge r) if (r) q <= 0; else q <= ~q; endmodule';

/** A module `m` whose one-bit outputs are variables where a block assigns them. */
function module(ports: string, body: string): string {
  let direction = '';
  const list = ports.split(' ').flatMap((word) => {
    if (word === 'input' || word === 'output') direction = word;
    return word === direction ? [] : [`${direction} ${direction === 'output' && new RegExp(`\\b${word} <=`).test(body) ? 'reg ' : ''}${word}`];
  });
  return `${gateModule}\n${toggleModule}\nmodule m(${list.join(', ')}); ${body} endmodule\n`;
}

const latchGate = 'reg l; always @* if (!clk) l = en; wire g = clk & l;';
const divider = 'reg v; always @(posedge clk or posedge rst) if (rst) v <= 0; else v <= ~v;';
const kinds: Readonly<Record<string, Kind>> = {
  'a gate behind a latch': {
    ports: 'input clk en d output q',
    golden: `${latchGate} always @(posedge g) q <= d;`,
    same: ['always @(posedge clk) if (en) q <= d;', 'reg k; always @(clk or en) if (~clk) k <= en; always @(posedge (clk && k)) q <= d;', 'wire h; gate u(clk, en, h); always @(posedge h) q <= d;'],
    wrong: [
      'wire g = clk & en; always @(posedge g) q <= d;',
      'reg l; always @* if (clk) l = en; wire g = clk & l; always @(posedge g) q <= d;',
      `${latchGate} always @(negedge g) q <= d;`,
      'reg l; always @(posedge clk) l <= en; always @(posedge clk) if (l) q <= d;',
      'reg l; always @(posedge clk) l <= en; wire g = clk & l; always @(posedge g) q <= d;',
      'reg l; always @* if (!clk) l = en; wire g = ~clk & l; always @(posedge g) q <= d;',
    ],
  },
  'a gate behind a flip-flop of the other edge': {
    ports: 'input clk en d output q',
    golden: 'reg e; always @(negedge clk) e <= en; wire g = clk & e; always @(posedge g) q <= d;',
    same: ['reg e; always @(negedge clk) e <= en; always @(posedge clk) if (e) q <= d;', 'reg k; always @(negedge clk) k <= !en; wire g = !clk || k; always @(negedge g) q <= d;'],
    wrong: [`${latchGate} always @(posedge g) q <= d;`, 'reg e; always @(posedge clk) e <= en; wire g = clk & e; always @(posedge g) q <= d;'],
  },
  'a gate that an input opens': {
    ports: 'input clk en d output q',
    golden: 'wire g = clk & en; always @(posedge g) q <= d;',
    same: ['wire g = !clk || !en; always @(negedge g) q <= d;'],
    wrong: [`${latchGate} always @(posedge g) q <= d;`, 'always @(posedge clk) if (en) q <= d;', 'wire g = clk | en; always @(posedge g) q <= d;'],
    lenient: true,
  },
  'a divided clock': {
    ports: 'input clk rst d output q',
    golden: `${divider} always @(posedge v or posedge rst) if (rst) q <= 0; else q <= d;`,
    same: [`${divider} always @(posedge clk or posedge rst) if (rst) q <= 0; else if (!v) q <= d;`],
    wrong: [
      `${divider} always @(posedge clk or posedge rst) if (rst) q <= 0; else if (v) q <= d;`,
      `${divider} always @(negedge v or posedge rst) if (rst) q <= 0; else q <= d;`,
      `${divider.replace('posedge clk', 'negedge clk')} always @(posedge v or posedge rst) if (rst) q <= 0; else q <= d;`,
      `${divider} always @(posedge v) q <= d;`,
    ],
  },
  'a register that a divided clock takes over': {
    ports: 'input clk rst d output q',
    golden: 'reg v, r; always @(posedge clk) begin r <= d; if (rst) v <= 0; else v <= ~v; end always @(posedge v) q <= r;',
    same: ['reg v; always @(posedge clk) begin if (rst) v <= 0; else v <= ~v; if (!rst && !v) q <= d; end'],
    wrong: ['reg v, r; always @(posedge clk) begin r <= d; if (rst) v <= 0; else v <= ~v; if (!rst && !v) q <= r; end', 'reg v, r; always @(posedge clk) begin r <= d; if (rst) v <= 0; else v <= ~v; end always @(negedge v) q <= r;'],
  },
  'a ripple counter': {
    ports: 'input clk rst output a b c',
    golden: 'toggle x(clk, rst, a), y(a, rst, b), z(b, rst, c);',
    same: ['reg [2:0] n; always @(negedge clk or posedge rst) if (rst) n <= 0; else n <= n + 1; assign {c, b, a} = n;'],
    wrong: ['reg [2:0] n; always @(posedge clk or posedge rst) if (rst) n <= 0; else n <= n + 1; assign {c, b, a} = n;', 'wire i = ~a; toggle x(clk, rst, a), y(i, rst, b), z(b, rst, c);', 'toggle x(clk, rst, a), y(a, rst, b); always @(negedge b) c <= ~c;'],
  },
  'a reset that is made by logic': {
    ports: 'input clk por soft d output q',
    golden: 'wire r = por | soft; always @(posedge clk or posedge r) if (r) q <= 0; else q <= d;',
    same: ['wire r = !por && !soft; always @(posedge clk or negedge r) if (!r) q <= 0; else q <= d;'],
    wrong: ['always @(posedge clk or posedge por) if (por) q <= 0; else if (soft) q <= 0; else q <= d;', 'wire r = por & soft; always @(posedge clk or posedge r) if (r) q <= 0; else q <= d;', 'wire r = por | soft; always @(posedge clk) if (r) q <= 0; else q <= d;'],
  },
  'a counter that resets itself': {
    ports: 'input clk rst output a b',
    golden: 'reg [1:0] n; wire r = rst | n == 3; always @(posedge clk or posedge r) if (r) n <= 0; else n <= n + 1; assign {b, a} = n;',
    same: ['reg [1:0] n; always @(posedge clk or posedge rst) if (rst) n <= 0; else n <= n == 2 ? 0 : n + 1; assign {b, a} = n;'],
    wrong: ['reg [1:0] n; always @(posedge clk or posedge rst) if (rst) n <= 0; else n <= n == 3 ? 0 : n + 1; assign {b, a} = n;'],
  },
  'a reset that is released behind two edges': {
    ports: 'input clk rst en d output q',
    golden: `reg s, t; always @(posedge clk or posedge rst) if (rst) {t, s} <= 3; else {t, s} <= {s, 1'b0}; ${latchGate} always @(posedge g or posedge t) if (t) q <= 0; else q <= d;`,
    same: ["reg [1:0] s; always @(posedge clk or posedge rst) if (rst) s <= 0; else s <= {s[0], 1'b1}; wire n = s[1]; always @(posedge clk or negedge n) if (!n) q <= 0; else if (en) q <= d;"],
    wrong: ["reg [1:0] s; always @(posedge clk or posedge rst) if (rst) s <= 0; else s <= {s[0], 1'b1}; wire n = s[0]; always @(posedge clk or negedge n) if (!n) q <= 0; else if (en) q <= d;"],
  },
  'one of two clocks, chosen without a glitch': {
    ports: 'input clk other rst sel d output q',
    golden: 'reg a, b; always @(negedge clk or posedge rst) if (rst) a <= 0; else a <= ~sel & ~b; always @(negedge other or posedge rst) if (rst) b <= 0; else b <= sel & ~a; wire g = (clk & a) | (other & b); always @(posedge g or posedge rst) if (rst) q <= 0; else q <= d;',
    same: ['reg a, b; always @(negedge clk or posedge rst) if (rst) a <= 1; else a <= sel | ~b; always @(negedge other or posedge rst) if (rst) b <= 1; else b <= ~sel | ~a; wire g = (clk & ~a) | (other & ~b); always @(posedge g or posedge rst) if (rst) q <= 0; else q <= d;'],
    wrong: ['reg a, b; always @(posedge clk or posedge rst) if (rst) a <= 1; else a <= sel | ~b; always @(posedge other or posedge rst) if (rst) b <= 1; else b <= ~sel | ~a; wire g = (clk & ~a) | (other & ~b); always @(posedge g or posedge rst) if (rst) q <= 0; else q <= d;'],
    lenient: true,
  },
};

const request = { clocks: new Set(['clk[0]', 'other[0]']) };

for (const [name, { ports, golden, same, wrong, lenient = false }] of Object.entries(kinds)) {
  test(`${name} is followed event by event`, async () => {
    for (const text of [golden, ...same]) {
      const result = await check(module(ports, golden), module(ports, text), 'proved', { ports, request });
      assert.equal(result.kind === 'proved' && result.notes.some((note) => /Where several inputs change at the same moment/.test(note)), lenient, text);
    }
    for (const text of wrong) assert.notEqual((await proveTexts(module(ports, golden), module(ports, text), { ports, request: { ...request, shows: () => Promise.resolve(true) } })).kind, 'proved', text);
  });
}

/** None is proved, not even of itself. */
const races: Readonly<Record<string, readonly [text: string, reason: RegExp]>> = {
  'a clock that is assigned with =': ['reg v, r; always @(posedge clk) if (rst) v = 0; else v = ~v; always @(posedge clk) r <= d; always @(posedge v) q <= r;', /comes from 'v', which is assigned with '='/],
  'a clock that is assigned with <= where its inputs change': ['reg l, g, r; always @* if (!clk) l = d; always @* g <= clk & l; always @(posedge clk) r <= d; always @(posedge g) q <= r;', /comes from 'g', which is assigned with '<='/],
  'data behind an assignment beside a divided clock': [`reg r; ${divider} always @(posedge clk) r <= d; wire w = r & ~rst; always @(posedge v) q <= w;`, /order of events decides/],
  'a pulse that only a delay would make': ['wire n = ~clk; wire p = clk & n; reg i; always @(posedge clk or posedge rst) if (rst) i <= 0; else i <= d; always @(posedge p or posedge rst) if (rst) q <= 0; else q <= i;', /clock that does not move/],
  'a latch and a gate of which each has a clock of its own name': ['wire c = clk; reg l; always @* if (!clk) l = d; wire g = c & l; always @(posedge g) q <= rst;', /order of events decides/],
  'a gate and data from one input': ['wire g = clk & rst; wire t = rst ^ d; always @(posedge g) q <= t;', /order of events decides/],
  'delays beside a divided clock': [`${divider} always @(posedge v) q <= #1 d;`, /delays beside a clock/],
};

for (const [name, [text, reason]] of Object.entries(races)) {
  test(`what no proof follows is said: ${name}`, async () => {
    const ports = 'input clk rst d output q';
    // A search for a counterexample that is not there follows.
    const result = await proveTexts(module(ports, text), module(ports, text), { ports, request: { ...request, timeoutMs: 4000 } });
    assert.match('reason' in result ? result.reason : result.kind, reason);
  });
}

test('a clock that passes a nonblocking assignment comes late, one that passes a blocking one does not', async () => {
  const ports = 'input clk d output q';
  const golden = module(ports, 'reg r; always @(posedge clk) r <= d; always @(posedge clk) q <= r;');
  const through = (sign: string): string => module(ports, `reg r, c; always @* c ${sign} clk; always @(posedge clk) r <= d; always @(posedge c) q <= r;`);
  const late = await proveTexts(golden, through('<='), { ports, request });
  assert.match('reason' in late ? late.reason : late.kind, /'c' is assigned with '<=' without waiting for an edge/);
  await check(golden, through('='), 'proved', { ports, request });
});
