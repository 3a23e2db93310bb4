import type { settingDefinitions } from '@fieldroster/server/admin';
import { Option } from 'commander';

type Definition = (typeof settingDefinitions)[number];

/** The option of a server's setting; its value is read and checked with the other settings. */
export function settingOption({ flag, description, environment, defaultText }: Definition): Option {
  const notes = [`env ${environment}`, ...(defaultText === '' ? [] : [`default ${defaultText}`])];
  return new Option(flag, `${description} (${notes.join(', ')})`);
}

/** Name of the property that Commander keeps the option's text under. */
export function optionName(definition: Definition): string {
  return settingOption(definition).attributeName();
}
