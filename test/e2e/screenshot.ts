/** Makes the picture of the README from the real editor: the example's faulty arbiter, its verdict, and the mismatch under the mouse. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageExtension } from '../../scripts/package.ts';
import { Keyboard } from './story.ts';
import { ensureVsCodeServer } from './vscode-server.ts';
import { BOOT_TIMEOUT_MS, type Server, copyWorkspace, installExtension, launchBrowser, openWorkbench, remoteUri, startServer } from './workbench.ts';

const ROOT = join(import.meta.dirname, '../..');
const PICTURE = join(ROOT, 'media/verify.png');
const MAX_BYTES = 300_000;
const DUT = 'rtl/rr_arbiter_greedy.v';

const SETTINGS = {
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.activityBar.location': 'hidden',
  'workbench.layoutControl.enabled': false,
  'window.commandCenter': false,
  'editor.fontSize': 13,
  'editor.scrollbar.vertical': 'hidden',
  'editor.overviewRulerBorder': false,
  'editor.hideCursorInOverviewRuler': true,
  'editor.stickyScroll.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.matchBrackets': 'never',
  'editor.guides.indentation': false,
  'editor.renderLineHighlight': 'none',
  'breadcrumbs.enabled': false,
};

async function takePicture(server: Server, workspace: string): Promise<void> {
  const browser = await launchBrowser();
  try {
    const page = await (await browser.newContext({ viewport: { width: 1080, height: 690 } })).newPage();
    const keyboard = new Keyboard(page);
    await openWorkbench(page, server, workspace, { openFile: remoteUri(server, join(workspace, DUT)) });
    await keyboard.lens(/^Verify against rr_arbiter$/).waitFor({ timeout: BOOT_TIMEOUT_MS });
    await keyboard.goToLine(9);
    await keyboard.press('Control+b');
    await keyboard.runCommand('RTL Copilot: Verify Against Reference');
    await keyboard.lens(/^✗ Different/).waitFor({ timeout: BOOT_TIMEOUT_MS });
    await keyboard.squiggles().first().waitFor();
    await keyboard.rest(keyboard.squiggles().first());
    await page.locator('.monaco-hover:visible', { hasText: 'differs from rr_arbiter' }).first().waitFor();
    await sleep(1000);
    await page.screenshot({ path: PICTURE });
  } finally {
    await browser.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'rtl-copilot-picture-'));
try {
  const entry = await ensureVsCodeServer();
  const extensionsDir = await installExtension(entry, await packageExtension(join(folder, 'extension.vsix')), folder);
  const workspace = await copyWorkspace(folder, join(ROOT, 'examples/arbiter'));
  const server = await startServer({ entry, folder, extensionsDir, env: {}, settings: SETTINGS });
  try {
    await takePicture(server, workspace);
  } finally {
    await server.stop();
  }
  const { size } = await stat(PICTURE);
  console.log(`${PICTURE}: ${size} bytes`);
  if (size > MAX_BYTES) throw new Error(`The picture is larger than ${MAX_BYTES} bytes.`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
