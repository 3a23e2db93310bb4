import type { SettingDefinition } from '@fieldroster/server/admin';

/**
 * Converts a value of a configuration file into the text that the setting's flag would have.
 *
 * @throws {Error} for a value of another type; the message continues a sentence that begins with the key
 */
export function settingText(definition: SettingDefinition, value: unknown): string {
  const { parse, defaultText, isList = false, isDuration = false } = definition;
  switch (typeof parse(defaultText)) {
    case 'number':
      if (typeof value === 'number') return String(value);
      if (isDuration && typeof value === 'string') return value;
      throw wrongType(
        definition,
        value,
        isDuration ? 'a duration in quotes, or 0' : 'a number without quotes',
      );
    case 'boolean':
      if (typeof value === 'boolean') return wordFor(definition, value);
      if (typeof value === 'string') return value;
      throw wrongType(definition, value, 'true or false');
    default:
      if (typeof value === 'string') return value;
      if (isList && Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
        return value.join(',');
      if (isList && typeof value === 'number') return String(value);
      throw wrongType(definition, value, isList ? 'a string, or an array of strings' : 'a string in quotes');
  }
}

/** Returns the word of the flag for true or false: yes or on, no or off. */
function wordFor({ parse }: SettingDefinition, value: boolean): string {
  const words = ['yes', 'on', 'no', 'off'];
  return words.find((word) => isWordFor(parse, word, value)) ?? String(value);
}

function isWordFor(parse: SettingDefinition['parse'], word: string, value: boolean): boolean {
  try {
    return parse(word) === value;
  } catch {
    return false;
  }
}

function wrongType({ secret }: SettingDefinition, value: unknown, accepted: string): Error {
  const shown = secret === true ? typeNameOf(value) : `${typeNameOf(value)}, ${JSON.stringify(value)}`;
  return new Error(`is ${shown}; it must be ${accepted}`);
}

function typeNameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Date) return 'a date';
  const names: Readonly<Record<string, string>> = {
    string: 'a string',
    number: 'a number',
    boolean: 'a boolean',
    object: 'a table',
  };
  return names[typeof value] ?? typeof value;
}
