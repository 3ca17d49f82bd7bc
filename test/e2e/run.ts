/**
 * End-to-end tests in VS Code's own server and workbench with headless Chromium: packs the extension, installs the package, runs the mocha
 * suite in the extension host, then drives the workbench by key presses. RTL_COPILOT_E2E_SHOTS names a folder for pictures,
 * RTL_COPILOT_E2E_VSIX a ready package. The last line is `N passed, N failed, N skipped`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageExtension } from '../../scripts/package.ts';
import { runBrowserSuite } from './browser-suite.ts';
import { runGeneration } from './generation-keys.ts';
import { runKeyPresses } from './key-presses.ts';
import { script, ScriptedServer } from './model.ts';
import { REPORT_VARIABLE, type TestRecord, printRecords } from './report.ts';
import { bundleSuite } from './suite-bundle.ts';
import { ensureVsCodeServer } from './vscode-server.ts';
import { installExtension, launchBrowser, startServer } from './workbench.ts';

async function runPasses(folder: string, suite: string): Promise<TestRecord[]> {
  const entry = await ensureVsCodeServer();
  const vsix = process.env['RTL_COPILOT_E2E_VSIX'] ?? (await packageExtension(join(folder, 'extension.vsix')));
  const extensionsDir = await installExtension(entry, vsix, folder);
  const reportFile = join(folder, 'report.json');
  const pictures = process.env['RTL_COPILOT_E2E_SHOTS'] ?? join(folder, 'shots');
  await using model = await ScriptedServer.start();
  await model.script(...script({ pauseMs: 0, suggestion: '' }));
  const settings = { 'rtlCopilot.model.endpoint': model.endpoint.root };
  const server = await startServer({ entry, folder, extensionsDir, env: { [REPORT_VARIABLE]: reportFile }, settings });
  try {
    const browser = await launchBrowser();
    try {
      const inside = await runBrowserSuite(browser, server, suite, reportFile, folder);
      const verifying = await runKeyPresses(browser, server, folder, pictures);
      const generating = await runGeneration(browser, server, folder, pictures, model);
      return [...inside, ...verifying, ...generating];
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'rtl-copilot-e2e-'));
const suite = await bundleSuite();
try {
  process.exitCode = printRecords(await runPasses(folder, suite));
} catch (error) {
  console.error(error);
  console.log('0 passed, 1 failed, 0 skipped');
  process.exitCode = 1;
} finally {
  await rm(dirname(suite), { recursive: true, force: true });
  if (process.exitCode === 0) await rm(folder, { recursive: true, force: true });
  else console.error(`what the editor left is in ${folder}`);
}
