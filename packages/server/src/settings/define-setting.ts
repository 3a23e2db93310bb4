import type { Definition } from './settings.ts';

type Given<Value> = Omit<Definition<Value>, 'environment'> & Partial<Pick<Definition<Value>, 'environment'>>;

/**
 * Defines a setting. Unless given, its environment variable has the name of its flag: `--base-path` is
 * `FIELDROSTER_BASE_PATH`.
 */
export function defineSetting<Value>(given: Given<Value>): Definition<Value> {
  const flagName = given.flag.slice(2).split(' ')[0] ?? '';
  return { environment: `FIELDROSTER_${flagName.toUpperCase().replaceAll('-', '_')}`, ...given };
}
