import * as vscode from 'vscode';
import { clientNotifications } from '../../server/src/protocol.ts';
import type { ServerClient } from './client.ts';

const keyName = 'model.apiKey';

/** The key of the model server: kept by the editor's secret storage, handed to the language server in memory only. */
export class ApiKey implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #client: ServerClient;
  readonly #subscriptions: vscode.Disposable;

  constructor(secrets: vscode.SecretStorage, client: ServerClient) {
    this.#secrets = secrets;
    this.#client = client;
    this.#subscriptions = vscode.Disposable.from(
      secrets.onDidChange(({ key }) => {
        if (key === keyName) void this.#send();
      }),
      client.onState((state) => {
        if (state === 'running') void this.#send();
      }),
    );
  }

  /** Asks for a key; an empty one removes what is stored. */
  async ask(): Promise<void> {
    const key = await vscode.window.showInputBox({
      title: 'API Key of the Model Server',
      prompt: 'It is kept in the secret storage of the editor and sent only to the server of the setting rtlCopilot.model.endpoint. Leave it empty to remove the stored key.',
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined) return;
    if (key.trim() === '') await this.#secrets.delete(keyName);
    else await this.#secrets.store(keyName, key.trim());
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #send(): Promise<void> {
    await this.#client.notify(clientNotifications.apiKey, { key: await this.#secrets.get(keyName) });
  }
}
