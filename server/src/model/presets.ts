export type ServerKind = 'llama.cpp' | 'ollama' | 'vllm' | 'lm-studio';

export interface Preset {
  readonly kind: ServerKind;
  /** As its makers write it. */
  readonly title: string;
  /** The port that it listens on unless told otherwise. */
  readonly port: number;
  /** A command line that starts it on `port`; words in capitals are for the user to fill in. */
  readonly startCommand: (port: number) => string;
  /** How its users get a model that is missing, as the end of a sentence. */
  readonly getModel: (model: string) => string;
  /** How its users enlarge the context, as the end of a sentence. */
  readonly enlargeContext: string;
}

/** The servers that are looked for, in this order. */
export const presets: readonly Preset[] = [
  {
    kind: 'llama.cpp',
    title: 'llama.cpp',
    port: 8080,
    startCommand: (port) => `llama-server -m MODEL.gguf --jinja --port ${port}`,
    getModel: () => 'start `llama-server` with that model',
    enlargeContext: 'start `llama-server` with a larger `-c`',
  },
  {
    kind: 'ollama',
    title: 'Ollama',
    port: 11434,
    startCommand: (port) => (port === 11434 ? 'ollama serve' : `OLLAMA_HOST=127.0.0.1:${port} ollama serve`),
    getModel: (model) => `run \`ollama pull ${model}\``,
    enlargeContext: 'start Ollama with a larger `OLLAMA_CONTEXT_LENGTH`',
  },
  {
    kind: 'vllm',
    title: 'vLLM',
    port: 8000,
    startCommand: (port) => `vllm serve MODEL --host 127.0.0.1 --port ${port}`,
    getModel: (model) => `start it with \`vllm serve ${model}\``,
    enlargeContext: 'start vLLM with a larger `--max-model-len`',
  },
  {
    kind: 'lm-studio',
    title: 'LM Studio',
    port: 1234,
    startCommand: (port) => `lms server start --port ${port}`,
    getModel: (model) => `run \`lms load ${model}\``,
    enlargeContext: 'load the model in LM Studio with a larger context length',
  },
];

export function presetOf(kind: ServerKind): Preset {
  const found = presets.find((preset) => preset.kind === kind);
  if (found === undefined) throw new Error(`There is no preset of ${kind}.`);
  return found;
}

/** The server that usually listens on a port. */
export function presetOnPort(port: number): Preset | undefined {
  return presets.find((preset) => preset.port === port);
}
