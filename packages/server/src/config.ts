import { limits } from '@fieldroster/contract/limits';
import {
  basePath,
  databaseUrl,
  nonEmpty,
  oneOf,
  onOrOff,
  origin,
  origins,
  proxies,
  wholeNumber,
  yesOrNo,
} from './setting-values.ts';

/** How a repeated request is treated: a write is accepted once, or every nonce is, or nothing is checked. */
export type ReplayRule = 'write' | 'nonce' | 'off';

/** What an operator can set on `serve`. */
export interface Settings {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Folder of the embedded database and of the key file. */
  readonly data: string;
  /** '' or a path that begins with a slash and ends without one. */
  readonly basePath: string;
  readonly httpStatus: 'compatible' | 'standard';
  readonly replay: ReplayRule;
  readonly bodyBytesMax: number;
  readonly batchBodyBytesMax: number;
  /** Requests per second of one application; 0 sets no limit. */
  readonly rateLimit: number;
  /** Addresses of proxies, or their number; '' when nothing is known about proxies. */
  readonly trustProxy: string;
  /** Origins whose pages may call operations, with commas in between; '' for none. */
  readonly corsOrigin: string;
  /** Maximum number of client connections open at once in one process. */
  readonly connectionsMax: number;
  readonly logLevel: 'info' | 'warn' | 'error' | 'silent';
  /** `auto` is `pretty` on a terminal and `json` elsewhere. */
  readonly logFormat: 'auto' | 'json' | 'pretty';
  /** URL of a PostgreSQL database; '' for the embedded one. */
  readonly database: string;
  readonly databaseReplica: string;
  readonly databasePoolSize: number;
  readonly databaseConnectTimeoutMs: number;
  readonly databaseStatementTimeoutMs: number;
  readonly waitForDatabaseSeconds: number;
  /** Whether a database on another machine may be reached without verified TLS. */
  readonly databaseInsecure: boolean;
  readonly migrate: boolean;
  /** Whether the interactive reference and the OpenAPI document are served. */
  readonly docs: boolean;
  /** Processes that serve the port. */
  readonly workers: number;
  /** Seconds between a signal to stop and the end of service, during which `/readyz` fails; 0 ends service at once. */
  readonly drainSeconds: number;
  /** Whether the operators' console is served. */
  readonly console: boolean;
  /** Origin of the console as browsers see it, behind a proxy; '' when they reach this process directly. */
  readonly publicUrl: string;
}

/** A setting has a value that it does not accept; the message names both, except a secret value. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

export interface SettingDefinition {
  readonly key: keyof Settings;
  /** Flag as on the command line, with the name of its value. */
  readonly flag: string;
  readonly environment: string;
  readonly description: string;
  readonly defaultText: string;
  /** True when the value holds a password, which no message may repeat. */
  readonly secret?: boolean;
  /** Converts the text. Throws an error whose message is what is accepted, as a sentence fragment. */
  readonly parse: (text: string) => string | number | boolean;
}

const mebibyte = 1024 * 1024;

/** Every setting of `serve`. The flag wins over the environment, the environment over the default. */
export const settingDefinitions: readonly SettingDefinition[] = [
  define('host', '--host <address>', 'Address to listen on', '127.0.0.1', nonEmpty),
  define(
    'port',
    '--port <number>',
    'Port to listen on; 0 lets the system choose',
    '8080',
    wholeNumber(0, 65_535),
  ),
  define('data', '--data <folder>', 'Folder of the database and the key file', './data', nonEmpty),
  define('basePath', '--base-path <path>', 'Path before every operation, as in /api/v1', '', basePath),
  define(
    'httpStatus',
    '--http-status <mode>',
    'compatible: 200 for every envelope; standard: a status for each code',
    'compatible',
    oneOf('compatible', 'standard'),
  ),
  define(
    'replay',
    '--replay <rule>',
    'write: a signed write is accepted once; nonce: every nonce is; off: no check',
    'write',
    oneOf('write', 'nonce', 'off'),
  ),
  define(
    'bodyBytesMax',
    '--body-limit <bytes>',
    'Largest body, in bytes, of every path without a limit of its own',
    String(limits.bodyBytesMax),
    wholeNumber(1024, 64 * mebibyte),
  ),
  define(
    'batchBodyBytesMax',
    '--batch-body-limit <bytes>',
    'Largest body of POST /user/stores, in bytes; also of /users/batch and /stores when above 32 MiB',
    String(limits.batchBodyBytesMax),
    wholeNumber(1024, 256 * mebibyte),
  ),
  define(
    'rateLimit',
    '--rate-limit <number>',
    'Requests per second that one application may make; 0 sets no limit',
    '0',
    wholeNumber(0, 1_000_000),
  ),
  define(
    'trustProxy',
    '--trust-proxy <addresses|hops>',
    'Proxies whose X-Forwarded-For is believed: addresses or networks, or how many; 0: there is none',
    '',
    proxies,
  ),
  define(
    'corsOrigin',
    '--cors-origin <origins>',
    'Origins whose pages may call operations from a browser, with commas in between',
    '',
    origins,
  ),
  define(
    'connectionsMax',
    '--connections-max <number>',
    'Open connections of one process; more are closed at once',
    '16384',
    wholeNumber(16, 1_000_000),
  ),
  define(
    'logLevel',
    '--log-level <level>',
    'Least severe lines to log',
    'info',
    oneOf('info', 'warn', 'error', 'silent'),
  ),
  define(
    'logFormat',
    '--log-format <format>',
    'json: for programs; pretty: for people; auto: pretty on a terminal, json elsewhere',
    'auto',
    oneOf('auto', 'json', 'pretty'),
  ),
  {
    ...define(
      'database',
      '--database <url>',
      'PostgreSQL database instead of the embedded one',
      '',
      databaseUrl,
    ),
    // The usual name of this variable. A URL holds a password, so it belongs in the environment.
    environment: 'FIELDROSTER_DATABASE_URL',
    secret: true,
  },
  {
    ...define(
      'databaseReplica',
      '--database-replica <url>',
      'Streaming replica of that database, for lists',
      '',
      databaseUrl,
    ),
    environment: 'FIELDROSTER_DATABASE_REPLICA_URL',
    secret: true,
  },
  define(
    'databasePoolSize',
    '--database-pool-size <number>',
    'PostgreSQL connections for the requests of one process; one more watches the database',
    '10',
    wholeNumber(2, 1000),
  ),
  define(
    'databaseConnectTimeoutMs',
    '--database-connect-timeout <milliseconds>',
    'Longest time to open a connection to PostgreSQL',
    '3000',
    wholeNumber(100, 60_000),
  ),
  define(
    'databaseStatementTimeoutMs',
    '--database-statement-timeout <milliseconds>',
    'Longest time that a PostgreSQL statement may take',
    '10000',
    wholeNumber(100, 600_000),
  ),
  define(
    'waitForDatabaseSeconds',
    '--wait-for-database <seconds>',
    'How long a start waits for PostgreSQL',
    '60',
    wholeNumber(0, 86_400),
  ),
  define(
    'databaseInsecure',
    '--database-insecure <yes|no>',
    'Reach PostgreSQL on another machine without TLS, or without checking its certificate',
    'no',
    yesOrNo,
  ),
  define('migrate', '--migrate <yes|no>', 'Bring the tables to this release before serving', 'yes', yesOrNo),
  define('docs', '--docs <on|off>', 'The reference at /docs, the document at /openapi.json', 'on', onOrOff),
  define('workers', '--workers <number>', 'Processes that serve the port', '1', wholeNumber(1, 256)),
  define(
    'drainSeconds',
    '--drain <seconds>',
    'How long a stopping server still serves while /readyz answers 503',
    '0',
    wholeNumber(0, 3600),
  ),
  define('console', '--console <on|off>', "The operators' console at /console", 'on', onOrOff),
  define(
    'publicUrl',
    '--public-url <origin>',
    'Origin at which browsers reach the console, where a proxy changes it',
    '',
    origin,
  ),
];

/**
 * @param flags the text of each flag that was given, by the key of its setting
 * @throws {SettingError} for a value that is not accepted
 */
export function readSettings(
  flags: Readonly<Record<string, string | undefined>>,
  environment: NodeJS.ProcessEnv,
): Settings {
  const entries = settingDefinitions.map((definition) => {
    const { key, flag, environment: variable, defaultText } = definition;
    const fromFlag = flags[key];
    const fromEnvironment = environment[variable] === '' ? undefined : environment[variable];
    const text = fromFlag ?? fromEnvironment ?? defaultText;
    const file = environment[`${variable}_FILE`] ? '_FILE' : '';
    const source = fromFlag !== undefined ? (flag.split(' ')[0] ?? flag) : variable + file;
    return [key, parse(definition, text, source)];
  });
  return Object.fromEntries(entries) as Settings;
}

function parse(
  { parse: read, secret }: SettingDefinition,
  text: string,
  source: string,
): string | number | boolean {
  try {
    return read(text);
  } catch (error) {
    const found = secret === true ? 'not accepted' : JSON.stringify(text);
    throw new SettingError(`${source} is ${found}; it must be ${(error as Error).message}`);
  }
}

function define(
  key: keyof Settings,
  flag: string,
  description: string,
  defaultText: string,
  parse: SettingDefinition['parse'],
): SettingDefinition {
  const flagName = flag.slice(2).split(' ')[0] ?? '';
  const environment = `FIELDROSTER_${flagName.toUpperCase().replaceAll('-', '_')}`;
  return { key, flag, environment, description, defaultText, parse };
}
