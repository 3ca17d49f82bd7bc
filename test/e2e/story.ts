/** The extension as a person sees it: real key presses, real pixels, nothing from inside the extension host. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { type TestRecord, describeError } from './report.ts';
import { type Server, copyWorkspace, openWorkbench, remoteUri } from './workbench.ts';

const SHORT_MS = 30_000;
/** How long a quick input is tried, and how long one try may take. */
const QUICK_INPUT_MS = 60_000;
const RETRY_MS = 8_000;
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

  /**
   * Opens a quick input and enters a line there. The workbench may drop a key while it is busy, or still show the quick input before, so the line
   * is entered only into an input that begins with the prefix of the one asked for, and the whole is tried anew until `offered` shows.
   */
  async #quickInput(key: string, prefix: string, line: string, offered: Locator): Promise<void> {
    const input = this.page.locator('.quick-input-widget:visible input[type=text], .quick-input-widget:visible input:not([type])').first();
    const deadline = performance.now() + QUICK_INPUT_MS;
    for (;;) {
      await this.press(key);
      try {
        await this.page.waitForFunction(`document.activeElement?.matches('.quick-input-widget input') && document.activeElement.value.startsWith('${prefix}')`, undefined, { timeout: RETRY_MS });
        await input.fill(prefix + line, { timeout: RETRY_MS });
        await offered.waitFor({ timeout: RETRY_MS });
        break;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await this.press('Escape');
      }
    }
    await this.press('Enter');
  }

  /** Opens the palette, enters the command's title and runs the entry of that title. */
  async runCommand(title: string): Promise<void> {
    await this.#quickInput('F1', '>', title, this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first());
  }

  /** Puts the cursor at the end of the line with this one-based number. */
  async goToLine(line: number): Promise<void> {
    await this.#quickInput('Control+g', ':', String(line), this.page.locator('.quick-input-list .monaco-list-row', { hasText: String(line) }).first());
    await gone(this.page.locator('.quick-input-widget:visible'));
    await this.press('End');
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

export interface Scene {
  readonly keyboard: Keyboard;
  readonly workspace: string;
  /** Saves a picture under this name, where pictures are wanted. */
  readonly shot: (name: string) => Promise<void>;
}

export type Step = readonly [title: string, run: (scene: Scene) => Promise<void>];

export async function seen(locator: Locator, timeout = SHORT_MS): Promise<void> {
  await locator.waitFor({ state: 'visible', timeout });
}

export async function gone(locator: Locator): Promise<void> {
  const deadline = performance.now() + SHORT_MS;
  while ((await locator.count()) > 0) {
    if (performance.now() > deadline) throw new Error('it did not go away');
    await sleep(50);
  }
}

async function runSteps(name: string, steps: readonly Step[], scene: Scene): Promise<TestRecord[]> {
  const records: TestRecord[] = [];
  for (const [what, run] of steps) {
    const title = `${name}: ${what}`;
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
      await scene.shot(`failure of ${name}`).catch(() => undefined);
      records.push({ title, outcome: 'failed', ms: performance.now() - started, error: describeError(error) });
    }
  }
  return records;
}

export interface Story {
  /** Stands before the title of each step. */
  readonly name: string;
  /** The file that is open at first, relative to the workspace. */
  readonly openFile: string;
  readonly steps: readonly Step[];
  /** Folder for pictures. */
  readonly pictures: string;
}

async function runOnce(browser: Browser, server: Server, folder: string, { name, openFile, steps, pictures }: Story): Promise<TestRecord[]> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
  const workspace = await copyWorkspace(folder);
  await openWorkbench(page, server, workspace, { openFile: remoteUri(server, join(workspace, openFile)) });
  const shot = async (picture: string): Promise<void> => {
    await page.screenshot({ path: join(pictures, `${picture}.png`) });
  };
  try {
    return await runSteps(name, steps, { keyboard: new Keyboard(page), workspace, shot });
  } finally {
    await page.context().close();
  }
}

/**
 * Drives the workbench from outside through the steps of a story, in a fresh workspace. A workbench on a busy machine loses a key now and then,
 * so a story that fails is told from its beginning once more; what failed at first is printed, and what fails twice has failed.
 */
export async function runStory(browser: Browser, server: Server, folder: string, story: Story): Promise<TestRecord[]> {
  await mkdir(story.pictures, { recursive: true });
  const records = await runOnce(browser, server, folder, story);
  const failed = records.find(({ outcome }) => outcome === 'failed');
  if (failed === undefined) return records;
  console.log(`${failed.title}: failed at first, so the story is told again\n${failed.error ?? ''}`);
  return runOnce(browser, server, folder, story);
}
