import { limits } from '@fieldroster/contract/limits';
import { databaseSettings } from './database-settings.ts';
import { defineSetting } from './define-setting.ts';
import {
  basePath,
  duration,
  folder,
  hostAndPort,
  listenAddress,
  listenHost,
  oneOf,
  onOrOff,
  optionalFolder,
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
  defineSetting({
    key: 'host',
    flag: '--host <address>',
    description: 'Address to listen on',
    defaultText: '127.0.0.1',
    parse: listenHost,
  }),
  defineSetting({
    key: 'port',
    flag: '--port <number>',
    description: 'Port to listen on; 0 lets the system choose',
    defaultText: '8080',
    parse: wholeNumber(0, 65_535),
  }),
  defineSetting({
    key: 'data',
    flag: '--data <folder>',
    description: 'Folder of the database and the key file',
    defaultText: './data',
    parse: folder,
  }),
  defineSetting({
    key: 'basePath',
    flag: '--base-path <path>',
    description: 'Path before every operation, as in /api/v1',
    defaultText: '',
    parse: basePath,
  }),
  defineSetting({
    key: 'httpStatus',
    flag: '--http-status <mode>',
    description: 'compatible: 200 for every envelope; standard: a status for each code',
    defaultText: 'compatible',
    parse: oneOf('compatible', 'standard'),
  }),
  defineSetting({
    key: 'replay',
    flag: '--replay <rule>',
    description: 'write: a signed write is accepted once; nonce: every nonce is; off: no check',
    defaultText: 'write',
    parse: oneOf('write', 'nonce', 'off'),
  }),
  defineSetting({
    key: 'bodyBytesMax',
    flag: '--body-limit <bytes>',
    description: 'Largest body, in bytes, on every path that has no other limit',
    defaultText: String(limits.bodyBytesMax),
    parse: wholeNumber(1024, 64 * mebibyte),
  }),
  defineSetting({
    key: 'batchBodyBytesMax',
    flag: '--batch-body-limit <bytes>',
    description:
      'Largest body of POST /user/stores in bytes; also that of POST /users/batch and POST /stores if larger than their 32 MiB',
    defaultText: String(limits.batchBodyBytesMax),
    parse: wholeNumber(1024, 256 * mebibyte),
  }),
  defineSetting({
    key: 'rateLimit',
    flag: '--rate-limit <number>',
    description: 'Requests per second that one application may make; 0 sets no limit',
    defaultText: '0',
    parse: wholeNumber(0, 1_000_000),
  }),
  defineSetting({
    key: 'trustProxy',
    flag: '--trust-proxy <addresses|hops>',
    description: 'Proxies whose X-Forwarded-For is believed: addresses or networks, or how many; 0 for none',
    defaultText: '',
    parse: proxies,
    isList: true,
  }),
  defineSetting({
    key: 'corsOrigin',
    flag: '--cors-origin <origins>',
    description: 'Origins whose pages may call operations from a browser, separated by commas',
    defaultText: '',
    parse: origins,
    isList: true,
  }),
  defineSetting({
    key: 'connectionsMax',
    flag: '--connections-max <number>',
    description: 'Open connections of one process on each of its ports; more are closed at once',
    defaultText: '16384',
    parse: wholeNumber(16, 1_000_000),
  }),
  defineSetting({
    key: 'logLevel',
    flag: '--log-level <level>',
    description: 'Least severe lines to log',
    defaultText: 'info',
    parse: oneOf('info', 'warn', 'error', 'silent'),
  }),
  defineSetting({
    key: 'logFormat',
    flag: '--log-format <format>',
    description: 'json: for programs; pretty: for people; auto: pretty on a terminal, json elsewhere',
    defaultText: 'auto',
    parse: oneOf('auto', 'json', 'pretty'),
  }),
  ...databaseSettings,
  defineSetting({
    key: 'docs',
    flag: '--docs <on|off>',
    description: 'Serve the reference at /docs and the document at /openapi.json',
    defaultText: 'on',
    parse: onOrOff,
  }),
  defineSetting({
    key: 'workers',
    flag: '--workers <number>',
    description: 'Number of processes that serve the port',
    defaultText: '1',
    parse: wholeNumber(1, 256),
  }),
  defineSetting({
    key: 'drainSeconds',
    flag: '--drain <seconds>',
    description: 'How long a stopping server still serves while /readyz answers 503',
    defaultText: '0',
    parse: wholeNumber(0, 3600),
  }),
  defineSetting({
    key: 'overloadWaitMs',
    flag: '--overload-wait <milliseconds>',
    description:
      'How long requests wait in the queue under overload, in processor time; further ones are refused with 1503',
    defaultText: '50',
    parse: wholeNumber(1, 60_000),
  }),
  defineSetting({
    key: 'callsKeepDays',
    flag: '--calls-keep <days>',
    description: 'How long summaries of calls are kept; failed calls are kept for 7 days; 0 records no calls',
    defaultText: '90',
    parse: wholeNumber(0, 3650),
  }),
  defineSetting({
    key: 'auditKeepDays',
    flag: '--audit-keep <days>',
    description: 'How long audit rows are kept; 0 keeps them forever',
    defaultText: '0',
    parse: wholeNumber(0, 36_500),
  }),
  defineSetting({
    key: 'metrics',
    flag: '--metrics <address>',
    description:
      'Host and port that serve /metrics to Prometheus, such as 127.0.0.1:9464; never the public port',
    defaultText: '',
    parse: hostAndPort,
  }),
  defineSetting({
    key: 'backupEveryMs',
    flag: '--backup-every <duration>',
    description: 'Time from one scheduled backup to the next, as in 6h; 0 makes none',
    defaultText: '0',
    parse: duration(60_000, 31 * 86_400_000),
    isDuration: true,
  }),
  defineSetting({
    key: 'backupTo',
    flag: '--backup-to <folder>',
    description: 'Folder that the backups of --backup-every are written to',
    defaultText: '',
    parse: optionalFolder,
  }),
  defineSetting({
    key: 'backupKeep',
    flag: '--backup-keep <number>',
    description: 'How many backups to keep in the folder of --backup-to; the oldest are deleted first',
    defaultText: '28',
    parse: wholeNumber(1, 10_000),
  }),
  defineSetting({
    key: 'console',
    flag: '--console <on|off>',
    description: "Serve the operators' console at /console",
    defaultText: 'on',
    parse: onOrOff,
  }),
  defineSetting({
    key: 'consoleListen',
    flag: '--console-listen <address>',
    description:
      'Port, or host and port, that serves the console instead of the main port; a port alone listens on 127.0.0.1',
    defaultText: '',
    parse: listenAddress,
  }),
  defineSetting({
    key: 'publicUrl',
    flag: '--public-url <origin>',
    description: 'Origin at which browsers reach the console, if a proxy changes it',
    defaultText: '',
    parse: origin,
  }),
  defineSetting({
    key: 'secondFactor',
    flag: '--second-factor <who>',
    description:
      'Which operators must use a second factor: "optional" for none, "owners", "managers" for managers and owners, or "everyone"',
    defaultText: 'optional',
    parse: oneOf('optional', 'owners', 'managers', 'everyone'),
  }),
];
