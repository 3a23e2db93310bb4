import { limits } from '@fieldroster/contract/limits';
import { type FileSettings, type Resolved, resolveSetting, type SettingSources } from './resolve-setting.ts';
import {
  anyText,
  basePath,
  databaseUrl,
  duration,
  hostAndPort,
  listenAddress,
  nonEmpty,
  oneOf,
  onOrOff,
  origin,
  origins,
  proxies,
  wholeNumber,
  yesOrNo,
} from './setting-values.ts';
import type { SettingDefinition, Settings } from './settings.ts';

export type { FileSetting, FileSettings } from './resolve-setting.ts';
export { type HostAndPort, joinHostAndPort, splitHostAndPort } from './setting-values.ts';
export type { ReplayRule, SettingDefinition, Settings } from './settings.ts';

/** A setting has a value that it does not accept; the message names both, except a secret value. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

const mebibyte = 1024 * 1024;

/** Every setting of `serve`. The flag wins over the environment, that over the configuration file, and that over the default. */
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
    'Largest body, in bytes, on every path that has no other limit',
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
  {
    ...define(
      'trustProxy',
      '--trust-proxy <addresses|hops>',
      'Proxies whose X-Forwarded-For is believed: addresses or networks, or how many; 0 for none',
      '',
      proxies,
    ),
    isList: true,
  },
  {
    ...define(
      'corsOrigin',
      '--cors-origin <origins>',
      'Origins whose pages may call operations from a browser, separated by commas',
      '',
      origins,
    ),
    isList: true,
  },
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
  define(
    'overloadWaitMs',
    '--overload-wait <milliseconds>',
    'How long requests wait for their turn under overload, in processor time; further ones are refused with 1503',
    '50',
    wholeNumber(1, 60_000),
  ),
  define(
    'callsKeepDays',
    '--calls-keep <days>',
    'How long summaries of calls are kept; failed calls are kept for 7 days; 0 records no calls',
    '90',
    wholeNumber(0, 3650),
  ),
  define(
    'auditKeepDays',
    '--audit-keep <days>',
    'How long audit rows are kept; 0 keeps them forever',
    '0',
    wholeNumber(0, 36_500),
  ),
  define(
    'metrics',
    '--metrics <address>',
    'Host and port that serve /metrics to Prometheus, such as 127.0.0.1:9464; never the public port',
    '',
    hostAndPort,
  ),
  {
    ...define(
      'backupEveryMs',
      '--backup-every <duration>',
      'Time from one backup to the next, as in 6h; 0 makes none',
      '0',
      duration(60_000, 31 * 86_400_000),
    ),
    isDuration: true,
  },
  define('backupTo', '--backup-to <folder>', 'Folder of those backups', '', anyText),
  define(
    'backupKeep',
    '--backup-keep <number>',
    'How many of them to keep; the oldest go first',
    '28',
    wholeNumber(1, 10_000),
  ),
  define('console', '--console <on|off>', "The operators' console at /console", 'on', onOrOff),
  define(
    'consoleListen',
    '--console-listen <address>',
    'Port, or host and port, that serve the console in place of the main port; a port alone: on 127.0.0.1',
    '',
    listenAddress,
  ),
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
  flags: SettingSources['flags'],
  environment: NodeJS.ProcessEnv,
  file: FileSettings = {},
): Settings {
  const entries = resolveSettings({ flags, environment, file }).map(({ definition, value, problem }) => {
    if (problem !== undefined) throw new SettingError(problem);
    return [definition.key, value];
  });
  return Object.fromEntries(entries) as Settings;
}

/** A setting with the source that decides it. */
export type ResolvedSetting = Resolved<SettingDefinition>;

/** Returns every setting with the source that decides it; a value that is not accepted has a problem. */
export function resolveSettings(sources: SettingSources): readonly ResolvedSetting[] {
  return settingDefinitions.map((definition) => resolveSetting(definition, sources));
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
