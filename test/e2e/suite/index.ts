/** The entry that VS Code's extension host requires and runs; the same for the browser and the desktop. */
import Mocha from 'mocha';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPORT_VARIABLE, type TestRecord, describeError } from '../report.ts';

const FOLDER = __dirname;

export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  const mocha = new Mocha({ ui: 'tdd', timeout: 60_000, forbidOnly: true });
  for (const name of readdirSync(FOLDER).sort()) if (name.endsWith('.test.cjs')) mocha.addFile(join(FOLDER, name));
  const records: TestRecord[] = [];
  const report = process.env[REPORT_VARIABLE];
  // Written after every test, so that a run that is stopped still tells how far it came.
  const add = (record: TestRecord): void => {
    records.push(record);
    if (report !== undefined) writeFileSync(report, JSON.stringify(records));
  };
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) => {
      add({ title: test.fullTitle(), outcome: 'passed', ms: test.duration ?? 0 });
    });
    runner.on('pending', (test) => {
      add({ title: test.fullTitle(), outcome: 'skipped', ms: 0 });
    });
    runner.on('fail', (test, error) => {
      add({ title: test.fullTitle(), outcome: 'failed', ms: test.duration ?? 0, error: describeError(error) });
    });
  });
  if (failures > 0 || records.length === 0) throw new Error(`${failures} of ${records.length} tests failed`);
}
