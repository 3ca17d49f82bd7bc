/** Generating and completing as a person sees it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import { MODEL_NAME, script, type ScriptedServer } from './model.ts';
import type { TestRecord } from './report.ts';
import { gone, runStory, seen, type Keyboard, type Step } from './story.ts';
import { BOOT_TIMEOUT_MS, type Server } from './workbench.ts';

const FILE = 'rtl/add4.v';

/** The page of the reasoning view. */
function reasoning(page: Page): FrameLocator {
  return page.frameLocator('iframe.webview').frameLocator('#active-frame');
}

function preview({ page }: Keyboard): Locator {
  return page.locator('.tab', { hasText: /^add4 \(\d of 2\): compiles, interface matches, 4 of 4 agree/ });
}

function ghostText({ page }: Keyboard): Locator {
  return page.locator('[class*=ghost-text]:visible').first();
}

/** The text of the line with the cursor. */
async function lineAt({ page }: Keyboard, text: RegExp): Promise<Locator> {
  const line = page.locator('.view-line', { hasText: text }).first();
  await seen(line);
  return line;
}

function stepsWith(model: ScriptedServer): readonly Step[] {
  return [
    ['a comment above an empty module offers to generate it, and the status names the model', async ({ keyboard, shot }) => {
      await model.script(...script({ pauseMs: 400, suggestion: '' }));
      await seen(keyboard.page.locator('.monaco-editor .view-line').first(), BOOT_TIMEOUT_MS);
      await seen(keyboard.lens(/^Generate module$/), BOOT_TIMEOUT_MS);
      await seen(keyboard.page.locator('.statusbar-item', { hasText: MODEL_NAME }));
      await keyboard.goToLine(1);
      await shot('20-offer');
    }],
    ['the reasoning is shown while the model thinks, and never in the code', async ({ keyboard, shot }) => {
      await keyboard.runCommand('RTL Copilot: Generate Module from Comment');
      const page = reasoning(keyboard.page);
      await page.getByText('so that no carry').or(page.getByText('the carry would be lost')).first().waitFor();
      await page.getByRole('button', { name: 'Stop' }).waitFor();
      await shot('21-reasoning');
      assert.equal(await keyboard.page.locator('.editor-instance .view-line', { hasText: 'largest sum' }).count(), 0);
    }],
    ['the module is previewed beside the text with the exact words about it, and rejected by a key', async ({ keyboard, workspace, shot }) => {
      await seen(preview(keyboard), BOOT_TIMEOUT_MS);
      await shot('22-preview');
      await keyboard.press('Control+Backspace');
      await gone(preview(keyboard));
      assert.equal(await keyboard.page.locator('.tab.dirty').count(), 0, 'the document is as it was');
      assert.doesNotMatch(await readFile(join(workspace, FILE), 'utf8'), /assign/);
    }],
    ['another of the modules is chosen and accepted by keys, and one undo takes it back', async ({ keyboard, shot }) => {
      await model.script(...script({ pauseMs: 0, suggestion: '' }));
      await keyboard.press('Control+Alt+g');
      await seen(preview(keyboard), BOOT_TIMEOUT_MS);
      await keyboard.runCommand('RTL Copilot: Choose Another Generated Module');
      await keyboard.page.locator('.quick-input-list .monaco-list-row').nth(1).waitFor();
      await shot('23-choose');
      await keyboard.press('ArrowDown', 'Enter');
      await seen(keyboard.page.locator('.tab', { hasText: /^add4 \(2 of 2\)/ }));
      await gone(keyboard.page.locator('.quick-input-widget:visible'));
      await keyboard.press('Control+Enter');
      await gone(keyboard.page.locator('.tab', { hasText: /^add4 \(/ }));
      await lineAt(keyboard, /assign\s+sum\s+=/);
      await shot('24-accepted');
      await keyboard.press('Control+z');
      await gone(keyboard.page.locator('.view-line', { hasText: /assign\s+sum/ }));
      assert.equal(await keyboard.page.locator('.tab.dirty').count(), 0);
    }],
    ['a suggestion is shown while typing, and accepted by word and by Tab', async ({ keyboard, shot }) => {
      await model.script(...script({ pauseMs: 0, suggestion: 'sum = a + b;' }));
      await keyboard.goToLine(6);
      await gone(keyboard.page.locator('.quick-input-widget:visible'));
      await keyboard.press('Enter');
      await keyboard.type('assign ');
      await seen(ghostText(keyboard));
      await shot('25-suggestion');
      await keyboard.press('Control+ArrowRight');
      await lineAt(keyboard, /assign\s+sum/);
      await seen(ghostText(keyboard));
      await keyboard.press('Tab');
      await lineAt(keyboard, /assign\s+sum\s+=\s+a\s+\+\s+b;/);
      await shot('26-suggestion-accepted');
    }],
    ['a click on the status item switches suggestions off', async ({ keyboard }) => {
      await keyboard.page.locator('.statusbar-item', { hasText: MODEL_NAME }).click();
      await seen(keyboard.page.locator('.statusbar-item[aria-label*="are off"], .statusbar-item [aria-label*="are off"]').first());
      await keyboard.press('Enter');
      await keyboard.type('assign ');
      await keyboard.page.waitForTimeout(1500);
      assert.equal(await keyboard.page.locator('[class*=ghost-text]:visible').count(), 0);
    }],
  ];
}

/** Generates and completes from the keyboard. */
export async function runGeneration(browser: Browser, server: Server, folder: string, pictures: string, model: ScriptedServer): Promise<TestRecord[]> {
  return runStory(browser, server, folder, { name: 'generating', openFile: FILE, steps: stepsWith(model), pictures });
}
