import {
  conflictMessage,
  keyFileInUse,
  type ResolvedSetting,
  resolveSettings,
  type Settings,
  settingConflicts,
  settingDefinitions,
} from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { type ConfigFile, configPath, readConfigFile, settingName } from '../config/config-file.ts';
import { type Listing, printList, warn } from '../print.ts';
import { ReportedFailure, UsageError } from '../run-program.ts';
import { readServerEnvironment } from '../serve/server-environment.ts';
import { configOption, type SettingFlags, settingOption, settingTexts, textOf } from '../setting-option.ts';

export function completeConfig(config: Command): void {
  config.addHelpText('after', '\nExample:\n  $ fieldroster config check --config /etc/fieldroster.toml');
  const check = config
    .command('check')
    .description('Print every setting of serve and where it comes from; fail if one is not accepted')
    .addHelpText('after', '\nExample:\n  $ fieldroster config check --config /etc/fieldroster.toml --json');
  for (const definition of settingDefinitions) check.addOption(settingOption(definition));
  check.addOption(configOption()).option('--json', 'Print JSON for scripts').action(checkConfig);
}

/** A setting as it is printed; a secret's value is hidden. */
interface PrintedSetting {
  readonly name: string;
  readonly value: string | number | boolean;
  /** The word that every origin accepts for a switch, where JSON has true or false. */
  readonly word?: string;
  readonly origin: string;
}

async function checkConfig(flags: SettingFlags): Promise<void> {
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
  const { environment, warnings } = collect(() => readServerEnvironment(process.env), {
    environment: process.env,
    warnings: [],
  });
  const file = collect(() => readFile(textOf(flags.config), environment), undefined);
  const resolved = resolveSettings({ flags: settingTexts(flags), environment, file: file?.settings ?? {} });
  problems.push(...(file?.problems ?? []).map(({ message }) => message));
  problems.push(...resolved.flatMap(({ problem }) => problem ?? []), ...conflicts(resolved));
  await printList(
    [...resolved.map(toPrinted), masterKey(resolved, environment)],
    listing,
    flags.json === true,
  );
  for (const line of [...warnings, ...problems]) warn(line);
  if (problems.length > 0) throw new ReportedFailure();
}

/** Only accepted values can contradict each other. */
function conflicts(resolved: readonly ResolvedSetting[]): readonly string[] {
  if (resolved.some(({ problem }) => problem !== undefined)) return [];
  const values = resolved.map(({ definition, value }) => [definition.key, value]);
  return settingConflicts(Object.fromEntries(values) as Settings).map(conflictMessage);
}

function readFile(flag: string | undefined, environment: NodeJS.ProcessEnv): ConfigFile | undefined {
  const path = configPath(flag, environment);
  return path === undefined ? undefined : readConfigFile(path);
}

const hidden = '(hidden)';

function toPrinted({
  definition,
  text,
  origin = 'default',
  value,
  problem,
}: ResolvedSetting): PrintedSetting {
  // A duration has a number as its value, and no source accepts that number.
  const accepted = definition.isDuration === true ? text : (value ?? text);
  const shown = definition.secret === true && text !== '' ? hidden : accepted;
  if (problem !== undefined) return { name: settingName(definition), value: '(not accepted)', origin };
  return {
    name: settingName(definition),
    value: shown,
    ...(typeof shown === 'boolean' && { word: text }),
    origin,
  };
}

/** The master key has no flag, but an operator wants to know which one a server would use. */
function masterKey(resolved: readonly ResolvedSetting[], environment: NodeJS.ProcessEnv): PrintedSetting {
  const name = 'master key';
  const variable = 'FIELDROSTER_MASTER_KEY';
  const file = environment[`${variable}_FILE`];
  if (environment[variable]) return { name, value: hidden, origin: file ? `${variable}_FILE` : variable };
  const data = resolved.find(({ definition }) => definition.key === dataKey)?.text ?? '';
  const keyFile = keyFileInUse(data, environment);
  return keyFile === undefined
    ? { name, value: '(none yet)', origin: `a first start makes one in ${data}` }
    : { name, value: hidden, origin: keyFile };
}

const dataKey: keyof Settings = 'data';

const listing: Listing<PrintedSetting> = {
  headings: ['SETTING', 'VALUE', 'ORIGIN'],
  cells: ({ name, value, word = String(value), origin }) => [name, word === '' ? '(empty)' : word, origin],
  json: ({ word: _, ...setting }) => JSON.stringify(setting),
};
