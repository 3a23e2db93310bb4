import { defineSetting } from './define-setting.ts';
import { databaseUrl, wholeNumber, yesOrNo } from './setting-values.ts';
import type { SettingDefinitions } from './settings.ts';

/** The settings of PostgreSQL, and of the tables on either engine. */
export const databaseSettings = {
  database: defineSetting({
    flag: '--database <url>',
    description: 'PostgreSQL database instead of the embedded one',
    defaultText: '',
    parse: databaseUrl,
    // The usual name of this variable. A URL holds a password, so it belongs in the environment.
    environment: 'FIELDROSTER_DATABASE_URL',
    secret: true,
  }),
  databaseReplica: defineSetting({
    flag: '--database-replica <url>',
    description: 'Streaming replica of that database, for lists',
    defaultText: '',
    parse: databaseUrl,
    environment: 'FIELDROSTER_DATABASE_REPLICA_URL',
    secret: true,
  }),
  databasePoolSize: defineSetting({
    flag: '--database-pool-size <number>',
    description: 'PostgreSQL connections for the requests of one process; one more watches the database',
    defaultText: '10',
    parse: wholeNumber(2, 1000),
  }),
  databaseConnectTimeoutMs: defineSetting({
    flag: '--database-connect-timeout <milliseconds>',
    description: 'Longest time to open a connection to PostgreSQL',
    defaultText: '3000',
    parse: wholeNumber(100, 60_000),
  }),
  databaseStatementTimeoutMs: defineSetting({
    flag: '--database-statement-timeout <milliseconds>',
    description: 'Longest time that a PostgreSQL statement may take',
    defaultText: '10000',
    parse: wholeNumber(100, 600_000),
  }),
  waitForDatabaseSeconds: defineSetting({
    flag: '--wait-for-database <seconds>',
    description: 'How long a start waits for PostgreSQL',
    defaultText: '60',
    parse: wholeNumber(0, 86_400),
  }),
  databaseInsecure: defineSetting({
    flag: '--database-insecure <yes|no>',
    description: 'Reach PostgreSQL on another machine without TLS, or without checking its certificate',
    defaultText: 'no',
    parse: yesOrNo,
  }),
  migrate: defineSetting({
    flag: '--migrate <yes|no>',
    description: 'Bring the tables up to this release before serving',
    defaultText: 'yes',
    parse: yesOrNo,
  }),
} satisfies Partial<SettingDefinitions>;
