import type { DesignInput } from '../analysis/design.ts';
import { libraryFiles } from '../features/closure.ts';
import type { ModuleName } from '../verification/reference.ts';
import type { VerifyOptions } from '../verification/verdict.ts';
import type { ServerContext } from './context.ts';

/** Absolute paths of the files that define what a module instantiates and imports. */
export function libraryFilesOf(context: ServerContext, { file, module }: ModuleName): string[] {
  const known = context.index.module(file, module);
  return known ? libraryFiles(known, (used) => context.index.definitions(used)) : [];
}

/** A module as a verification reads it: its unsaved text where it is open, with the project's settings. */
export function designOf(context: ServerContext, name: ModuleName, libraries = libraryFilesOf(context, name)): DesignInput {
  const { file, module } = name;
  const text = context.sources.unsaved(file);
  const { context: source, units } = context.projectOf(file);
  return { file, module, libraryFiles: libraries, ...(units.length === 0 ? {} : { units }), ...source, ...(text === undefined ? {} : { text }) };
}

/** How the settings want modules of a file to be verified. */
export function verifyOptionsFor(context: ServerContext, file: string): VerifyOptions {
  const settings = context.settingsFor(file);
  return {
    clocks: [],
    resets: [],
    cycles: settings['verify.cycles'] === 0 ? undefined : settings['verify.cycles'],
    seed: settings['verify.seed'],
    timeoutMs: settings['verify.timeout'] * 1000,
    engine: settings['verify.engine'],
    prove: settings['verify.prove'],
    unknowns: settings['verify.unknowns'],
  };
}
