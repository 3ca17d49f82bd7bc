import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LoadedDesign } from '../analysis/design.ts';
import { diskFiles } from '../base/files.ts';
import { formatCaseFile, parseCaseFile, withCase } from './cases.ts';
import { toTestbench } from './testbench.ts';
import { toVcd } from './vcd.ts';
import type { RegressionCase, VerifyResult } from './verdict.ts';
import type { Recording } from './witness.ts';

/** Samples that a file holds at most; a longer run is cut at its end. */
const MOST_SAMPLES = 4000;

export interface ArtefactTask {
  /** A case to add to a case file; undefined when none is asked for. */
  readonly saveCase: { readonly file: string; readonly module: string; readonly added: RegressionCase | undefined } | undefined;
  readonly testbenchFile: string | undefined;
  readonly vcdFile: string | undefined;
  /** The stimulus and answers to write down; undefined when there are none. */
  readonly recording: ((mostSamples: number) => Recording) | undefined;
  readonly dut: LoadedDesign | undefined;
  readonly goldenName: string | undefined;
}

export interface Written {
  readonly artefacts: VerifyResult['artefacts'];
  readonly notes: readonly string[];
}

/** Writes the files that the caller asked for; what could not be written becomes a note, because the verdict stands without it. */
export async function writeArtefacts(task: ArtefactTask): Promise<Written> {
  const notes: string[] = [];
  const write = async (file: string | undefined, what: string, make: (recording: Recording) => string | undefined): Promise<string | undefined> => {
    if (file === undefined) return undefined;
    const text = task.recording === undefined ? undefined : make(task.recording(MOST_SAMPLES));
    if (text === undefined) {
      notes.push(`No ${what} was written, because there is no stimulus to show.`);
      return undefined;
    }
    try {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
      return file;
    } catch (error) {
      notes.push(`The ${what} could not be written: ${error instanceof Error ? error.message : String(error)}.`);
      return undefined;
    }
  };
  const { dut, goldenName } = task;
  const testbench = await write(task.testbenchFile, 'testbench', (recording) =>
    dut === undefined || goldenName === undefined ? undefined : toTestbench(recording, dut, goldenName),
  );
  const vcd = await write(task.vcdFile, 'waveform', toVcd);
  const caseFile = task.saveCase === undefined ? undefined : await saveCase(task.saveCase, notes);
  return { artefacts: { testbench, vcd, caseFile }, notes };
}

async function saveCase({ file, module, added }: NonNullable<ArtefactTask['saveCase']>, notes: string[]): Promise<string | undefined> {
  if (added === undefined) {
    notes.push('No case was saved, because no simulated difference was found.');
    return undefined;
  }
  const known = parseCaseFile(await diskFiles.read(file), file);
  if (known.kind === 'broken') {
    notes.push(known.reason);
    return undefined;
  }
  const temporary = `${file}.${String(process.pid)}.tmp`;
  try {
    await writeFile(temporary, formatCaseFile(withCase(known.modules, module, added)));
    await rename(temporary, file);
    return file;
  } catch (error) {
    await rm(temporary, { force: true });
    notes.push(`The case could not be saved: ${error instanceof Error ? error.message : String(error)}.`);
    return undefined;
  }
}
