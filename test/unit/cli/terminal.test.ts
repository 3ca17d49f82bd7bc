import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, test } from 'node:test';
import { coloured, plain } from '../../../server/src/cli/layout.ts';
import { terminalOf } from '../../../server/src/cli/terminal.ts';

class Sink extends Writable {
  text = '';
  isTTY: boolean;
  columns: number;
  readonly #colours: boolean;

  constructor(isTTY: boolean, columns = 100, colours = isTTY) {
    super();
    this.isTTY = isTTY;
    this.columns = columns;
    this.#colours = colours;
  }

  hasColors(): boolean {
    return this.#colours;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.text += chunk.toString();
    done();
  }
}

describe('terminal', () => {
  test('colour only on a terminal that has it', () => {
    assert.equal(terminalOf(new Sink(true), new Sink(true)).paint, coloured);
    assert.equal(terminalOf(new Sink(true, 80, false), new Sink(true)).paint, plain);
    assert.equal(terminalOf(new Sink(false, 80, true), new Sink(true)).paint, plain);
  });

  test('very wide terminals are not filled', () => {
    assert.equal(terminalOf(new Sink(true, 500), new Sink(true)).columns, 120);
    assert.equal(terminalOf(new Sink(true, 66), new Sink(true)).columns, 66);
  });

  test('progress replaces itself, never wraps, and is gone before other text', async () => {
    const [out, err] = [new Sink(true), new Sink(true, 10)];
    const terminal = terminalOf(out, err);
    terminal.progress('one');
    terminal.progress('a long second line');
    await terminal.write('done\n');
    assert.equal(err.text, 'one\r\u001B[Ka long se\r\u001B[K');
    assert.equal(out.text, 'done\n');
  });

  test('no progress where nobody watches', () => {
    const err = new Sink(false);
    terminalOf(new Sink(true), err).progress('one');
    assert.equal(err.text, '');
  });

  test('text that cannot be written is a failure, and a reader that went away is none', async () => {
    const failing = (code: string): Sink => {
      const sink = new Sink(false);
      sink._write = (_chunk, _encoding, done) => done(Object.assign(new Error(`${code}: no luck`), { code }));
      return sink;
    };
    await assert.rejects(terminalOf(failing('ENOSPC'), new Sink(false)).write('x'), /^OutputError: What was found could not be written to standard output: ENOSPC: no luck\.$/);
    await terminalOf(failing('EPIPE'), new Sink(false)).write('x');
  });
});
