import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { defaultSettings, parseSettings } from '../../server/src/config.ts';
import type { SettingDefinition } from '../../server/src/config/definition.ts';
import { configurationSchema, restrictedSettings } from '../../server/src/config/manifest.ts';
import { settingDefinitions } from '../../server/src/config/settings.ts';
import { commands } from '../../server/src/protocol.ts';

interface Manifest {
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly languages: readonly { readonly id: string; readonly extensions: readonly string[]; readonly configuration: string }[];
    readonly grammars: readonly { readonly language: string; readonly scopeName: string; readonly path: string }[];
    readonly jsonValidation: readonly { readonly fileMatch: string; readonly url: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string }[]>>;
  };
}

const root = join(import.meta.dirname, '..', '..');
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8')) as unknown;
const manifest = readJson('package.json') as Manifest;

describe('the manifest', () => {
  it('contributes exactly the declared settings', () => {
    assert.deepEqual(manifest.contributes.configuration.properties, JSON.parse(JSON.stringify(configurationSchema())));
  });

  it('restricts in an untrusted workspace the settings that name programs', () => {
    assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, restrictedSettings());
    assert.deepEqual(restrictedSettings(), ['rtlCopilot.iverilog.path', 'rtlCopilot.yosys.path', 'rtlCopilot.verilator.path']);
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  });

  it('contributes exactly the commands of the protocol, with their titles in the palette', () => {
    const palette = manifest.contributes.commands.map(({ command, category, title }) => [command, `${category}: ${title}`]);
    assert.deepEqual(new Map(palette as [string, string][]), new Map([
      [commands.verify, 'RTL Copilot: Verify Against Reference'],
      [commands.findFix, 'RTL Copilot: Find a Small Fix Against Reference'],
      [commands.selectReference, 'RTL Copilot: Select Reference (Golden) Module'],
      [commands.clearReference, 'RTL Copilot: Clear Reference'],
      [commands.showVerdict, 'RTL Copilot: Show Last Verdict'],
      [commands.showInstances, 'RTL Copilot: Show Instances'],
      [commands.restartServer, 'RTL Copilot: Restart Server'],
      [commands.showLog, 'RTL Copilot: Show Log'],
      [commands.doctor, 'RTL Copilot: Doctor'],
      [commands.generate, 'RTL Copilot: Generate Module from Comment'],
      [commands.explain, 'RTL Copilot: Explain Module'],
      [commands.fixFinding, 'RTL Copilot: Fix Finding with Model'],
      [commands.repair, 'RTL Copilot: Repair Against Reference'],
      [commands.acceptProposal, 'RTL Copilot: Accept Generated Module'],
      [commands.rejectProposal, 'RTL Copilot: Reject Generated Module'],
      [commands.chooseProposal, 'RTL Copilot: Choose Another Generated Module'],
      [commands.stopGeneration, 'RTL Copilot: Stop Generating'],
      [commands.answerNow, 'RTL Copilot: Answer Now'],
      [commands.showReasoning, 'RTL Copilot: Show Reasoning'],
      [commands.toggleSuggestions, 'RTL Copilot: Toggle Suggestions While Typing'],
      [commands.setApiKey, 'RTL Copilot: Set API Key'],
      [commands.openSample, 'RTL Copilot: Open Sample'],
      [commands.findModel, 'RTL Copilot: Look for a Model Server'],
    ]));
    const known = new Set<string>(Object.values(commands));
    for (const { command } of Object.values(manifest.contributes.menus).flat()) assert.ok(known.has(command), command);
  });

  it('names only files that are there and are valid JSON', () => {
    const { languages, grammars, jsonValidation } = manifest.contributes;
    for (const path of [...languages.map(({ configuration }) => configuration), ...grammars.map((grammar) => grammar.path), ...jsonValidation.map(({ url }) => url)]) {
      assert.ok(existsSync(join(root, path)), path);
      assert.ok(readJson(path));
    }
    assert.deepEqual(languages.map(({ id, extensions }) => [id, ...extensions]), [['verilog', '.v', '.vh'], ['systemverilog', '.sv', '.svh']]);
    for (const { path, scopeName } of grammars) assert.equal((readJson(path) as { scopeName: string }).scopeName, scopeName);
  });

  it('names grammars whose patterns are regular expressions and whose includes lead somewhere', () => {
    const scopes = new Map(manifest.contributes.grammars.map(({ path, scopeName }) => [scopeName, readJson(path) as { repository: object }]));
    const visit = (below: unknown, own: { repository: object }): void => {
      if (typeof below !== 'object' || below === null) return;
      for (const [key, value] of Object.entries(below)) {
        if ((key === 'match' || key === 'begin' || key === 'end') && typeof value === 'string') assert.ok(new RegExp(value));
        if (key === 'include' && typeof value === 'string') {
          const [scope = '', rule] = value.split('#');
          const grammar = scope === '' ? own : scopes.get(scope);
          assert.ok(grammar, value);
          if (rule !== undefined) assert.ok(rule in grammar.repository, value);
        } else visit(value, own);
      }
    };
    for (const grammar of scopes.values()) visit(grammar, grammar);
  });
});

describe('settings', () => {
  it('have defaults that are valid', () => {
    assert.deepEqual(parseSettings(defaultSettings), { settings: defaultSettings, problems: [] });
    assert.deepEqual(parseSettings(undefined), { settings: defaultSettings, problems: [] });
    assert.deepEqual(parseSettings({ verify: { seed: null } }), { settings: defaultSettings, problems: [] });
  });

  it('are read flat and nested', () => {
    const expected = { ...defaultSettings, 'verify.seed': 7, defines: { 'a.b': '' } };
    assert.deepEqual(parseSettings({ 'verify.seed': 7, defines: { 'a.b': '' } }).settings, expected);
    assert.deepEqual(parseSettings({ verify: { seed: 7 }, defines: { 'a.b': '' } }).settings, expected);
  });

  it('that are wrong take their default and are reported by name', () => {
    const wrong = {
      'iverilog.path': 3,
      includeDirs: ['a', 1],
      defines: { A: 1 },
      'verify.engine': 'toString',
      'verify.prove': 'yes',
      'verify.cycles': -1,
      'verify.timeout': 0.5,
      'codeLens.enable': [],
      'model.temperature': 2.5,
      'model.topP': '0.5',
    };
    const { settings, problems } = parseSettings(wrong);
    assert.deepEqual(settings, defaultSettings);
    assert.deepEqual(problems.map(({ setting }) => setting).sort(), Object.keys(wrong).map((name) => `rtlCopilot.${name}`).sort());
    const engine = problems.find(({ setting }) => setting === 'rtlCopilot.verify.engine');
    assert.equal(engine?.message, 'The setting rtlCopilot.verify.engine must be one of auto, iverilog, verilator, yosys, yosys-wasm; its default is used instead.');
  });

  it('that say where text may be sent cannot be set by a workspace', () => {
    const wherever = ['model.endpoint', 'model.allowedHosts', 'model.headers', 'model.caFile', 'infill.endpoint'] as const;
    for (const name of wherever) assert.equal(settingDefinitions[name].scope, 'machine', name);
  });

  it('are always complete and valid, whatever is sent', () => {
    const names = Object.keys(settingDefinitions);
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom(...names), fc.anything())), (raw) => {
        const { settings } = parseSettings(raw);
        assert.deepEqual(Object.keys(settings), names);
        assert.deepEqual(parseSettings(settings).problems, []);
      }),
    );
  });

  it('say their unit where they are numbers', () => {
    for (const [name, definition] of Object.entries(settingDefinitions) as [string, SettingDefinition][]) {
      assert.match(definition.description, /\.$/, name);
      if (definition.type === 'integer') assert.match(definition.description, /seconds|cycles|files|seed|tokens|samples/i, name);
    }
  });
});
