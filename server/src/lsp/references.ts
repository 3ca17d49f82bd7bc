import { join } from 'node:path';
import type { Logger } from '../base/logger.ts';
import type { Finding } from '../features/finding.ts';
import { goldenOf, parseReferenceFile, readReferenceFile, referenceFileName, updateReferenceFile } from '../verification/reference.ts';
import type { ModuleName, ReferenceFile } from '../verification/reference.ts';

/** The reference files of the workspace folders as they are on the disk. */
export class References {
  readonly #logger: Logger;
  readonly #byRoot = new Map<string, ReferenceFile>();
  #lastUpdate: Promise<void> = Promise.resolve();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Reads the file of a folder, unless it is known. */
  async load(root: string): Promise<ReferenceFile> {
    const known = this.#byRoot.get(root);
    if (known) return known;
    return this.reload(root);
  }

  async reload(root: string): Promise<ReferenceFile> {
    const file = await this.#read(root);
    this.#byRoot.set(root, file);
    return file;
  }

  /** What was last loaded for a folder. */
  known(root: string): ReferenceFile {
    return this.#byRoot.get(root) ?? parseReferenceFile(undefined, root);
  }

  golden(root: string, dut: ModuleName): ModuleName | undefined {
    const file = this.known(root);
    return file.kind === 'valid' ? goldenOf(file.bindings, dut) : undefined;
  }

  /**
   * Binds or, without a golden, unbinds. Answers why it was not done, in one full sentence, or undefined. Changes are made
   * one after the other, so that none is lost.
   */
  update(root: string, dut: ModuleName, golden: ModuleName | undefined): Promise<string | undefined> {
    const done = this.#lastUpdate.then(() => this.#update(root, dut, golden));
    this.#lastUpdate = done.then(() => undefined);
    return done;
  }

  async #update(root: string, dut: ModuleName, golden: ModuleName | undefined): Promise<string | undefined> {
    try {
      const update = await updateReferenceFile(root, dut, golden);
      if (update.kind === 'broken') return update.problem.message;
      this.#byRoot.set(root, { kind: 'valid', bindings: update.bindings });
      return undefined;
    } catch (error) {
      this.#logger.log('error', 'references', String(error));
      return `${join(root, referenceFileName)} could not be written; check the permissions of the folder.`;
    }
  }

  /** The findings of a folder's file: one when it is broken. */
  findings(root: string): Finding[] {
    const file = this.known(root);
    if (file.kind === 'valid') return [];
    const { offset, message } = file.problem;
    const span = { start: offset, end: offset + 1 };
    return [{ file: join(root, referenceFileName), place: { kind: 'span', span }, severity: 'error', code: 'reference-file', message, related: [] }];
  }

  async #read(root: string): Promise<ReferenceFile> {
    try {
      return await readReferenceFile(root);
    } catch (error) {
      this.#logger.log('error', 'references', String(error));
      const message = `${referenceFileName} could not be read; check its permissions.`;
      return { kind: 'broken', problem: { offset: 0, message } };
    }
  }
}
