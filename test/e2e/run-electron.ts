/**
 * The same mocha suite in desktop VS Code, for a machine that can download it (or VSCODE_EXECUTABLE=/path/to/code). Tests the working tree's
 * bundles, not the package; key presses are left to the browser runner.
 */
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { REPORT_VARIABLE, type TestRecord, printRecords } from './report.ts';
import { bundleSuite } from './suite-bundle.ts';
import { copyWorkspace } from './workbench.ts';

const folder = await mkdtemp(join(tmpdir(), 'rtl-copilot-electron-'));
const suite = await bundleSuite();
const reportFile = join(folder, 'report.json');
try {
  const workspace = await copyWorkspace(folder);
  const exitCode = await runTests({
    vscodeExecutablePath: process.env['VSCODE_EXECUTABLE'] ?? (await downloadAndUnzipVSCode(process.env['VSCODE_VERSION'] ?? 'stable')),
    extensionDevelopmentPath: join(import.meta.dirname, '../..'),
    extensionTestsPath: suite,
    extensionTestsEnv: { [REPORT_VARIABLE]: reportFile },
    launchArgs: [workspace, '--disable-extensions', '--disable-workspace-trust', '--user-data-dir', join(folder, 'user-data')],
  }).catch((error: unknown) => {
    console.error(error);
    return 1;
  });
  process.exitCode = printRecords(JSON.parse(await readFile(reportFile, 'utf8')) as TestRecord[]) || exitCode;
} catch (error) {
  console.error(error);
  console.log('0 passed, 1 failed, 0 skipped');
  process.exitCode = 1;
} finally {
  await rm(dirname(suite), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}
