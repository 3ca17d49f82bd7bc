import type { SettingDefinition } from './definition.ts';

/** Programs, what sources are read with, and how modules are verified. */
export const verificationSettings = {
  'iverilog.path': {
    type: 'string',
    default: '',
    scope: 'machine-overridable',
    description: 'Path of the `iverilog` program (its `vvp` is expected beside it). Empty: looked up on PATH.',
  },
  'yosys.path': {
    type: 'string',
    default: '',
    scope: 'machine-overridable',
    description: 'Path of the `yosys` program. Empty: looked up on PATH, then the embedded engine is used.',
  },
  'verilator.path': {
    type: 'string',
    default: '',
    scope: 'machine-overridable',
    description: 'Path of the `verilator` program. Empty: looked up on PATH.',
  },
  filelists: {
    type: 'list',
    default: [],
    scope: 'resource',
    description:
      'File lists (`.f`) of the project, relative to the workspace folder or absolute: their sources, `+incdir+`, `+define+`, `-v`, `-y` and nested lists apply to every file of the folder. Paths in a list are relative to the list.',
  },
  includeDirs: {
    type: 'list',
    default: [],
    scope: 'resource',
    description: 'Folders searched for `` `include`` files, relative to the workspace folder or absolute. The folder of a file is always searched.',
  },
  defines: {
    type: 'map',
    default: {},
    scope: 'resource',
    description: 'Macros defined before every file: name to text, as in `{ "WIDTH": "8", "SYNTHESIS": "" }`.',
  },
  'verify.engine': {
    type: 'choice',
    default: 'auto',
    scope: 'resource',
    choices: {
      auto: 'Simulate with Icarus Verilog where it is installed, or with Verilator what that cannot read; prove with Yosys. The embedded engine fills in for what is missing.',
      iverilog: 'Simulate with Icarus Verilog only.',
      verilator: 'Simulate with Verilator, which knows only 0 and 1 and needs a C++ compiler; prove with Yosys.',
      yosys: 'Decide with the installed Yosys only.',
      'yosys-wasm': 'Decide with the embedded engine only; nothing needs to be installed.',
    },
    description: 'Engine that decides a verification.',
  },
  'verify.prove': {
    type: 'boolean',
    default: true,
    scope: 'resource',
    description: 'Try a formal proof when the simulation found no difference.',
  },
  'verify.cycles': {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 10_000_000,
    scope: 'resource',
    description: 'Clock cycles to simulate, or input vectors for a design without a clock. 0: chosen from the design.',
  },
  'verify.seed': {
    type: 'integer',
    default: 1,
    minimum: 0,
    maximum: 4_294_967_295,
    scope: 'resource',
    description: 'Seed of the random stimulus. The same seed gives the same stimulus.',
  },
  'verify.timeout': {
    type: 'integer',
    default: 30,
    minimum: 1,
    maximum: 3600,
    scope: 'resource',
    description: 'Time budget of one verification, in seconds of a machine that does nothing else; so that its verdict is the same, a busy one may take up to three times as long.',
  },
  'verify.unknowns': {
    type: 'choice',
    default: 'ignore',
    scope: 'resource',
    choices: {
      ignore: 'An unknown bit (x) of the reference says nothing; the module may have any value there.',
      strict: 'The module must be unknown (x) or undriven (z) exactly where the reference is. Only simulation can compare so; no proof is tried.',
    },
    description: 'What an unknown value of the reference says.',
  },
} as const satisfies Readonly<Record<string, SettingDefinition>>;
