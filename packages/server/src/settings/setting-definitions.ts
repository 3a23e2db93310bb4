import { limits } from '@fieldroster/contract/limits';
import { databaseSettings } from './database-settings.ts';
import { defineSetting } from './define-setting.ts';
import {
  anyText,
  basePath,
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
} from './setting-values.ts';
import type { SettingDefinition } from './settings.ts';

const mebibyte = 1024 * 1024;

/**
 * Every setting of `serve`. A flag overrides the environment, which overrides the configuration file, which overrides
 * the default.
 */
export const settingDefinitions: readonly SettingDefinition[] = [
  defineSetting('host', '--host <address>', 'Address to listen on', '127.0.0.1', nonEmpty),
  defineSetting(
    'port',
    '--port <number>',
    'Port to listen on; 0 lets the system choose',
    '8080',
    wholeNumber(0, 65_535),
  ),
  defineSetting('data', '--data <folder>', 'Folder of the database and the key file', './data', nonEmpty),
  defineSetting('basePath', '--base-path <path>', 'Path before every operation, as in /api/v1', '', basePath),
  defineSetting(
    'httpStatus',
    '--http-status <mode>',
    'compatible: 200 for every envelope; standard: a status for each code',
    'compatible',
    oneOf('compatible', 'standard'),
  ),
  defineSetting(
    'replay',
    '--replay <rule>',
    'write: a signed write is accepted once; nonce: every nonce is; off: no check',
    'write',
    oneOf('write', 'nonce', 'off'),
  ),
  defineSetting(
    'bodyBytesMax',
    '--body-limit <bytes>',
    'Largest body, in bytes, on every path that has no other limit',
    String(limits.bodyBytesMax),
    wholeNumber(1024, 64 * mebibyte),
  ),
  defineSetting(
    'batchBodyBytesMax',
    '--batch-body-limit <bytes>',
    'Largest body of POST /user/stores, in bytes; also of /users/batch and /stores when above 32 MiB',
    String(limits.batchBodyBytesMax),
    wholeNumber(1024, 256 * mebibyte),
  ),
  defineSetting(
    'rateLimit',
    '--rate-limit <number>',
    'Requests per second that one application may make; 0 sets no limit',
    '0',
    wholeNumber(0, 1_000_000),
  ),
  {
    ...defineSetting(
      'trustProxy',
      '--trust-proxy <addresses|hops>',
      'Proxies whose X-Forwarded-For is believed: addresses or networks, or how many; 0 for none',
      '',
      proxies,
    ),
    isList: true,
  },
  {
    ...defineSetting(
      'corsOrigin',
      '--cors-origin <origins>',
      'Origins whose pages may call operations from a browser, separated by commas',
      '',
      origins,
    ),
    isList: true,
  },
  defineSetting(
    'connectionsMax',
    '--connections-max <number>',
    'Open connections of one process; more are closed at once',
    '16384',
    wholeNumber(16, 1_000_000),
  ),
  defineSetting(
    'logLevel',
    '--log-level <level>',
    'Least severe lines to log',
    'info',
    oneOf('info', 'warn', 'error', 'silent'),
  ),
  defineSetting(
    'logFormat',
    '--log-format <format>',
    'json: for programs; pretty: for people; auto: pretty on a terminal, json elsewhere',
    'auto',
    oneOf('auto', 'json', 'pretty'),
  ),
  ...databaseSettings,
  defineSetting(
    'docs',
    '--docs <on|off>',
    'The reference at /docs, the document at /openapi.json',
    'on',
    onOrOff,
  ),
  defineSetting('workers', '--workers <number>', 'Processes that serve the port', '1', wholeNumber(1, 256)),
  defineSetting(
    'drainSeconds',
    '--drain <seconds>',
    'How long a stopping server still serves while /readyz answers 503',
    '0',
    wholeNumber(0, 3600),
  ),
  defineSetting(
    'overloadWaitMs',
    '--overload-wait <milliseconds>',
    'How long requests wait for their turn under overload, in processor time; further ones are refused with 1503',
    '50',
    wholeNumber(1, 60_000),
  ),
  defineSetting(
    'callsKeepDays',
    '--calls-keep <days>',
    'How long summaries of calls are kept; failed calls are kept for 7 days; 0 records no calls',
    '90',
    wholeNumber(0, 3650),
  ),
  defineSetting(
    'auditKeepDays',
    '--audit-keep <days>',
    'How long audit rows are kept; 0 keeps them forever',
    '0',
    wholeNumber(0, 36_500),
  ),
  defineSetting(
    'metrics',
    '--metrics <address>',
    'Host and port that serve /metrics to Prometheus, such as 127.0.0.1:9464; never the public port',
    '',
    hostAndPort,
  ),
  {
    ...defineSetting(
      'backupEveryMs',
      '--backup-every <duration>',
      'Time from one backup to the next, as in 6h; 0 makes none',
      '0',
      duration(60_000, 31 * 86_400_000),
    ),
    isDuration: true,
  },
  defineSetting('backupTo', '--backup-to <folder>', 'Folder of those backups', '', anyText),
  defineSetting(
    'backupKeep',
    '--backup-keep <number>',
    'How many of them to keep; the oldest go first',
    '28',
    wholeNumber(1, 10_000),
  ),
  defineSetting('console', '--console <on|off>', "The operators' console at /console", 'on', onOrOff),
  defineSetting(
    'consoleListen',
    '--console-listen <address>',
    'Port, or host and port, that serve the console in place of the main port; a port alone: on 127.0.0.1',
    '',
    listenAddress,
  ),
  defineSetting(
    'publicUrl',
    '--public-url <origin>',
    'Origin at which browsers reach the console, where a proxy changes it',
    '',
    origin,
  ),
  defineSetting(
    'secondFactor',
    '--second-factor <who>',
    'Operators who must have a second factor: optional: nobody; owners; managers: also owners; everyone',
    'optional',
    oneOf('optional', 'owners', 'managers', 'everyone'),
  ),
];
