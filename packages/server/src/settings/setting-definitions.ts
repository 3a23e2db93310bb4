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
import type { SettingDefinition, SettingDefinitions, Settings } from './settings.ts';

const mebibyte = 1024 * 1024;

/** In the order in which help and documents list them. */
const definitions: SettingDefinitions = {
  host: defineSetting({
    flag: '--host <address>',
    description: 'Address to listen on',
    defaultText: '127.0.0.1',
    parse: listenHost,
  }),
  port: defineSetting({
    flag: '--port <number>',
    description: 'Port to listen on; 0 lets the system choose',
    defaultText: '8080',
    parse: wholeNumber(0, 65_535),
  }),
  data: defineSetting({
    flag: '--data <folder>',
    description: 'Folder of the database and the key file',
    defaultText: './data',
    parse: folder,
  }),
  basePath: defineSetting({
    flag: '--base-path <path>',
    description: 'Path before every operation, as in /api/v1',
    defaultText: '',
    parse: basePath,
  }),
  httpStatus: defineSetting({
    flag: '--http-status <mode>',
    description: 'compatible: 200 for every envelope; standard: a status for each code',
    defaultText: 'compatible',
    parse: oneOf('compatible', 'standard'),
  }),
  replay: defineSetting({
    flag: '--replay <rule>',
    description: 'write: a signed write is accepted once; nonce: every nonce is; off: no check',
    defaultText: 'write',
    parse: oneOf('write', 'nonce', 'off'),
  }),
  bodyBytesMax: defineSetting({
    flag: '--body-limit <bytes>',
    description: 'Largest body, in bytes, on every path that has no other limit',
    defaultText: String(limits.bodyBytesMax),
    parse: wholeNumber(1024, 64 * mebibyte),
  }),
  batchBodyBytesMax: defineSetting({
    flag: '--batch-body-limit <bytes>',
    description:
      'Largest body of POST /user/stores in bytes; also that of POST /users/batch and POST /stores if larger than their 32 MiB',
    defaultText: String(limits.batchBodyBytesMax),
    parse: wholeNumber(1024, 256 * mebibyte),
  }),
  rateLimit: defineSetting({
    flag: '--rate-limit <number>',
    description: 'Requests per second that one application may make; 0 sets no limit',
    defaultText: '0',
    parse: wholeNumber(0, 1_000_000),
  }),
  trustProxy: defineSetting({
    flag: '--trust-proxy <addresses|hops>',
    description: 'Proxies whose X-Forwarded-For is believed: addresses or networks, or how many; 0 for none',
    defaultText: '',
    parse: proxies,
    isList: true,
  }),
  corsOrigin: defineSetting({
    flag: '--cors-origin <origins>',
    description: 'Origins whose pages may call operations from a browser, separated by commas',
    defaultText: '',
    parse: origins,
    isList: true,
  }),
  connectionsMax: defineSetting({
    flag: '--connections-max <number>',
    description:
      'Open connections of one process on each of its ports, or fewer where memory is short; more are closed at once',
    defaultText: '16384',
    parse: wholeNumber(16, 1_000_000),
  }),
  logLevel: defineSetting({
    flag: '--log-level <level>',
    description: 'Least severe lines to log',
    defaultText: 'info',
    parse: oneOf('info', 'warn', 'error', 'silent'),
  }),
  logFormat: defineSetting({
    flag: '--log-format <format>',
    description: 'json: for programs; pretty: for people; auto: pretty on a terminal, json elsewhere',
    defaultText: 'auto',
    parse: oneOf('auto', 'json', 'pretty'),
  }),
  ...databaseSettings,
  docs: defineSetting({
    flag: '--docs <on|off>',
    description: 'Serve the reference at /docs and the document at /openapi.json',
    defaultText: 'on',
    parse: onOrOff,
  }),
  workers: defineSetting({
    flag: '--workers <number>',
    description: 'Number of processes that serve the port',
    defaultText: '1',
    parse: wholeNumber(1, 256),
  }),
  drainSeconds: defineSetting({
    flag: '--drain <seconds>',
    description: 'How long a stopping server still serves while /readyz answers 503',
    defaultText: '0',
    parse: wholeNumber(0, 3600),
  }),
  overloadWaitMs: defineSetting({
    flag: '--overload-wait <milliseconds>',
    description:
      'How long requests wait in the queue under overload, in processor time; further ones are refused with 1503',
    defaultText: '50',
    parse: wholeNumber(1, 60_000),
  }),
  callsKeepDays: defineSetting({
    flag: '--calls-keep <days>',
    description: 'How long summaries of calls are kept; failed calls are kept for 7 days; 0 records no calls',
    defaultText: '90',
    parse: wholeNumber(0, 3650),
  }),
  auditKeepDays: defineSetting({
    flag: '--audit-keep <days>',
    description: 'How long audit rows are kept; 0 keeps them forever',
    defaultText: '0',
    parse: wholeNumber(0, 36_500),
  }),
  metrics: defineSetting({
    flag: '--metrics <address>',
    description:
      'Host and port that serve /metrics to Prometheus, such as 127.0.0.1:9464; never the public port',
    defaultText: '',
    parse: hostAndPort,
  }),
  backupEveryMs: defineSetting({
    flag: '--backup-every <duration>',
    description: 'Time from one scheduled backup to the next, as in 6h; 0 makes none',
    defaultText: '0',
    parse: duration(60_000, 31 * 86_400_000),
    isDuration: true,
  }),
  backupTo: defineSetting({
    flag: '--backup-to <folder>',
    description: 'Folder that the backups of --backup-every are written to',
    defaultText: '',
    parse: optionalFolder,
  }),
  backupKeep: defineSetting({
    flag: '--backup-keep <number>',
    description: 'How many backups to keep in the folder of --backup-to; the oldest are deleted first',
    defaultText: '28',
    parse: wholeNumber(1, 10_000),
  }),
  console: defineSetting({
    flag: '--console <on|off>',
    description: "Serve the operators' console at /console",
    defaultText: 'on',
    parse: onOrOff,
  }),
  consoleListen: defineSetting({
    flag: '--console-listen <address>',
    description:
      'Port, or host and port, that serves the console instead of the main port; a port alone listens on 127.0.0.1',
    defaultText: '',
    parse: listenAddress,
  }),
  publicUrl: defineSetting({
    flag: '--public-url <origin>',
    description: 'Origin at which browsers reach the console, if a proxy changes it',
    defaultText: '',
    parse: origin,
  }),
  secondFactor: defineSetting({
    flag: '--second-factor <who>',
    description:
      'Which operators must use a second factor: "optional" for none, "owners", "managers" for managers and owners, or "everyone"',
    defaultText: 'optional',
    parse: oneOf('optional', 'owners', 'managers', 'everyone'),
  }),
};

/**
 * Every setting of `serve`. A flag overrides the environment, which overrides the configuration file, which overrides
 * the default.
 */
export const settingDefinitions: readonly SettingDefinition[] = Object.entries(definitions).map(
  ([key, definition]) => ({ key: key as keyof Settings, ...definition }),
);
