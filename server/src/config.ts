/** The prefix of every setting in the editor's configuration. */
export const settingsSection = 'rtlCopilot';

interface SettingBase {
  readonly description: string;
  /**
   * `machine-overridable` settings name programs of one machine and are ignored in an untrusted workspace. `machine` settings say where
   * text may be sent and with which secrets; no workspace can set them.
   */
  readonly scope: 'machine' | 'machine-overridable' | 'resource' | 'window';
}

interface TextSetting extends SettingBase {
  readonly type: 'string';
  readonly default: string;
}

interface ChoiceSetting extends SettingBase {
  readonly type: 'choice';
  readonly default: string;
  /** Each value with its one-line meaning. */
  readonly choices: Readonly<Record<string, string>>;
}

interface SwitchSetting extends SettingBase {
  readonly type: 'boolean';
  readonly default: boolean;
}

interface IntegerSetting extends SettingBase {
  readonly type: 'integer';
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

interface NumberSetting extends SettingBase {
  readonly type: 'number';
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

interface ListSetting extends SettingBase {
  readonly type: 'list';
  readonly default: readonly string[];
}

interface MapSetting extends SettingBase {
  readonly type: 'map';
  readonly default: Readonly<Record<string, string>>;
  /** The texts that are allowed, each with its one-line meaning; undefined: any. */
  readonly choices?: Readonly<Record<string, string>>;
}

export type SettingDefinition = TextSetting | ChoiceSetting | SwitchSetting | IntegerSetting | NumberSetting | ListSetting | MapSetting;

/** Every setting once. The editor's manifest is generated from this table. Units stand in the descriptions. */
export const settingDefinitions = {
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
  'model.endpoint': {
    type: 'string',
    default: '',
    scope: 'machine',
    description:
      'Address of an OpenAI-compatible model server, such as `http://127.0.0.1:8080/v1`. Empty: a running server is looked for on the usual ports of this machine (llama.cpp 8080, Ollama 11434, vLLM 8000, LM Studio 1234).',
  },
  'model.name': {
    type: 'string',
    default: '',
    scope: 'window',
    description: 'Model that writes modules. Empty: `CodeV-R1-7B` where the server has it, else the first model of the server.',
  },
  'model.allowedHosts': {
    type: 'list',
    default: [],
    scope: 'machine',
    description: 'Names of other machines that the model server may be on. Source code is sent to no machine but this one and those named here.',
  },
  'model.headers': {
    type: 'map',
    default: {},
    scope: 'machine',
    description: 'HTTP headers sent to the model server besides the usual ones: name to text. A key does not belong here; it is kept in the secret storage.',
  },
  'model.caFile': {
    type: 'string',
    default: '',
    scope: 'machine',
    description: 'Path of a PEM file with the certificate authorities that the model server is trusted by, besides those of the system.',
  },
  'model.temperature': {
    type: 'number',
    default: 0.6,
    minimum: 0,
    maximum: 2,
    scope: 'window',
    description: 'Sampling temperature of the model. 0: always the likeliest text.',
  },
  'model.topP': {
    type: 'number',
    default: 0.95,
    minimum: 0,
    maximum: 1,
    scope: 'window',
    description: 'Share of the probability that the model samples from.',
  },
  'model.maxTokens': {
    type: 'integer',
    default: 16_384,
    minimum: 1,
    maximum: 1_000_000,
    scope: 'window',
    description: 'Most tokens of one reply of the model, its reasoning included.',
  },
  'model.timeout': {
    type: 'integer',
    default: 600,
    minimum: 1,
    maximum: 86_400,
    scope: 'window',
    description: 'Time budget of one reply of the model, in seconds.',
  },
  'model.idleTimeout': {
    type: 'integer',
    default: 60,
    minimum: 1,
    maximum: 3600,
    scope: 'window',
    description: 'Longest silence in the middle of a reply of the model, in seconds.',
  },
  'model.loadTimeout': {
    type: 'integer',
    default: 300,
    minimum: 0,
    maximum: 3600,
    scope: 'window',
    description: 'Longest wait for a server that is still loading its model, in seconds.',
  },
  'infill.enable': {
    type: 'boolean',
    default: true,
    scope: 'window',
    description: 'Suggest code at the cursor while typing, where a fill-in-the-middle model runs. Nothing happens, and nothing is said, where none does.',
  },
  'infill.endpoint': {
    type: 'string',
    default: '',
    scope: 'machine',
    description: 'Address of the server that completes lines, where it is another one than `#rtlCopilot.model.endpoint#`.',
  },
  'infill.model': {
    type: 'string',
    default: '',
    scope: 'window',
    description: 'Fill-in-the-middle model that completes lines. Empty: the first model of its server.',
  },
  'infill.template': {
    type: 'string',
    default: '',
    scope: 'window',
    description:
      "Prompt of the fill-in-the-middle model, with `{prefix}` and `{suffix}` for the text around the cursor, such as `<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>`. Empty: the server's own `/infill` is used, which llama.cpp has.",
  },
  'infill.maxTokens': {
    type: 'integer',
    default: 128,
    minimum: 1,
    maximum: 4096,
    scope: 'window',
    description: 'Most tokens of one completed line or block.',
  },
} as const satisfies Readonly<Record<string, SettingDefinition>>;

type Definitions = typeof settingDefinitions;
export type SettingName = keyof Definitions;

type ValueOf<D> = D extends { type: 'choice'; choices: infer C }
  ? keyof C & string
  : D extends { type: 'string' }
    ? string
    : D extends { type: 'boolean' }
      ? boolean
      : D extends { type: 'integer' | 'number' }
        ? number
        : D extends { type: 'list' }
          ? readonly string[]
          : Readonly<Record<string, string>>;

/** Valid values of all settings, by their name without the section. */
export type Settings = { readonly [K in SettingName]: ValueOf<Definitions[K]> };

export interface SettingProblem {
  /** Full name, as a person types it into the settings file. */
  readonly setting: string;
  /** One full sentence. */
  readonly message: string;
}

const names = Object.keys(settingDefinitions) as SettingName[];

export const defaultSettings: Settings = Object.freeze(
  Object.fromEntries(names.map((name) => [name, settingDefinitions[name].default])),
) as unknown as Settings;

/**
 * Validates foreign configuration: either flat (`{ "verify.seed": 3 }`) or nested (`{ verify: { seed: 3 } }`), as editors send
 * it. A value that is missing or null takes its default; a wrong one takes its default and is reported.
 */
export function parseSettings(raw: unknown): { readonly settings: Settings; readonly problems: readonly SettingProblem[] } {
  const values: Record<string, unknown> = {};
  const problems: SettingProblem[] = [];
  for (const name of names) {
    const definition: SettingDefinition = settingDefinitions[name];
    const found = lookUp(raw, name);
    const wrong = found === undefined || found === null ? undefined : violation(definition, found);
    if (wrong !== undefined) {
      const setting = `${settingsSection}.${name}`;
      problems.push({ setting, message: `The setting ${setting} must be ${wrong}; its default is used instead.` });
    }
    values[name] = found === undefined || found === null || wrong !== undefined ? definition.default : found;
  }
  return { settings: values as unknown as Settings, problems };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lookUp(raw: unknown, name: string): unknown {
  if (!isRecord(raw)) return undefined;
  if (Object.hasOwn(raw, name)) return raw[name];
  let value: unknown = raw;
  for (const part of name.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** What a value must be, as the end of a sentence, or undefined when the value is right. */
function violation(definition: SettingDefinition, value: unknown): string | undefined {
  switch (definition.type) {
    case 'string':
      return typeof value === 'string' ? undefined : 'a text';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'choice':
      return typeof value === 'string' && Object.hasOwn(definition.choices, value)
        ? undefined
        : `one of ${Object.keys(definition.choices).join(', ')}`;
    case 'integer': {
      const { minimum, maximum } = definition;
      return typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum
        ? undefined
        : `a whole number from ${minimum} to ${maximum}`;
    }
    case 'number': {
      const { minimum, maximum } = definition;
      return typeof value === 'number' && value >= minimum && value <= maximum ? undefined : `a number from ${minimum} to ${maximum}`;
    }
    case 'list':
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? undefined : 'a list of texts';
    case 'map': {
      const { choices } = definition;
      const isAllowed = (item: unknown): boolean => typeof item === 'string' && (choices === undefined || Object.hasOwn(choices, item));
      if (isRecord(value) && Object.values(value).every(isAllowed)) return undefined;
      return choices === undefined ? 'an object of texts' : `an object of texts, each one of ${Object.keys(choices).join(', ')}`;
    }
  }
}

/** The settings as the editor's manifest must contribute them (`contributes.configuration.properties`). */
export function configurationSchema(): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name, order) => {
      const definition: SettingDefinition = settingDefinitions[name];
      return [`${settingsSection}.${name}`, { order, scope: definition.scope, ...propertySchema(definition) }];
    }),
  );
}

function choicesSchema(choices: Readonly<Record<string, string>> | undefined): Record<string, unknown> {
  return choices === undefined ? {} : { enum: Object.keys(choices), markdownEnumDescriptions: Object.values(choices) };
}

function propertySchema(definition: SettingDefinition): Record<string, unknown> {
  const common = { default: definition.default, markdownDescription: definition.description };
  switch (definition.type) {
    case 'string':
    case 'boolean':
      return { type: definition.type, ...common };
    case 'choice':
      return { type: 'string', ...choicesSchema(definition.choices), ...common };
    case 'integer':
    case 'number':
      return { type: definition.type, minimum: definition.minimum, maximum: definition.maximum, ...common };
    case 'list':
      return { type: 'array', items: { type: 'string' }, uniqueItems: true, ...common };
    case 'map':
      return { type: 'object', additionalProperties: { type: 'string', ...choicesSchema(definition.choices) }, ...common };
  }
}

/** Full names of the settings that an untrusted workspace must not set: they name programs to run. */
export function restrictedSettings(): string[] {
  return names.filter((name) => settingDefinitions[name].scope === 'machine-overridable').map((name) => `${settingsSection}.${name}`);
}
