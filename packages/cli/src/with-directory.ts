import { resolve } from 'node:path';
import {
  holdsDatabase,
  type OpenDirectory,
  type OpenDirectoryOptions,
  openDirectory,
  readSettings,
  requireDatabase,
  settingDefinitions,
} from '@fieldroster/server/admin';
import { type Command, Option } from 'commander';
import { warn } from './print.ts';
import { withSecretFiles } from './secret-files.ts';
import { settingOption } from './setting-option.ts';

/** What the commands on a database have in common. */
export interface DirectoryFlags {
  readonly data?: string;
  readonly database?: string;
  readonly databaseInsecure?: string;
  readonly json?: boolean;
}

/** The settings that say which database it is. */
const directoryKeys: readonly string[] = ['data', 'database', 'databaseInsecure'];
const definitions = settingDefinitions.filter(({ key }) => directoryKeys.includes(key));

/** Gives a command the options that say which database it works on, and `--json`. */
export function addDirectoryOptions(command: Command): Command {
  for (const definition of definitions) command.addOption(settingOption(definition));
  return command.addOption(new Option('--json', 'Print JSON for scripts'));
}

/** For a command that names its databases by other options. */
export function databaseInsecureOption(): Option {
  const [definition] = settingDefinitions.filter(({ key }) => key === 'databaseInsecure');
  if (definition === undefined) throw new TypeError('there is no such setting');
  return settingOption(definition);
}

/** Which database the flags and the environment name. */
export function directoryOptions(flags: DirectoryFlags): OpenDirectoryOptions {
  // A server's other settings are none of this command's business, even when they are wrong.
  const environment = withSecretFiles(process.env, ['FIELDROSTER_DATABASE_URL', 'FIELDROSTER_MASTER_KEY']);
  const names = definitions.flatMap((known) => [known.environment, `${known.environment}_FILE`]);
  const ours = Object.fromEntries(names.map((name) => [name, environment[name]]));
  const given = { data: flags.data, database: flags.database, databaseInsecure: flags.databaseInsecure };
  const { data, database, databaseInsecure } = readSettings(given, ours);
  return { data, database, databaseInsecure, environment };
}

/**
 * Opens the database that the flags name, which a server may have open too, and closes it after the work.
 *
 * @throws when there is none: a command that was called in the wrong folder would work on an empty one
 */
export async function withDirectory<T>(
  flags: DirectoryFlags,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  const options = directoryOptions(flags);
  requireDatabase(options);
  return withOpen(options, work);
}

/**
 * The same, for what an operator may prepare before the first start of the server: a database is made where
 * there is none, and the folder is named, as it may be the wrong one.
 */
export async function withDirectoryToFill<T>(
  flags: DirectoryFlags,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  const options = directoryOptions(flags);
  const isNew = !holdsDatabase(options);
  return withOpen(options, (directory) => {
    if (isNew) {
      warn(
        `made a new database in ${resolve(options.data)}; a server serves it with --data or FIELDROSTER_DATA`,
      );
    }
    return work(directory);
  });
}

async function withOpen<T>(
  options: OpenDirectoryOptions,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  const directory = await openDirectory({ ...options, notice: (_fields, message) => warn(message) });
  try {
    return await work(directory);
  } finally {
    await directory.database.close();
  }
}
