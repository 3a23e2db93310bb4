import { resolve } from 'node:path';
import {
  commandActor,
  holdsDatabase,
  locateEmptyDatabase,
  type OpenDirectory,
  type OpenDirectoryOptions,
  type ReplayRule,
  readSettings,
  requireDatabase,
  type SettingDefinition,
  type Settings,
  settingDefinitions,
  useDirectory,
} from '@fieldroster/server/admin';
import { type Command, Option } from 'commander';
import { fileSettings } from '../config/config-file.ts';
import { configOption, settingOption } from '../config/setting-option.ts';
import { withSecretFiles } from '../files/secret-files.ts';
import { warn, warnOfNotice } from '../output/print.ts';

/** The flags shared by the commands on a database. */
export interface DirectoryFlags {
  readonly data?: string;
  readonly database?: string;
  readonly databaseInsecure?: string;
  readonly config?: string;
  readonly json?: boolean;
}

/** The settings that select the database, each with an option of its own. */
const selectingKeys: readonly string[] = ['data', 'database', 'databaseInsecure'];
const definitions = definitionsOf(selectingKeys);

/** These commands have no flag for the connection timeout. It comes from the environment or the configuration file. */
const directoryKeys = [...selectingKeys, 'databaseConnectTimeoutMs'];

const directorySecrets = [
  'FIELDROSTER_DATABASE_URL',
  'FIELDROSTER_MASTER_KEY',
  'FIELDROSTER_MASTER_KEY_PREVIOUS',
] as const;

/** Adds the options that select the database, and `--json`, to a command. */
export function addDirectoryOptions(command: Command): Command {
  for (const definition of definitions) command.addOption(settingOption(definition));
  command.addOption(configOption());
  return command.addOption(new Option('--json', 'Print JSON for scripts'));
}

/** Returns the option for a command that names its databases by other options. */
export function databaseInsecureOption(): Option {
  return settingOption(definitionOf('databaseInsecure'));
}

/** Returns the option for a command that says what the servers refuse. */
export function replayOption(): Option {
  return settingOption(definitionOf('replay'));
}

/** Reads the rule that `serve` would have with the same flags, environment and configuration file. */
export function replayRule({ replay, config }: DirectoryFlags & { readonly replay?: string }): ReplayRule {
  const { environment } = definitionOf('replay');
  const file = fileSettings(config, process.env, ['replay']);
  return readSettings({ replay }, { [environment]: process.env[environment] }, file).replay;
}

function definitionsOf(keys: readonly string[]): readonly SettingDefinition[] {
  return settingDefinitions.filter(({ key }) => keys.includes(key));
}

function definitionOf(key: keyof Settings): SettingDefinition {
  const definition = settingDefinitions.find((known) => known.key === key);
  if (definition === undefined) throw new TypeError(`there is no setting ${key}`);
  return definition;
}

/** Reads from the flags, the environment and the configuration file which database to open. */
export function directoryOptions(flags: DirectoryFlags): OpenDirectoryOptions {
  // Ignores a server's other settings, even invalid ones.
  const environment = withSecretFiles(process.env, directorySecrets);
  const names = definitionsOf(directoryKeys).flatMap((known) => [
    known.environment,
    `${known.environment}_FILE`,
  ]);
  const ours = Object.fromEntries(names.map((name) => [name, environment[name]]));
  const given = { data: flags.data, database: flags.database, databaseInsecure: flags.databaseInsecure };
  const file = fileSettings(flags.config, environment, directoryKeys);
  const { data, database, databaseInsecure, databaseConnectTimeoutMs } = readSettings(given, ours, file);
  return {
    data,
    database,
    databaseInsecure,
    databaseConnectTimeoutMs,
    environment,
    actor: commandActor(environment),
  };
}

/**
 * Opens the database that the flags name, which a server may also have open, and closes it after the work.
 *
 * @throws when it does not exist: a command run in the wrong folder would otherwise work on an empty one
 */
export async function withDirectory<T>(
  flags: DirectoryFlags,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  const options = directoryOptions(flags);
  requireDatabase(options);
  return useDirectory({ ...options, create: false, notice: warnOfNotice }, work);
}

/**
 * Does the same for commands that only read, and leaves the tables of an earlier release as they are: its servers may
 * still run on them, and might not start again once they are migrated.
 *
 * @throws {SchemaError} when the tables are of an earlier release
 */
export async function withDirectoryToRead<T>(
  flags: DirectoryFlags,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  const options = directoryOptions(flags);
  requireDatabase(options);
  return useDirectory({ ...options, migrate: false, notice: warnOfNotice }, work);
}

/**
 * Does the same as `withDirectory` for commands that may run before the server's first start: creates a missing
 * database, and prints its place, which may be the wrong one.
 */
export async function withDirectoryToFill<T>(
  flags: DirectoryFlags,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  const options = directoryOptions(flags);
  const created = await describeNew(options);
  return useDirectory({ ...options, notice: warnOfNotice }, (directory) => {
    if (created !== undefined) warn(created);
    return work(directory);
  });
}

/** Returns what to say once the directory is created; `undefined` if it exists already. */
async function describeNew(options: OpenDirectoryOptions): Promise<string | undefined> {
  if (!holdsDatabase(options))
    return `created a new database in ${resolve(options.data)}; a server serves it with --data or FIELDROSTER_DATA`;
  const location = await locateEmptyDatabase(options);
  if (location === undefined) return undefined;
  return `created a new directory in the database ${location}; a server serves it with --database or FIELDROSTER_DATABASE_URL`;
}
