import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { nonEmpty } from '../command-line/flag-values.ts';
import { whyUnreadable } from '../files/file-faults.ts';
import { readSmallFile } from '../files/read-small-file.ts';
import { withSecretFiles } from '../files/secret-files.ts';
import { warn } from '../output/print.ts';
import { UsageError } from '../run-program.ts';

export interface CallFlags {
  readonly url?: string;
  readonly appId?: string;
  readonly appSecret?: string;
}

/** Where to send a request and how to sign it. */
export interface CallTarget {
  readonly url: string;
  /** Where the URL comes from, for messages: the flag, the variable or the key in the credentials file. */
  readonly urlSource?: string;
  readonly appId: string;
  readonly appSecret: string;
}

const urlDefault = 'http://127.0.0.1:8080';

/** Adds the options that choose the server and the credentials of a command. */
export function addCallOptions(command: Command): Command {
  return command
    .option(
      '--url <url>',
      'URL of the server, with its base path (env FIELDROSTER_URL, default http://127.0.0.1:8080)',
      given,
    )
    .option('--app-id <appid>', 'APPID to sign with (env FIELDROSTER_APP_ID)', given)
    .option(
      '--app-secret <secret>',
      'Its APPSECRET; safer in the environment (env FIELDROSTER_APP_SECRET)',
      given,
    );
}

/** An empty URL would otherwise choose the server of another source, perhaps the wrong one. */
const given = nonEmpty('leave the flag out to take it from the environment or the credentials file');

/**
 * Takes the URL, the APPID and the APPSECRET each from its flag, else the environment, else the credentials
 * file.
 *
 * @param appIdDefault the APPID if none of them gives one
 */
export function findCallTarget(
  flags: CallFlags,
  variables: NodeJS.ProcessEnv,
  appIdDefault?: string,
): CallTarget {
  const environment = withSecretFiles(variables, ['FIELDROSTER_APP_SECRET']);
  const path = credentialsPath(environment);
  const own = {
    url: flags.url ?? environment.FIELDROSTER_URL,
    appId: flags.appId || environment.FIELDROSTER_APP_ID,
    appSecret: flags.appSecret || environment.FIELDROSTER_APP_SECRET,
  };
  // The file may be another user's, as it is where HOME was not changed together with the user.
  const file = own.url && own.appId && own.appSecret ? {} : readCredentials(path);
  const appId = own.appId || file.app_id || appIdDefault;
  const appSecret = own.appSecret || file.app_secret;
  if (!appId)
    throw new UsageError(`no APPID: give --app-id, set FIELDROSTER_APP_ID, or write app_id to ${path}`);
  if (!appSecret) {
    throw new UsageError(
      `no APPSECRET: give --app-secret, set FIELDROSTER_APP_SECRET, or write app_secret to ${path}`,
    );
  }
  const urlSource = own.url ? 'FIELDROSTER_URL' : `url in ${path}`;
  return {
    url: own.url || file.url || urlDefault,
    urlSource: flags.url ? '--url' : urlSource,
    appId,
    appSecret,
  };
}

/** Returns the path of the credentials file: below `XDG_CONFIG_HOME`, else below `~/.config`. */
function credentialsPath(environment: NodeJS.ProcessEnv): string {
  const base = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), '.config');
  return join(base, 'fieldroster', 'credentials.json');
}

type Credentials = Readonly<Partial<Record<'url' | 'app_id' | 'app_secret', string>>>;

function readCredentials(path: string): Credentials {
  const text = readIfThere(path);
  if (text === undefined) return {};
  warnIfOthersMayRead(path);
  const value = parseJson(text);
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    !Object.values(value).every((part) => typeof part === 'string')
  ) {
    throw new UsageError(`${path} must contain a JSON object with strings under url, app_id and app_secret`);
  }
  return value;
}

function readIfThere(path: string): string | undefined {
  try {
    return readSmallFile(path).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(
      `the credentials file is ${path}, which ${whyUnreadable(error)}; or give --url, --app-id and FIELDROSTER_APP_SECRET`,
      { cause: error },
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const openToOthers = 0o077;

function warnIfOthersMayRead(path: string): void {
  if (process.platform === 'win32' || (statSync(path).mode & openToOthers) === 0) return;
  warn(`${path} holds a secret and may be read by others; run: chmod 600 ${path}`);
}
