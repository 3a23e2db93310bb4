import { defineSetting } from './define-setting.ts';
import { databaseUrl, wholeNumber, yesOrNo } from './setting-values.ts';
import type { SettingDefinition } from './settings.ts';

/** The settings of PostgreSQL, and of the tables on either engine. */
export const databaseSettings: readonly SettingDefinition[] = [
  defineSetting({
    key: 'database',
    flag: '--database <url>',
    description: 'PostgreSQL database instead of the embedded one',
    defaultText: '',
    parse: databaseUrl,
    // The usual name of this variable. A URL holds a password, so it belongs in the environment.
    environment: 'FIELDROSTER_DATABASE_URL',
    secret: true,
  }),
  defineSetting({
    key: 'databaseReplica',
    flag: '--database-replica <url>',
    description: 'Streaming replica of that database, for lists',
    defaultText: '',
    parse: databaseUrl,
    environment: 'FIELDROSTER_DATABASE_REPLICA_URL',
    secret: true,
  }),
  defineSetting({
    key: 'databasePoolSize',
    flag: '--database-pool-size <number>',
    description: 'PostgreSQL connections for the requests of one process; one more watches the database',
    defaultText: '10',
    parse: wholeNumber(2, 1000),
  }),
  defineSetting({
    key: 'databaseConnectTimeoutMs',
    flag: '--database-connect-timeout <milliseconds>',
    description: 'Longest time to open a connection to PostgreSQL',
    defaultText: '3000',
    parse: wholeNumber(100, 60_000),
  }),
  defineSetting({
    key: 'databaseStatementTimeoutMs',
    flag: '--database-statement-timeout <milliseconds>',
    description: 'Longest time that a PostgreSQL statement may take',
    defaultText: '10000',
    parse: wholeNumber(100, 600_000),
  }),
  defineSetting({
    key: 'waitForDatabaseSeconds',
    flag: '--wait-for-database <seconds>',
    description: 'How long a start waits for PostgreSQL',
    defaultText: '60',
    parse: wholeNumber(0, 86_400),
  }),
  defineSetting({
    key: 'databaseInsecure',
    flag: '--database-insecure <yes|no>',
    description: 'Reach PostgreSQL on another machine without TLS, or without checking its certificate',
    defaultText: 'no',
    parse: yesOrNo,
  }),
  defineSetting({
    key: 'migrate',
    flag: '--migrate <yes|no>',
    description: 'Bring the tables up to this release before serving',
    defaultText: 'yes',
    parse: yesOrNo,
  }),
];
