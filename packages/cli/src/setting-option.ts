import type { settingDefinitions } from '@fieldroster/server/admin';
import { Option } from 'commander';

type Definition = (typeof settingDefinitions)[number];

/** Returns the option of a server setting. Its value is parsed and checked with the other settings. */
export function settingOption({ flag, description, environment, defaultText }: Definition): Option {
  const notes = [`env ${environment}`, ...(defaultText === '' ? [] : [`default ${defaultText}`])];
  return new Option(flag, `${description} (${notes.join(', ')})`);
}

/** Returns the property under which Commander stores the option's text. */
export function optionName(definition: Definition): string {
  return settingOption(definition).attributeName();
}
