import { OperatorError } from './errors/operator-error.ts';
import {
  type FileSettings,
  type Resolved,
  resolveSetting,
  type SettingSources,
} from './settings/resolve-setting.ts';
import { settingDefinitions } from './settings/setting-definitions.ts';
import type { SettingDefinition, Settings } from './settings/settings.ts';

export type { FileSetting, FileSettings } from './settings/resolve-setting.ts';
export { settingDefinitions } from './settings/setting-definitions.ts';
export {
  databaseUrl,
  type HostAndPort,
  joinHostAndPort,
  splitHostAndPort,
} from './settings/setting-values.ts';
export type { ReplayRule, SettingDefinition, Settings } from './settings/settings.ts';

/** A setting has a value that it does not accept; the message names both, except a secret value. */
export class SettingError extends OperatorError {
  override readonly name = 'SettingError';
}

/**
 * @param flags the text of each flag that was given, by the key of its setting
 * @throws {SettingError} for a value that is not accepted
 */
export function readSettings(
  flags: SettingSources['flags'],
  environment: NodeJS.ProcessEnv,
  file: FileSettings = {},
): Settings {
  const entries = resolveSettings({ flags, environment, file }).map(({ definition, value, problem }) => {
    if (problem !== undefined) throw new SettingError(problem);
    return [definition.key, value];
  });
  // The type of the definitions ensures that each setting has one, which returns a value of its type.
  return Object.fromEntries(entries) as Settings;
}

/** A setting with the source that decides it. */
export type ResolvedSetting = Resolved<SettingDefinition>;

/** Returns every setting with the source of its value, and with a problem if the value is not accepted. */
export function resolveSettings(sources: SettingSources): readonly ResolvedSetting[] {
  return settingDefinitions.map((definition) => resolveSetting(definition, sources));
}
