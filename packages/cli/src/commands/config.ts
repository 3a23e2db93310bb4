import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  conflictMessage,
  givenKeyProblems,
  type KeyFileProblem,
  keyFileInUse,
  keyFileProblems,
  masterKeyFile,
  masterKeyVariable,
  OperatorError,
  previousKeyFile,
  previousKeyVariable,
  type ResolvedSetting,
  requireVerified,
  type Settings,
  settingConflicts,
  settingDefinitions,
  settingWarnings,
} from '@fieldroster/server/admin';
import type { Command } from 'commander';
import { settingName } from '../config/config-file.ts';
import { gatherSettings, knownSettings } from '../config/gather-settings.ts';
import { configOption, type SettingFlags, settingOption } from '../config/setting-option.ts';
import { type Listing, print, printList, warn } from '../output/print.ts';
import { ReportedFailure } from '../run-program.ts';

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
  const gathered = gatherSettings(flags);
  const { environment, warnings, resolved, unread } = gathered;
  const known = knownSettings(gathered);
  const ofKeys = givenKeyProblems(environment).filter(({ variable }) => !unread.has(variable));
  const ofFiles = keyFileProblems(resolve(dataFolder(resolved)), environment);
  // A server may run as the user who may read the key.
  const { closed = [], refused = [] } = Object.groupBy(ofFiles, ({ isClosed }) =>
    isClosed ? 'closed' : 'refused',
  );
  const problems = [
    ...gathered.problems,
    ...settingConflicts(known).map(conflictMessage),
    ...(await connectionProblems(known)),
    ...ofKeys.map(({ message }) => message),
    ...refused.map(({ message }) => message),
  ];
  const refusedVariables = new Set([...unread.keys(), ...ofKeys.map(({ variable }) => variable)]);
  // Without the values of the file, the list would show defaults that serve does not use.
  if (gathered.complete) {
    await printList(
      [
        ...resolved.map(toPrinted),
        masterKey(resolved, environment, { refusedVariables, ofFiles }),
        ...previousKey(resolved, environment, { refusedVariables, ofFiles }),
      ],
      listing,
      flags.json === true,
    );
  } else if (flags.json === true) {
    await print('[]\n');
  }
  const noted = [...warnings, ...settingWarnings(known), ...closed.map(({ message }) => message)];
  for (const line of [...noted, ...problems]) warn(line);
  if (problems.length > 0) throw new ReportedFailure();
}

/** Finds databases that serve would refuse, because nothing would prove that they are the right ones. */
async function connectionProblems(known: Partial<Settings>): Promise<readonly string[]> {
  const { database, databaseReplica, databaseInsecure } = known;
  // Without a database, serve ignores the replica.
  if (databaseInsecure === undefined || database === '') return [];
  const found = new Set<string>();
  for (const url of [database, databaseReplica]) {
    try {
      if (url) await requireVerified([url], databaseInsecure);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      found.add(error.message);
    }
  }
  return [...found];
}

const hidden = '(hidden)';

function toPrinted({
  definition,
  text,
  origin = 'default',
  value,
  problem,
}: ResolvedSetting): PrintedSetting {
  // The value of a duration is a number without its unit, which no source accepts.
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

/** The faults of the keys in the environment, and of the key files in the data folder. */
interface KeyProblems {
  readonly refusedVariables: ReadonlySet<string>;
  readonly ofFiles: readonly KeyFileProblem[];
}

/** The master key has no flag, but an operator wants to know which one a server would use. */
function masterKey(
  resolved: readonly ResolvedSetting[],
  environment: NodeJS.ProcessEnv,
  { refusedVariables, ofFiles }: KeyProblems,
): PrintedSetting {
  const name = 'master key';
  const given = keyOfVariable(name, masterKeyVariable, environment, refusedVariables);
  if (given !== undefined) return given;
  const data = dataFolder(resolved);
  const unusable = ofFiles.find(({ file }) => file === join(resolve(data), masterKeyFile));
  if (unusable !== undefined) return keyOfFile(name, unusable);
  const keyFile = keyFileInUse(data, environment);
  return keyFile === undefined
    ? { name, value: '(none yet)', origin: `a first start makes one in ${data || resolve(data)}` }
    : { name, value: hidden, origin: keyFile };
}

/** The previous master key, which a server has only while the key is being replaced. */
function previousKey(
  resolved: readonly ResolvedSetting[],
  environment: NodeJS.ProcessEnv,
  { refusedVariables, ofFiles }: KeyProblems,
): PrintedSetting[] {
  const name = 'previous master key';
  const given = keyOfVariable(name, previousKeyVariable, environment, refusedVariables);
  if (given !== undefined) return [given];
  const ownFile = join(dataFolder(resolved), previousKeyFile);
  const unusable = ofFiles.find(({ file }) => file === resolve(ownFile));
  if (unusable !== undefined) return [keyOfFile(name, unusable)];
  // A server reads the files of the data folder only if no variable gives the current key.
  if (environment[masterKeyVariable] || !existsSync(ownFile)) return [];
  return [{ name, value: hidden, origin: ownFile }];
}

function keyOfFile(name: string, { file, isClosed }: KeyFileProblem): PrintedSetting {
  return { name, value: isClosed ? '(closed to this user)' : '(not accepted)', origin: file };
}

function keyOfVariable(
  name: string,
  variable: string,
  environment: NodeJS.ProcessEnv,
  refusedVariables: ReadonlySet<string>,
): PrintedSetting | undefined {
  const isRefused = refusedVariables.has(variable);
  if (!environment[variable] && !isRefused) return undefined;
  const file = environment[`${variable}_FILE`];
  return {
    name,
    value: isRefused ? '(not accepted)' : hidden,
    origin: file ? `${variable}_FILE` : variable,
  };
}

function dataFolder(resolved: readonly ResolvedSetting[]): string {
  return resolved.find(({ definition }) => definition.key === dataKey)?.text ?? '';
}

const dataKey: keyof Settings = 'data';

const listing: Listing<PrintedSetting> = {
  headings: ['SETTING', 'VALUE', 'ORIGIN'],
  cells: ({ name, value, word = String(value), origin }) => [name, word === '' ? '(empty)' : word, origin],
  json: ({ word: _, ...setting }) => JSON.stringify(setting),
};
