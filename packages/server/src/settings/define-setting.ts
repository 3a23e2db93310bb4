import type { SettingDefinition, Settings } from './settings.ts';

/** Defines a setting. Its environment variable has the name of its flag: `--base-path` is `FIELDROSTER_BASE_PATH`. */
export function defineSetting(
  key: keyof Settings,
  flag: string,
  description: string,
  defaultText: string,
  parse: SettingDefinition['parse'],
): SettingDefinition {
  const flagName = flag.slice(2).split(' ')[0] ?? '';
  const environment = `FIELDROSTER_${flagName.toUpperCase().replaceAll('-', '_')}`;
  return { key, flag, environment, description, defaultText, parse };
}
