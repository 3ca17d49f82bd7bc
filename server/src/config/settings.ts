import type { SettingDefinition } from './definition.ts';
import { editorSettings } from './editor-settings.ts';
import { modelSettings } from './model-settings.ts';
import { verificationSettings } from './verification-settings.ts';

/** The prefix of every setting in the editor's configuration. */
export const settingsSection = 'rtlCopilot';

/** Every setting once. The editor's manifest is generated from this table. Units stand in the descriptions. */
export const settingDefinitions = { ...verificationSettings, ...editorSettings, ...modelSettings } as const satisfies Readonly<Record<string, SettingDefinition>>;

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

export const settingNames = Object.keys(settingDefinitions) as SettingName[];

export const defaultSettings: Settings = Object.freeze(
  Object.fromEntries(settingNames.map((name) => [name, settingDefinitions[name].default])),
) as unknown as Settings;
