/**
 * Runs the embedded Yosys on the files of the working directory, as the installed program would, in a process of its own.
 * Arguments: the engine's JavaScript module, then the arguments of Yosys.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A directory of the engine's virtual file system. */
interface Tree {
  [name: string]: Tree | string | Uint8Array;
}

interface Engine {
  readonly runYosys: (args: string[], files: Tree, options: { stdout: Sink; stderr: Sink; decodeASCII: boolean }) => Promise<Tree>;
}

type Sink = (bytes: Uint8Array | null) => void;

async function readTree(dir: string): Promise<Tree> {
  const tree: Tree = {};
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name);
    if (entry.isDirectory()) tree[entry.name] = await readTree(file);
    else if (entry.isFile()) tree[entry.name] = await readFile(file);
  }
  return tree;
}

async function writeTree(dir: string, tree: Tree, before: Tree): Promise<void> {
  for (const [name, content] of Object.entries(tree)) {
    const file = path.join(dir, name);
    if (typeof content === 'string' || content instanceof Uint8Array) {
      if (!Object.hasOwn(before, name)) await writeFile(file, content);
    } else {
      const old = before[name];
      await mkdir(file, { recursive: true });
      await writeTree(file, content, typeof old === 'object' && !(old instanceof Uint8Array) ? old : {});
    }
  }
}

async function main(bundle: string, args: string[]): Promise<number> {
  const { runYosys } = (await import(pathToFileURL(bundle).href)) as Engine;
  const files = await readTree(process.cwd());
  const to =
    (stream: NodeJS.WriteStream): Sink =>
    (bytes) => {
      if (bytes !== null) stream.write(Uint8Array.from(bytes));
    };
  try {
    const after = await runYosys(args, files, { stdout: to(process.stdout), stderr: to(process.stderr), decodeASCII: false });
    await writeTree(process.cwd(), after, files);
    return 0;
  } catch (error) {
    // The engine reports a failed script with an error object that carries an exit code; anything else is a defect of its own.
    if (error instanceof Error && 'code' in error && typeof error.code === 'number') return error.code;
    process.stderr.write(`ERROR: The embedded engine failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return 70;
  }
}

const [bundle = '', ...args] = process.argv.slice(2);
process.exitCode = await main(bundle, args);
