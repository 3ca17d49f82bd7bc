import { MessageType, ShowMessageNotification } from 'vscode-languageserver';
import type { Connection } from 'vscode-languageserver';
import type { Logger } from '../base/logger.ts';
import { defaultSettings, parseSettings, settingsSection } from '../config.ts';
import type { Settings } from '../config.ts';

/** The settings of each workspace folder, fetched from the client and validated. */
export class SettingsStore {
  readonly #connection: Connection;
  readonly #logger: Logger;
  readonly #pull: boolean;
  readonly #byRoot = new Map<string | undefined, Settings>();
  readonly #reported = new Set<string>();
  /** Grows when settings were fetched. */
  revision = 0;

  /** `pull`: the client answers `workspace/configuration`. */
  constructor(connection: Connection, logger: Logger, pull: boolean) {
    this.#connection = connection;
    this.#logger = logger;
    this.#pull = pull;
  }

  /** Settings of a folder (absolute path), or of files outside of all folders. */
  of(root: string | undefined): Settings {
    return this.#byRoot.get(root) ?? this.#byRoot.get(undefined) ?? defaultSettings;
  }

  /** Fetches the settings of the folders anew. `pushed` is what a client that only pushes has sent. */
  async refresh(folders: readonly { readonly root: string; readonly uri: string }[], pushed?: unknown): Promise<void> {
    this.revision++;
    if (!this.#pull) {
      if (pushed !== undefined) this.#byRoot.set(undefined, this.#accept(sectionOf(pushed)));
      return;
    }
    const items = [{ section: settingsSection }, ...folders.map(({ uri }) => ({ section: settingsSection, scopeUri: uri }))];
    const answers: unknown[] = await this.#connection.workspace.getConfiguration(items);
    this.#byRoot.clear();
    const roots = [undefined, ...folders.map(({ root }) => root)];
    roots.forEach((root, at) => this.#byRoot.set(root, this.#accept(answers[at])));
  }

  /** A wrong value is reported once, not each time that the settings are read. */
  #accept(raw: unknown): Settings {
    const { settings, problems } = parseSettings(raw);
    for (const { message } of problems) {
      if (this.#reported.has(message)) continue;
      this.#reported.add(message);
      this.#logger.log('warn', 'settings', message);
      this.#tell(message);
    }
    return settings;
  }

  /** A notification, since the library's own helper waits for an answer. */
  #tell(message: string): void {
    this.#connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message }).catch((error: unknown) => {
      this.#logger.log('debug', 'settings', String(error));
    });
  }
}

function sectionOf(pushed: unknown): unknown {
  const isRecord = typeof pushed === 'object' && pushed !== null;
  return isRecord && settingsSection in pushed ? (pushed as Record<string, unknown>)[settingsSection] : pushed;
}
