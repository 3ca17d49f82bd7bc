/** What one test of the editor said. The suite inside the editor and the key presses from outside report the same way. */
export interface TestRecord {
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly ms: number;
  /** Message and stack of a failure. */
  readonly error?: string;
}

/** Environment variable with the path where the suite in the extension host writes its records as JSON. */
export const REPORT_VARIABLE = 'RTL_COPILOT_E2E_REPORT';

const MARKS = { passed: '✔', failed: '✖', skipped: '-' };

/** Prints the records and the closing line; gives the exit status. No tests at all is a failure. */
export function printRecords(records: readonly TestRecord[]): number {
  for (const { title, outcome, ms, error } of records) {
    console.log(`${MARKS[outcome]} ${title} (${Math.round(ms)} ms)`);
    if (error !== undefined) console.log(error.replaceAll(/^/gm, '    '));
  }
  const count = (outcome: TestRecord['outcome']): number => records.filter((record) => record.outcome === outcome).length;
  console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
  return count('failed') === 0 && count('passed') > 0 ? 0 : 1;
}

export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
