import type { SettingDefinition } from './definition.ts';
import { settingDefinitions, settingNames, settingsSection } from './settings.ts';

/** The settings as the editor's manifest must contribute them (`contributes.configuration.properties`). */
export function configurationSchema(): Record<string, unknown> {
  return Object.fromEntries(
    settingNames.map((name, order) => {
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
  return settingNames.filter((name) => settingDefinitions[name].scope === 'machine-overridable').map((name) => `${settingsSection}.${name}`);
}
