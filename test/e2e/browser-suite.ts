import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { type TestRecord, describeError } from './report.ts';
import { type Server, copyWorkspace, openWorkbench, remoteUri } from './workbench.ts';

/** How the workbench ends when every test passed. */
const FINISHED = 'exit 0';
const SUITE_TIMEOUT_MS = 6 * 60_000;

/** Waits until the workbench says that the suite ended. It calls these two functions of the page when it was opened with a suite. */
async function suiteEnd(page: Page): Promise<string> {
  let end: (how: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
    if (process.env['RTL_COPILOT_E2E_VERBOSE'] === '1') console.log(`[${type}]`, ...args);
  });
  await page.exposeFunction('codeAutomationExit', (code: number) => {
    end(`exit ${code}`);
  });
  page.on('crash', () => {
    end('the page crashed');
  });
  return Promise.race([ended, sleep(SUITE_TIMEOUT_MS, 'the suite took too long', { ref: false })]);
}

/** Runs the mocha suite inside the editor's extension host. `reportFile` is where the suite writes, by the server's environment. */
export async function runBrowserSuite(browser: Browser, server: Server, suite: string, reportFile: string, folder: string): Promise<TestRecord[]> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  const workspace = await copyWorkspace(folder);
  const end = suiteEnd(page);
  await openWorkbench(page, server, workspace, {
    extensionDevelopmentPath: remoteUri(server, join(import.meta.dirname, 'host')),
    extensionTestsPath: remoteUri(server, suite),
  });
  const how = await end;
  const records = await readRecords(reportFile);
  const failed = records.some((record) => record.outcome === 'failed');
  if (failed || how !== FINISHED) await page.screenshot({ path: join(folder, 'suite-failure.png') }).catch(() => undefined);
  await page.context().close();
  const ended = failed || how === FINISHED ? [] : [{ title: 'the suite in the editor runs to its end', outcome: 'failed' as const, ms: 0, error: how }];
  return [...records, ...ended];
}

async function readRecords(reportFile: string): Promise<TestRecord[]> {
  try {
    return JSON.parse(await readFile(reportFile, 'utf8')) as TestRecord[];
  } catch (error) {
    return [{ title: 'the suite in the editor reports', outcome: 'failed', ms: 0, error: describeError(error) }];
  }
}
