import type { SettingDefinition } from './settings.ts';

type Given = Omit<SettingDefinition, 'environment'> & Partial<Pick<SettingDefinition, 'environment'>>;

/**
 * Defines a setting. Unless given, its environment variable has the name of its flag: `--base-path` is
 * `FIELDROSTER_BASE_PATH`.
 */
export function defineSetting(given: Given): SettingDefinition {
  const flagName = given.flag.slice(2).split(' ')[0] ?? '';
  return { environment: `FIELDROSTER_${flagName.toUpperCase().replaceAll('-', '_')}`, ...given };
}
