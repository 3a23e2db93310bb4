import { settingDefinitions } from '@fieldroster/server/admin';
import { Option } from 'commander';

type Definition = (typeof settingDefinitions)[number];

/** Returns the option of a server setting. Its value is parsed and checked with the other settings. */
export function settingOption({ flag, description, environment, defaultText }: Definition): Option {
  const notes = [`env ${environment}`, ...(defaultText === '' ? [] : [`default ${defaultText}`])];
  return new Option(flag, `${description} (${notes.join(', ')})`);
}

/** Returns the property under which Commander stores the option's text. */
function optionName(definition: Definition): string {
  return settingOption(definition).attributeName();
}

/** Returns the option that names the configuration file. */
export function configOption(): Option {
  return new Option(
    '--config <file>',
    'Configuration file, TOML or JSON, with the names of these flags (env FIELDROSTER_CONFIG)',
  );
}

/** The values that Commander returns for the options of settings. */
export type SettingFlags = Readonly<Record<string, string | boolean | undefined>>;

/** Returns the text of each setting whose flag was given, by its key. */
export function settingTexts(flags: SettingFlags): Record<string, string | undefined> {
  const texts = settingDefinitions.map((definition) => [
    definition.key,
    textOf(flags[optionName(definition)]),
  ]);
  return Object.fromEntries(texts);
}

/** Commander turns `--no-migrate` into `false` and its absence into `true`. */
export function textOf(flag: string | boolean | undefined): string | undefined {
  if (flag === false) return 'no';
  return flag === true ? undefined : flag;
}
