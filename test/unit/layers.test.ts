import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';

/** The floors of `server/src`, lowest first. An import may go down or stay on its floor, never up. */
const FLOORS: readonly { readonly name: string; readonly holds: readonly string[] }[] = [
  { name: 'base', holds: ['base/'] },
  { name: 'config', holds: ['config.ts', 'config/'] },
  { name: 'syntax', holds: ['syntax/'] },
  { name: 'analysis', holds: ['analysis/'] },
  { name: 'tools', holds: ['tools/'] },
  { name: 'verification', holds: ['verification/'] },
  { name: 'model', holds: ['model/'] },
  { name: 'generation', holds: ['generation/'] },
  { name: 'core', holds: ['core.ts'] },
  { name: 'features', holds: ['features/'] },
  { name: 'lsp', holds: ['lsp/', 'protocol.ts'] },
  { name: 'entries', holds: ['main.ts', 'cli.ts', 'mcp.ts', 'cli/', 'mcp/'] },
];

const SERVER = 'server/src/';
const CLIENT = 'client/src/';
/** The one file of the server that the client may read: the names and types both sides agree on. */
const SHARED_WITH_CLIENT = `${SERVER}protocol.ts`;
const PROCESS_RUNNER = `${SERVER}base/process.ts`;

const SPAWNING = /^(node:)?(child_process|cluster)$|^execa$/;
const LANGUAGE_SERVER = /^vscode-(languageserver|jsonrpc)(-|\/|$)/;
const EDITOR = /^vscode(-languageclient)?(\/|$)/;

/** Repository path (forward slashes) to source text. */
type FileMap = Readonly<Record<string, string>>;

function floorOf(path: string): number {
  const inside = path.slice(SERVER.length);
  return FLOORS.findIndex((floor) => floor.holds.some((place) => (place.endsWith('/') ? inside.startsWith(place) : inside === place)));
}

/** Module specifiers of a file: static, type-only, re-exporting, dynamic and `require`. */
function specifiers(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName);
}

function relativeTarget(path: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
}

function checkServerPackage(path: string, specifier: string): string[] {
  const problems: string[] = [];
  if (EDITOR.test(specifier)) problems.push(`${path} imports ${specifier}: the server knows no editor`);
  const mayUseProtocolLibrary = path.startsWith(`${SERVER}lsp/`) || path === `${SERVER}main.ts`;
  if (LANGUAGE_SERVER.test(specifier) && !mayUseProtocolLibrary) problems.push(`${path} imports ${specifier}: only lsp/ and main.ts may`);
  if (SPAWNING.test(specifier) && path !== PROCESS_RUNNER) problems.push(`${path} imports ${specifier}: only base/process.ts starts processes`);
  return problems;
}

function checkServerImport(path: string, target: string): string[] {
  if (!target.startsWith(SERVER)) return [`${path} imports ${target}: the server imports nothing from outside itself`];
  const from = FLOORS[floorOf(path)];
  const to = FLOORS[floorOf(target)];
  if (from === undefined || to === undefined) return [];
  return FLOORS.indexOf(to) > FLOORS.indexOf(from) ? [`${path} (${from.name}) imports ${target} (${to.name}): an import may not go up`] : [];
}

function checkFile(path: string, text: string): string[] {
  const problems: string[] = [];
  const isServer = path.startsWith(SERVER);
  if (isServer && floorOf(path) < 0) problems.push(`${path} belongs to no floor`);
  for (const specifier of specifiers(text)) {
    const target = relativeTarget(path, specifier);
    if (isServer) problems.push(...(target === undefined ? checkServerPackage(path, specifier) : checkServerImport(path, target)));
    else if (target?.startsWith(SERVER) === true && target !== SHARED_WITH_CLIENT) {
      problems.push(`${path} imports ${target}: the client shares only protocol.ts with the server`);
    }
  }
  return problems;
}

/** Import circles, each told once, as the path of files that closes it. Depth-first search with the usual three colours. */
function findCircles(files: FileMap): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const trail: string[] = [];
  const circles: string[] = [];
  const visit = (path: string): void => {
    const text = files[path];
    if (text === undefined || state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      circles.push(`import circle: ${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}`);
      return;
    }
    state.set(path, 'open');
    trail.push(path);
    for (const specifier of specifiers(text)) {
      const target = relativeTarget(path, specifier);
      if (target !== undefined) visit(target);
    }
    trail.pop();
    state.set(path, 'done');
  };
  for (const path of Object.keys(files)) visit(path);
  return circles;
}

function layerProblems(files: FileMap): string[] {
  return [...Object.entries(files).flatMap(([path, text]) => checkFile(path, text)), ...findCircles(files)];
}

/** Checks a small imagined tree: one pattern for each problem that must be reported, in order, and no other. */
function check(files: FileMap, ...expected: RegExp[]): void {
  const problems = layerProblems(files);
  assert.equal(problems.length, expected.length, problems.join('\n'));
  expected.forEach((pattern, index) => {
    assert.match(problems[index] ?? '', pattern);
  });
}

function readTree(root: string, folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const absolute = join(entry.parentPath, entry.name);
    files[absolute.slice(root.length + 1).replaceAll('\\', '/')] = readFileSync(absolute, 'utf8');
  }
  return files;
}

describe('the layer rules', () => {
  test('an import that goes down or stays on its floor is fine', () => {
    check({
      'server/src/base/text.ts': '',
      'server/src/syntax/tree.ts': "import { a } from '../base/text.ts';",
      'server/src/syntax/parser.ts': "import type { Tree } from './tree.ts'; import { readFile } from 'node:fs/promises';",
      'server/src/main.ts': "import { Parser } from './syntax/parser.ts'; import { createConnection } from 'vscode-languageserver/node';",
    });
  });

  const upward = /base\/text\.ts \(base\) imports server\/src\/syntax\/tree\.ts \(syntax\): an import may not go up/;
  const upwardForms: Record<string, string> = {
    static: "import { a } from '../syntax/tree.ts';",
    'side-effect': "import '../syntax/tree.ts';",
    'type-only': "import type { A } from '../syntax/tree.ts';",
    're-exporting': "export { a } from '../syntax/tree.ts';",
    dynamic: "export const a = () => import('../syntax/tree.ts');",
    'type expression': "export type A = import('../syntax/tree.ts').A;",
  };
  for (const [form, text] of Object.entries(upwardForms)) {
    test(`an upward import is a problem, ${form}`, () => {
      check({ 'server/src/base/text.ts': text, 'server/src/syntax/tree.ts': '' }, upward);
    });
  }

  test('every floor may import the one below and not the one above', () => {
    const example = (place: string): string => SERVER + (place.endsWith('/') ? `${place}x.ts` : place);
    const places = FLOORS.map((floor) => example(floor.holds[0] ?? ''));
    for (let index = 1; index < places.length; index += 1) {
      const [low, high] = [places[index - 1] ?? '', places[index] ?? ''];
      const path = (from: string, to: string): string => `import './${posix.relative(posix.dirname(from), to)}';`;
      check({ [low]: '', [high]: path(high, low) });
      check({ [low]: path(low, high), [high]: '' }, /an import may not go up/);
    }
  });

  test('a file on no floor is a problem', () => {
    check({ 'server/src/helpers/misc.ts': '' }, /helpers\/misc\.ts belongs to no floor/);
    check({ 'server/src/index.ts': '' }, /index\.ts belongs to no floor/);
  });

  test('an import circle is a problem, told once', () => {
    check(
      {
        'server/src/base/a.ts': "import './b.ts';",
        'server/src/base/b.ts': "import type { C } from './c.ts';",
        'server/src/base/c.ts': "export * from './a.ts';",
      },
      /import circle: server\/src\/base\/a\.ts -> server\/src\/base\/b\.ts -> server\/src\/base\/c\.ts -> server\/src\/base\/a\.ts$/,
    );
    check({ 'client/src/a.ts': "import './b.ts';", 'client/src/b.ts': "import './a.ts';" }, /import circle: client/);
    check({ 'server/src/base/a.ts': "import './a.ts';" }, /import circle/);
  });

  test('two ways to the same file are no circle', () => {
    check({
      'server/src/base/top.ts': "import './left.ts'; import './right.ts';",
      'server/src/base/left.ts': "import './low.ts';",
      'server/src/base/right.ts': "import './low.ts';",
      'server/src/base/low.ts': '',
    });
  });

  test('the server knows no editor', () => {
    check({ 'server/src/lsp/a.ts': "import * as vscode from 'vscode';" }, /imports vscode: the server knows no editor/);
    check({ 'server/src/main.ts': "import type { Uri } from 'vscode';" }, /the server knows no editor/);
    check({ 'server/src/lsp/a.ts': "import 'vscode-languageclient/node';" }, /the server knows no editor/);
    check({ 'client/src/extension.ts': "import * as vscode from 'vscode'; import 'vscode-languageclient/node';" });
  });

  test('the protocol library stays in lsp/ and main.ts', () => {
    const text = "import { DiagnosticSeverity } from 'vscode-languageserver';";
    check({ 'server/src/lsp/convert.ts': text, 'server/src/main.ts': text });
    for (const path of ['features/lens.ts', 'core.ts', 'protocol.ts', 'cli.ts']) {
      check({ [SERVER + path]: text }, /imports vscode-languageserver: only lsp\/ and main\.ts may/);
    }
    check({ 'server/src/features/a.ts': "import 'vscode-languageserver-textdocument';" }, /only lsp\/ and main\.ts may/);
    check({ 'server/src/features/a.ts': "import type { Range } from 'vscode-languageserver/node';" }, /only lsp\/ and main\.ts may/);
    check({ 'server/src/features/a.ts': "import 'vscode-jsonrpc/node.js';" }, /only lsp\/ and main\.ts may/);
  });

  test('only the process runner starts processes', () => {
    for (const name of ['child_process', 'node:child_process', 'execa', 'node:cluster']) {
      const text = `import * as it from '${name}';`;
      check({ 'server/src/base/process.ts': text });
      check({ 'server/src/tools/iverilog.ts': text }, /only base\/process\.ts starts processes/);
      check({ 'server/src/cli.ts': text }, /only base\/process\.ts starts processes/);
      check({ 'server/src/base/processes.ts': text }, /only base\/process\.ts starts processes/);
    }
    check({ 'server/src/tools/a.ts': "const cp = require('child_process');" }, /only base\/process\.ts starts processes/);
    check({ 'server/src/tools/a.ts': "const cp = await import('node:child_process');" }, /only base\/process\.ts starts processes/);
  });

  test('the client shares only protocol.ts with the server, and the server takes nothing from outside', () => {
    check({ 'client/src/a.ts': "import '../../server/src/protocol.ts';", 'server/src/protocol.ts': '' });
    check({ 'client/src/commands/a.ts': "import '../../../server/src/core.ts';", 'server/src/core.ts': '' }, /shares only protocol\.ts/);
    check({ 'server/src/lsp/a.ts': "import '../../../client/src/a.ts';", 'client/src/a.ts': '' }, /imports nothing from outside itself/);
  });
});

test('the source tree keeps the layer rules', () => {
  const root = join(import.meta.dirname, '../..');
  const files = { ...readTree(root, 'server/src'), ...readTree(root, 'client/src') };
  assert.ok(Object.keys(files).some((path) => path.startsWith(SERVER)) && Object.keys(files).some((path) => path.startsWith(CLIENT)));
  assert.deepEqual(layerProblems(files), []);
});
