import type { LoadedDesign } from '../analysis/design.ts';
import type { Clocking, Reset } from '../analysis/module.ts';
import { escapedIdentifier } from './harness.ts';
import type { ProofAttempt, ProofTask, Prover } from './proof/by-proof.ts';
import { clockLines } from './stimulus/clock-schedule.ts';
import type { Layout } from './stimulus/layout.ts';
import { rowBit, RowBuilder, type Rows } from './stimulus/rows.ts';
import { unknownOf, wrapDesign } from './wrapper.ts';

/**
 * Asks a prover about input sequences that begin with a reset: from power-on on, what a design has not been told yet may make a
 * difference in a prover's eyes that no simulator shows, and hide one that it would show. Undefined without a reset, or where the
 * sides cannot be asked so.
 */
export async function proveFromReset(prover: Prover, task: ProofTask): Promise<ProofAttempt | undefined> {
  const [golden, dut] = [task.golden, task.dut].map((design) => startedByReset(design, task.clocking));
  if (golden === undefined || dut === undefined) return undefined;
  const attempt = await prover.prove({ ...task, golden, dut });
  return attempt.kind === 'counterexample' ? { ...attempt, rows: withReset(attempt.rows, task.layout, task.clocking) } : attempt;
}

/** The design with its resets held until every clock has made an active edge; its outputs are unknown as long. */
function startedByReset(design: LoadedDesign, { clocks, resets }: Clocking): LoadedDesign | undefined {
  if (resets.length === 0 || clocks.length === 0) return undefined;
  const clocked = clocks.map(({ port, bit, edges }, index) => `always @(${edges[0] ?? 'posedge'} ${bitOf(port, bit)}) rtl_copilot_seen[${String(index)}] <= 1'b1;`);
  return wrapDesign(design, {
    kind: 'reset',
    items: [`reg [${String(clocks.length - 1)}:0] rtl_copilot_seen = 0;`, ...clocked, 'wire rtl_copilot_started = &rtl_copilot_seen;'],
    input: ({ name, width }, id) => resets.filter(({ port }) => port === name).reduce((value, reset) => heldReset(value, reset, width ?? 1), id),
    output: (port, own) => `rtl_copilot_started ? ${own}: ${unknownOf(port)}`,
  });
}

function bitOf(port: string, bit: number | undefined): string {
  return `${escapedIdentifier(port)}${bit === undefined ? '' : `[${String(bit)}]`}`;
}

function heldReset(value: string, { bit, active }: Reset, width: number): string {
  const mask = `({{${String(width)}{1'b0}}, ~rtl_copilot_started} << ${String(bit ?? 0)})`;
  const held = width === 1 ? '~rtl_copilot_started' : mask;
  return active === 'high' ? `(${value} | ${held})` : `(${value} & ~${held})`;
}

/** The rows with every reset asserted until each clock has made an active edge. */
function withReset(rows: Rows, layout: Layout, { clocks, resets }: Clocking): Rows {
  const builder = new RowBuilder(layout, rows.count);
  const waiting = new Set(clockLines(layout, clocks));
  const lines = resets.flatMap(({ port, bit, active }) => layout.fields.filter((field) => field.port === port && field.role === 'data').map(({ offset }) => ({ position: offset + (bit ?? 0), level: active === 'high' })));
  for (let row = 0; row < rows.count; row++) {
    builder.current.set(rows.bytes.subarray(row * rows.rowBytes, (row + 1) * rows.rowBytes));
    if (waiting.size > 0) for (const { position, level } of lines) builder.setBit(position, level);
    for (const line of waiting) {
      const [before, now] = [row === 0 ? 0 : rowBit(rows, row - 1, line.position), rowBit(rows, row, line.position)];
      if (before !== now && (now === 1 ? line.rising : line.falling)) waiting.delete(line);
    }
    builder.push();
  }
  return builder.finish();
}
