/** Makes the pictures of the README from the real editor: a verdict with its mismatch under the mouse, and a generated module before it is accepted. */
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { packageExtension } from '../../scripts/package.ts';
import { CHAT } from '../model/harness.ts';
import { QUESTIONS, reasons, ScriptedServer } from './model.ts';
import { Keyboard } from './story.ts';
import { ensureVsCodeServer } from './vscode-server.ts';
import { BOOT_TIMEOUT_MS, type Server, copyWorkspace, installExtension, launchBrowser, openWorkbench, remoteUri, startServer } from './workbench.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAX_BYTES = 300_000;

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
  'diffEditor.renderMarginRevertIcon': false,
};

/** Opens a file of a workspace without the side bar. */
async function openFile(browser: Browser, server: Server, workspace: string, file: string): Promise<Keyboard> {
  const page = await (await browser.newContext({ viewport: { width: 1080, height: 690 } })).newPage();
  const keyboard = new Keyboard(page);
  await openWorkbench(page, server, workspace, { openFile: remoteUri(server, join(workspace, file)) });
  await page.locator('.monaco-editor .view-line').first().waitFor({ timeout: BOOT_TIMEOUT_MS });
  await keyboard.press('Control+b');
  return keyboard;
}

async function verdictPicture(browser: Browser, server: Server, folder: string, picture: string): Promise<void> {
  const workspace = await copyWorkspace(folder, join(ROOT, 'examples/arbiter'));
  const keyboard = await openFile(browser, server, workspace, 'rtl/rr_arbiter_greedy.v');
  await keyboard.lens(/^Verify against rr_arbiter$/).waitFor({ timeout: BOOT_TIMEOUT_MS });
  await keyboard.goToLine(9);
  await keyboard.runCommand('RTL Copilot: Verify Against Reference');
  await keyboard.lens(/^✗ Different/).waitFor({ timeout: BOOT_TIMEOUT_MS });
  await keyboard.squiggles().first().waitFor();
  await keyboard.rest(keyboard.squiggles().first());
  await keyboard.page.locator('.monaco-hover:visible', { hasText: 'differs from rr_arbiter' }).first().waitFor();
  await sleep(1000);
  await keyboard.page.screenshot({ path: picture });
  await keyboard.page.context().close();
}

const HEADER = `module gray_counter (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       enable,
    output wire [3:0] code
);
`;
const COMMENT = `// Counts in Gray code: one bit of \`code\` changes at each clock edge while
// \`enable\` is high. The reset is asynchronous and active low.
`;
const BODY = `    reg [3:0] count;

    assign code = count ^ (count >> 1);

    always @(posedge clk or negedge rst_n)
        if (!rst_n)      count <= 4'd0;
        else if (enable) count <= count + 4'd1;

`;
/** The same behaviour, written in another way. */
const GOLDEN = `${HEADER.replace('output wire', 'output reg ')}    integer i;
    reg [3:0] next;
    always @* begin
        next = code;
        for (i = 2; i >= 0; i = i - 1) next[i] = next[i + 1] ^ code[i];
        next = next + 4'd1;
    end
    always @(posedge clk or negedge rst_n)
        if (!rst_n)      code <= 4'd0;
        else if (enable) code <= next ^ (next >> 1);
endmodule
`;
const THOUGHTS = [
  'A Gray code counter can be built in two ways: as a state machine over the sixteen codes, or as a binary counter whose value is converted. ',
  'The conversion is count ^ (count >> 1), and two successive values differ in one bit, so I take the second way. ',
  'The output is a wire, so it needs a continuous assignment; the register is the binary count. ',
  'The reset is asynchronous and active low: the event list gets negedge rst_n, and the condition is !rst_n. ',
  'Without enable the count must hold, so there is no else branch.',
];

async function generationPicture(browser: Browser, server: Server, folder: string, picture: string): Promise<void> {
  const workspace = await mkdtemp(join(folder, 'gray-'));
  await mkdir(join(workspace, 'golden'));
  await writeFile(join(workspace, 'gray_counter.v'), `${COMMENT}${HEADER}endmodule\n`);
  await writeFile(join(workspace, 'golden/gray_counter.v'), GOLDEN);
  const side = (file: string): object => ({ file, module: 'gray_counter' });
  await writeFile(join(workspace, '.rtl-copilot.json'), JSON.stringify({ schema: 1, references: [{ dut: side('gray_counter.v'), golden: side('golden/gray_counter.v') }] }));
  const keyboard = await openFile(browser, server, workspace, 'gray_counter.v');
  await keyboard.lens(/^Generate module$/).waitFor({ timeout: BOOT_TIMEOUT_MS });
  await keyboard.goToLine(2);
  await keyboard.runCommand('RTL Copilot: Generate Module from Comment');
  await keyboard.page.locator('.tab', { hasText: /^gray_counter: proved equivalent/ }).waitFor({ timeout: BOOT_TIMEOUT_MS });
  await sleep(1500);
  await keyboard.page.screenshot({ path: picture });
  await keyboard.page.context().close();
}

const folder = await mkdtemp(join(tmpdir(), 'rtl-copilot-picture-'));
try {
  const entry = await ensureVsCodeServer();
  const extensionsDir = await installExtension(entry, await packageExtension(join(folder, 'extension.vsix')), folder);
  await using model = await ScriptedServer.start();
  await model.script(...QUESTIONS, { request: CHAT, steps: reasons(`${HEADER}${BODY}endmodule`, 250, THOUGHTS) });
  const server = await startServer({ entry, folder, extensionsDir, env: {}, settings: { ...SETTINGS, 'rtlCopilot.model.endpoint': model.endpoint.root, 'rtlCopilot.generate.samples': 1 } });
  const browser = await launchBrowser();
  try {
    for (const [name, take] of [['verify', verdictPicture], ['generate', generationPicture]] as const) {
      const picture = join(ROOT, `media/${name}.png`);
      await take(browser, server, folder, picture);
      const { size } = await stat(picture);
      console.log(`${picture}: ${size} bytes`);
      if (size > MAX_BYTES) throw new Error(`The picture is larger than ${MAX_BYTES} bytes.`);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
