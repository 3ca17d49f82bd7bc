/** Verifying as a person sees it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { TestRecord } from './report.ts';
import { gone, type Keyboard, runStory, seen, type Step } from './story.ts';
import { BOOT_TIMEOUT_MS, type Server } from './workbench.ts';

const VERIFY_MS = 60_000;
const LOAD_LINE = 16;

/** Waits until the editor shows a word dimmed, or as bright as others. */
async function untilDimmed(keyboard: Keyboard, word: string, dimmed: boolean): Promise<void> {
  const parts = `Array.from(document.querySelectorAll('.view-line span > span')).filter((part) => part.textContent.includes('${word}'))`;
  await keyboard.page.waitForFunction(`(parts => parts.length > 0 && parts.every((part) => (getComputedStyle(part).opacity < 1) === ${dimmed}))(${parts})`);
}

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
  ['what a conditional leaves out is dimmed', async ({ keyboard, shot }) => {
    await keyboard.retypeLine(12, '`ifdef NEVER_DEFINED');
    await keyboard.retypeLine(LOAD_LINE + 1, '`endif endmodule');
    await untilDimmed(keyboard, 'always', true);
    await untilDimmed(keyboard, 'endmodule', false);
    await keyboard.press('Escape');
    await shot('2-dimmed');
    await keyboard.runCommand('File: Revert File');
    await untilDimmed(keyboard, 'always', false);
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
  ['a slip is found without a model, and the change that mends it waits for a click', async ({ keyboard, shot }) => {
    await keyboard.page.locator('.monaco-editor .view-line').first().click();
    await keyboard.retypeLine(LOAD_LINE, "else if (enable) count <= count + 8'd2;");
    await keyboard.runCommand('RTL Copilot: Find a Small Fix Against Reference');
    await seen(keyboard.lens(/^✗ Different/), VERIFY_MS);
    // A workbench without a screen keeps its messages in the list.
    await keyboard.runCommand('Notifications: Show Notifications');
    const offer = keyboard.page.locator('.notifications-center', { hasText: /counter_broken is right with one change in .*counter_broken\.v:16: .*8'd2.*8'd1/ });
    await seen(offer, VERIFY_MS);
    await seen(keyboard.page.locator('.view-line', { hasText: "8'd2" }).first());
    await shot('9-small-fix');
    await offer.getByRole('button', { name: 'Apply' }).click();
    await gone(keyboard.page.locator('.view-line', { hasText: "8'd2" }));
    await keyboard.runCommand('RTL Copilot: Verify Against Reference');
    await seen(keyboard.lens(/^✓ /), VERIFY_MS);
  }],
  ['a click on the verdict opens its report', async ({ keyboard, shot }) => {
    await keyboard.lens(/^✓ /).click();
    await seen(keyboard.page.locator('.tab', { hasText: /verdict|counter_broken .*counter_golden|report/i }).first());
    await shot('10-report');
    assert.equal(await keyboard.page.locator('.editor-group-container').count(), 2, 'the source stays in sight');
  }],
  ['clearing the reference brings the offer back', async ({ keyboard, workspace, shot }) => {
    await keyboard.page.locator('.tab[data-resource-name="counter_broken.v"]').click();
    await keyboard.goToLine(9);
    await keyboard.runCommand('RTL Copilot: Clear Reference');
    await seen(keyboard.lens(/^Select reference…$/));
    await shot('11-cleared');
    assert.doesNotMatch(await readFile(join(workspace, '.rtl-copilot.json'), 'utf8'), /counter_broken/);
  }],
];

/** Verifies from the keyboard. Pictures go to `pictures`. */
export async function runKeyPresses(browser: Browser, server: Server, folder: string, pictures: string): Promise<TestRecord[]> {
  return runStory(browser, server, folder, { name: 'key presses', openFile: 'rtl/counter_broken.v', steps: STEPS, pictures });
}
