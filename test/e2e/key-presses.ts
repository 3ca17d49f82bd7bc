/** The extension as a person sees it: real key presses, real pixels, nothing from inside the extension host. */
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { type TestRecord, describeError } from './report.ts';
import { BOOT_TIMEOUT_MS, type Server, copyWorkspace, openWorkbench, remoteUri } from './workbench.ts';

const VERIFY_MS = 60_000;
const SHORT_MS = 30_000;
const KEY_DELAY_MS = 15;

/** One person at the keyboard. */
export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** A code lens by its text. */
  lens(title: RegExp): Locator {
    return this.page.locator('.codelens-decoration a, .codelens-decoration span', { hasText: title }).first();
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key, { delay: KEY_DELAY_MS });
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text, { delay: KEY_DELAY_MS });
  }

  /** Opens the palette, types the command's title and runs the entry of exactly that title. */
  async runCommand(title: string): Promise<void> {
    await this.press('F1');
    await this.page.locator('.quick-input-widget:visible input').waitFor({ timeout: SHORT_MS });
    await this.type(title);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().waitFor({ timeout: SHORT_MS });
    await this.press('Enter');
  }

  /** Puts the cursor at the end of the line with this one-based number. */
  async goToLine(line: number): Promise<void> {
    await this.press('Control+g');
    await this.page.locator('.quick-input-widget:visible input').waitFor({ timeout: SHORT_MS });
    await this.type(String(line));
    await this.press('Enter', 'End');
  }

  /** Replaces the text of a line, without its indentation. */
  async retypeLine(line: number, text: string): Promise<void> {
    await this.goToLine(line);
    await this.press('Shift+Home');
    await this.type(text);
  }

  /** Rests the mouse on something; a plain `hover` refuses, since the underline lies below the text. */
  async rest(on: Locator): Promise<void> {
    const box = await on.boundingBox();
    assert.ok(box, 'it is on the screen');
    await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
  }

  squiggles(): Locator {
    return this.page.locator('.monaco-editor .squiggly-error');
  }
}

interface Scene {
  readonly keyboard: Keyboard;
  readonly workspace: string;
  /** Saves a picture under this name, where pictures are wanted. */
  readonly shot: (name: string) => Promise<void>;
}

type Step = readonly [title: string, run: (scene: Scene) => Promise<void>];

async function seen(locator: Locator, timeout = SHORT_MS): Promise<void> {
  await locator.waitFor({ state: 'visible', timeout });
}

async function gone(locator: Locator): Promise<void> {
  const deadline = performance.now() + SHORT_MS;
  while ((await locator.count()) > 0) {
    if (performance.now() > deadline) throw new Error('it did not go away');
    await sleep(50);
  }
}

const LOAD_LINE = 16;

const STEPS: readonly Step[] = [
  ['the editor opens with a lens that offers to select a reference', async ({ keyboard, shot }) => {
    await seen(keyboard.page.locator('.monaco-editor .view-line').first(), BOOT_TIMEOUT_MS);
    await seen(keyboard.lens(/^Select reference…$/), VERIFY_MS);
    await keyboard.goToLine(9);
    await shot('1-opened');
  }],
  ['a typed mistake is underlined, and undo takes the line away', async ({ keyboard, shot }) => {
    await keyboard.goToLine(LOAD_LINE);
    await keyboard.press('Backspace');
    await seen(keyboard.squiggles().first());
    await shot('2-syntax-error');
    await keyboard.press('Control+z');
    await gone(keyboard.squiggles());
  }],
  ['the palette offers the golden modules and takes the typed one', async ({ keyboard, workspace, shot }) => {
    await keyboard.runCommand('RTL Copilot: Select Reference (Golden) Module');
    await seen(keyboard.page.locator('.quick-input-list .monaco-list-row', { hasText: 'counter_golden' }));
    await shot('3-select-reference');
    await keyboard.type('counter_golden');
    await keyboard.press('Enter');
    await seen(keyboard.lens(/^Verify against counter_golden$/));
    const file = await readFile(join(workspace, '.rtl-copilot.json'), 'utf8');
    assert.match(file, /"module": "counter_broken".*"module": "counter_golden"/);
  }],
  ['verifying a broken module from the palette shows the verdict and underlines the output', async ({ keyboard, shot }) => {
    await keyboard.runCommand('RTL Copilot: Verify Against Reference');
    await seen(keyboard.lens(/^✗ Different: count at cycle \d+$/), VERIFY_MS);
    await seen(keyboard.squiggles().first());
    await shot('4-different');
  }],
  ['hovering the output tells what was expected and what came', async ({ keyboard, shot }) => {
    await keyboard.goToLine(LOAD_LINE);
    await keyboard.press('F8');
    await seen(keyboard.page.getByText(/count differs from counter_golden at cycle \d+: expected .* got /).first());
    await shot('5-next-problem');
    await keyboard.press('Escape');
    await keyboard.rest(keyboard.squiggles().first());
    await seen(keyboard.page.locator('.monaco-hover:visible', { hasText: 'count differs from counter_golden' }).first());
    await shot('6-hover');
    await keyboard.press('Escape');
  }],
  ['the problems view lists the mismatch with its place in the golden', async ({ keyboard, shot }) => {
    await keyboard.press('Control+Shift+m');
    await seen(keyboard.page.locator('.markers-panel .monaco-list-row', { hasText: 'count differs from counter_golden' }));
    await seen(keyboard.page.locator('.markers-panel .monaco-list-row', { hasText: 'counter_golden.v' }));
    await shot('7-problems');
    await keyboard.press('Control+Shift+m');
  }],
  ['a mended but unsaved module passes, and the mark goes', async ({ keyboard, shot }) => {
    await keyboard.page.locator('.monaco-editor .view-line').first().click();
    await keyboard.retypeLine(LOAD_LINE - 1, 'else if (load) count <= value;');
    await keyboard.retypeLine(LOAD_LINE, "else if (enable) count <= count + 8'd1;");
    await seen(keyboard.lens(/^Stale/));
    await keyboard.runCommand('RTL Copilot: Verify Against Reference');
    await seen(keyboard.lens(/^✓ /), VERIFY_MS);
    await gone(keyboard.squiggles());
    await seen(keyboard.page.locator('.tab.dirty', { hasText: 'counter_broken.v' }));
    await shot('8-passed-unsaved');
  }],
  ['a click on the verdict opens its report', async ({ keyboard, shot }) => {
    await keyboard.lens(/^✓ /).click();
    await seen(keyboard.page.locator('.tab', { hasText: /verdict|counter_broken .*counter_golden|report/i }).first());
    await shot('9-report');
    assert.equal(await keyboard.page.locator('.editor-group-container').count(), 2, 'the source stays in sight');
  }],
  ['clearing the reference brings the offer back', async ({ keyboard, workspace, shot }) => {
    await keyboard.page.locator('.tab[data-resource-name="counter_broken.v"]').click();
    await keyboard.goToLine(9);
    await keyboard.runCommand('RTL Copilot: Clear Reference');
    await seen(keyboard.lens(/^Select reference…$/));
    await shot('10-cleared');
    assert.doesNotMatch(await readFile(join(workspace, '.rtl-copilot.json'), 'utf8'), /counter_broken/);
  }],
];

async function runSteps(scene: Scene): Promise<TestRecord[]> {
  const records: TestRecord[] = [];
  for (const [name, run] of STEPS) {
    const title = `key presses: ${name}`;
    // Each step stands on the one before it.
    if (records.some((record) => record.outcome === 'failed')) {
      records.push({ title, outcome: 'skipped', ms: 0 });
      continue;
    }
    const started = performance.now();
    try {
      await run(scene);
      records.push({ title, outcome: 'passed', ms: performance.now() - started });
    } catch (error) {
      await scene.shot('failure').catch(() => undefined);
      records.push({ title, outcome: 'failed', ms: performance.now() - started, error: describeError(error) });
    }
  }
  return records;
}

/** Drives the workbench from outside. Pictures go to `pictures` when it is given. */
export async function runKeyPresses(browser: Browser, server: Server, folder: string, pictures: string): Promise<TestRecord[]> {
  await mkdir(pictures, { recursive: true });
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
  const workspace = await copyWorkspace(folder);
  await openWorkbench(page, server, workspace, { openFile: remoteUri(server, join(workspace, 'rtl/counter_broken.v')) });
  const shot = async (name: string): Promise<void> => {
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  };
  try {
    return await runSteps({ keyboard: new Keyboard(page), workspace, shot });
  } finally {
    await page.context().close();
  }
}
