import type { SettingDefinition } from './definition.ts';

/** What is shown in the editor, and which files are looked at for it. */
export const editorSettings = {
  'diagnostics.enable': {
    type: 'boolean',
    default: true,
    scope: 'resource',
    description: 'Show syntax errors while typing.',
  },
  'diagnostics.delay': {
    type: 'integer',
    default: 300,
    minimum: 0,
    maximum: 10_000,
    scope: 'resource',
    description: 'Quiet time after the last key press before syntax errors are updated, in milliseconds.',
  },
  rules: {
    type: 'map',
    default: {},
    scope: 'resource',
    choices: {
      error: 'Show what the rule finds as an error.',
      warning: 'Show what the rule finds as a warning.',
      information: 'Show what the rule finds as information.',
      hint: 'Show what the rule finds as a hint.',
      off: 'Do not apply the rule.',
    },
    description: 'Levels of rules that differ from their defaults: name to level, as in `{ "inferred-latch": "error", "unused": "off" }`. A finding names its rule.',
  },
  'lint.tool': {
    type: 'choice',
    default: 'auto',
    scope: 'resource',
    choices: {
      auto: 'Verilator where it is installed, else Icarus Verilog.',
      verilator: 'Verilator only.',
      iverilog: 'Icarus Verilog only.',
      off: 'No program is run.',
    },
    description: 'Program that looks over a file while you edit it, with what is not saved yet. Nothing is run in a workspace that is not trusted.',
  },
  'codeLens.enable': {
    type: 'boolean',
    default: true,
    scope: 'resource',
    description: 'Show the reference and the last verdict above each module.',
  },
  'generate.samples': {
    type: 'integer',
    default: 4,
    minimum: 1,
    maximum: 32,
    scope: 'resource',
    description: 'How many samples a model writes of a module. Without a reference, the behaviour that most of them share is preferred.',
  },
  'generate.encoding': {
    type: 'choice',
    default: 'auto',
    scope: 'resource',
    choices: {
      auto: 'The codes that the comment states, else binary.',
      binary: 'Numbers in the order of the states.',
      'one-hot': 'One bit for each state.',
      gray: 'Successive states differ in one bit where they can.',
    },
    description: 'Codes of the states of a module that is generated from a state table.',
  },
  'index.exclude': {
    type: 'list',
    default: ['node_modules', 'obj_dir'],
    scope: 'window',
    description: 'Names of folders in which no modules are looked for. Folders whose name starts with a dot are always left out.',
  },
  'index.maxFiles': {
    type: 'integer',
    default: 20_000,
    minimum: 0,
    maximum: 1_000_000,
    scope: 'window',
    description: 'Most files that are searched for modules. Open files are always searched.',
  },
} as const satisfies Readonly<Record<string, SettingDefinition>>;
