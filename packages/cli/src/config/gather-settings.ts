import { type ResolvedSetting, resolveSettings, type Settings } from '@fieldroster/server/admin';
import { UsageError } from '../run-program.ts';
import { type ConfigProblem, configPath, readConfigFile } from './config-file.ts';
import { readServerEnvironment, type ServerEnvironment } from './server-environment.ts';
import { type SettingFlags, settingTexts, textOf } from './setting-option.ts';

/** The settings that `serve` would find with the same flags, variables and file, including every mistake in them. */
export interface GatheredSettings extends ServerEnvironment {
  readonly resolved: readonly ResolvedSetting[];
  /** False if a configuration file is named and cannot be read, so that its values are not among the settings. */
  readonly complete: boolean;
  /** One line for each setting that `serve` would refuse. A line names the setting and contains no secret. */
  readonly problems: readonly string[];
  /** Variables of secrets that cannot be read or are given twice, with their line among the problems. */
  readonly unread: ReadonlyMap<string, string>;
  /** Absent when there are problems. */
  readonly settings?: Settings;
}

const noFile = { settings: {}, problems: [] };

/** Reads every setting and collects the mistakes, whereas `serve` stops at the first one. */
export function gatherSettings(flags: SettingFlags): GatheredSettings {
  const problems: string[] = [];
  const collect = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(error.message);
      return otherwise;
    }
  };
  const unread = new Map<string, string>();
  const { environment, warnings } = readServerEnvironment(process.env, (variable, { message }) => {
    unread.set(variable, message);
    problems.push(message);
  });
  const file = collect(() => {
    const path = configPath(textOf(flags.config), environment);
    return path === undefined ? noFile : readConfigFile(path);
  }, undefined);
  const resolved = resolveSettings({ flags: settingTexts(flags), environment, file: file?.settings ?? {} });
  problems.push(...(file?.problems ?? []).map(({ message }) => message));
  problems.push(...resolved.flatMap(({ problem }) => problem ?? []));
  const gathered = {
    environment,
    warnings,
    resolved: resolved.map((setting) => withoutUnread(withoutDefault(setting, file?.problems ?? []), unread)),
    problems,
    unread,
    complete: file !== undefined,
  };
  return problems.length > 0 ? gathered : { ...gathered, settings: settingsOf(resolved) };
}

/** Marks a setting that has its default only because the value in the file has the wrong type. */
function withoutDefault(setting: ResolvedSetting, problems: readonly ConfigProblem[]): ResolvedSetting {
  if (setting.origin !== undefined) return setting;
  const problem = problems.find(({ key }) => key === setting.definition.key);
  if (problem?.source === undefined) return setting;
  return { definition: setting.definition, text: '', origin: problem.source, problem: problem.message };
}

/** Marks a setting as not accepted if the secret in its variables cannot be read, unless its flag gives the value. */
function withoutUnread(setting: ResolvedSetting, unread: ReadonlyMap<string, string>): ResolvedSetting {
  const { definition, origin } = setting;
  const problem = unread.get(definition.environment);
  if (problem === undefined || definition.flag.split(' ')[0] === origin) return setting;
  return { definition, text: '', origin: `${definition.environment}_FILE`, problem };
}

function settingsOf(resolved: readonly ResolvedSetting[]): Settings {
  const values = resolved.map(({ definition, value }) => [definition.key, value]);
  return Object.fromEntries(values) as Settings;
}

/**
 * Returns the settings that `serve` would find for certain: none that has a problem, and no default that a file might
 * replace that could not be read.
 */
export function knownSettings({ resolved, complete }: GatheredSettings): Partial<Settings> {
  return settingsOf(
    resolved.filter(({ problem, origin }) => problem === undefined && (complete || origin !== undefined)),
  );
}
