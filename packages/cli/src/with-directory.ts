import {
  type OpenDirectory,
  type OpenDirectoryOptions,
  openDirectory,
  readSettings,
  settingDefinitions,
} from '@fieldroster/server';
import { type Command, Option } from 'commander';
import { settingOption } from './setting-option.ts';

/** What the commands on a database have in common. */
export interface DirectoryFlags {
  readonly data?: string;
  readonly database?: string;
  readonly json?: boolean;
}

/** The settings that say which database it is. */
const definitions = settingDefinitions.filter(({ key }) => key === 'data' || key === 'database');

/** Gives a command the options that say which database it works on, and `--json`. */
export function addDirectoryOptions(command: Command): Command {
  for (const definition of definitions) command.addOption(settingOption(definition));
  return command.addOption(new Option('--json', 'Print JSON for scripts'));
}

/** Which database the flags and the environment name. */
export function directoryOptions({ data, database }: DirectoryFlags): OpenDirectoryOptions {
  // A server's other settings are none of this command's business, even when they are wrong.
  const environment = Object.fromEntries(
    definitions.map((known) => [known.environment, process.env[known.environment]]),
  );
  const settings = readSettings({ data, database }, environment);
  return { data: settings.data, database: settings.database, environment: process.env };
}

/** Opens the database that the flags name, which a server may have open too, and closes it after the work. */
export async function withDirectory<T>(
  flags: DirectoryFlags,
  work: (directory: OpenDirectory) => Promise<T>,
): Promise<T> {
  const directory = await openDirectory(directoryOptions(flags));
  try {
    return await work(directory);
  } finally {
    await directory.store.close();
  }
}
