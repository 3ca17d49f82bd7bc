import { isRecord, violation } from './config/check.ts';
import type { SettingDefinition } from './config/definition.ts';
import { settingDefinitions, settingNames, settingsSection } from './config/settings.ts';
import type { Settings } from './config/settings.ts';

export { defaultSettings, settingsSection } from './config/settings.ts';
export type { Settings } from './config/settings.ts';

export interface SettingProblem {
  /** Full name, as a person types it into the settings file. */
  readonly setting: string;
  /** One full sentence. */
  readonly message: string;
}

/**
 * Validates foreign configuration: either flat (`{ "verify.seed": 3 }`) or nested (`{ verify: { seed: 3 } }`), as editors send
 * it. A value that is missing or null takes its default; a wrong one takes its default and is reported.
 */
export function parseSettings(raw: unknown): { readonly settings: Settings; readonly problems: readonly SettingProblem[] } {
  const values: Record<string, unknown> = {};
  const problems: SettingProblem[] = [];
  for (const name of settingNames) {
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
