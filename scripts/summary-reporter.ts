import type { TestEvent } from 'node:test/reporters';

/** A node:test reporter that gives one line of JSON: how many tests passed, failed and were skipped in the whole run. */
export default async function* summaryReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type !== 'test:summary' || event.data.file !== undefined) continue;
    const { tests, passed, skipped, todo } = event.data.counts;
    // Everything that neither passed nor was left out, cancelled tests too.
    yield `${JSON.stringify({ passed, failed: tests - passed - skipped - todo, skipped: skipped + todo })}\n`;
  }
}
