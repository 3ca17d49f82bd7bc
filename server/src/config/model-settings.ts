import type { SettingDefinition } from './definition.ts';

/** Where language models are found and how they are asked. */
export const modelSettings = {
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
