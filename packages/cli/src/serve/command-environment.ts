import { type FileSettings, type Settings, settingDefinitions } from '@fieldroster/server/admin';
import { configVariable } from '../config/config-file.ts';
import { isReadOnce } from '../files/is-read-once.ts';
import { fileVariable, secretVariables } from '../files/secret-files.ts';

/** What a server has read, which its commands may be unable to read again. */
export interface ServerSources {
  /** With its secrets loaded. */
  readonly environment: NodeJS.ProcessEnv;
  /** The configuration file, if there is one. */
  readonly file?: { readonly path: string; readonly settings: FileSettings };
  /** See {@link pathsReadOnce}. */
  readonly readOnce: ReadonlySet<string>;
}

/**
 * Returns which of the files of a server can be read only once. Call it before they are read: a named pipe may be removed
 * afterwards.
 *
 * @param config the path of the configuration file, if there is one
 */
export function pathsReadOnce(given: NodeJS.ProcessEnv, config: string | undefined): ReadonlySet<string> {
  const paths = [config, ...secretVariables.map((variable) => given[fileVariable(variable)])];
  return new Set(paths.flatMap((path) => (path && isReadOnce(path) ? [path] : [])));
}

/** How to run a command with the sources of a server. */
interface SourcesOfCommand {
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Returns the sources of a command that takes every setting of the server. A configuration that can be read only once, or
 * only by the server's process, becomes variables: process lists show flags, and it may hold a password.
 *
 * @param words the server's command line
 */
export function sourcesOfDoctor(
  words: readonly string[],
  given: NodeJS.ProcessEnv,
  { environment, file, readOnce }: ServerSources,
): SourcesOfCommand {
  const env = withLostSecrets(given, { environment, readOnce });
  const flags = words.filter((word) => !otherFlags.has(word));
  if (file === undefined || !readOnce.has(file.path)) return { flags, env };
  const { [configVariable]: _config, ...rest } = env;
  return { flags: withoutConfig(flags), env: { ...rest, ...variablesOf(file.settings, environment) } };
}

/** Flags of `serve` that are not settings. */
const otherFlags = new Set(['serve', '--sample', '--json', '--no-migrate']);

function withoutConfig(flags: readonly string[]): string[] {
  const flag = '--config';
  return flags.filter(
    (word, index) => word !== flag && !word.startsWith(`${flag}=`) && flags[index - 1] !== flag,
  );
}

/** Gives the value of each secret whose file cannot be read again. */
function withLostSecrets(
  given: NodeJS.ProcessEnv,
  { environment, readOnce }: ServerSources,
): NodeJS.ProcessEnv {
  const env = { ...given };
  for (const variable of secretVariables) {
    const path = given[fileVariable(variable)];
    if (!path || environment[variable] === undefined || !readOnce.has(path)) continue;
    delete env[fileVariable(variable)];
    env[variable] = environment[variable];
  }
  return env;
}

/** Returns the settings of a file as variables, except those that a variable outweighs. */
function variablesOf(settings: FileSettings, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const entries = settingDefinitions.flatMap(({ key, environment: name }) => {
    const text = settings[key]?.text;
    return text === undefined || environment[name] ? [] : [[name, text]];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the environment of a backup, which needs the database, but neither a master key nor the configuration file. The
 * database's URL is not among the flags, which process lists show.
 */
export function backupEnvironment(
  given: NodeJS.ProcessEnv,
  { data, database, databaseInsecure, databaseConnectTimeoutMs }: Settings,
): NodeJS.ProcessEnv {
  const {
    [configVariable]: _config,
    FIELDROSTER_MASTER_KEY: _key,
    FIELDROSTER_MASTER_KEY_FILE: _keyFile,
    FIELDROSTER_MASTER_KEY_PREVIOUS: _previous,
    FIELDROSTER_MASTER_KEY_PREVIOUS_FILE: _previousFile,
    FIELDROSTER_DATABASE_URL_FILE: _urlFile,
    ...rest
  } = given;
  return {
    ...rest,
    FIELDROSTER_DATA: data,
    FIELDROSTER_DATABASE_URL: database,
    FIELDROSTER_DATABASE_INSECURE: databaseInsecure ? 'yes' : 'no',
    FIELDROSTER_DATABASE_CONNECT_TIMEOUT: String(databaseConnectTimeoutMs),
  };
}
