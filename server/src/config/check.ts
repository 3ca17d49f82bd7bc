import type { SettingDefinition } from './definition.ts';

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a value must be, as the end of a sentence, or undefined when the value is right. */
export function violation(definition: SettingDefinition, value: unknown): string | undefined {
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
