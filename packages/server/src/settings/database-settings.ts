import { defineSetting } from './define-setting.ts';
import { databaseUrl, wholeNumber, yesOrNo } from './setting-values.ts';
import type { SettingDefinition } from './settings.ts';

/** The settings of PostgreSQL, and of the tables on either engine. */
export const databaseSettings: readonly SettingDefinition[] = [
  {
    ...defineSetting(
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
    ...defineSetting(
      'databaseReplica',
      '--database-replica <url>',
      'Streaming replica of that database, for lists',
      '',
      databaseUrl,
    ),
    environment: 'FIELDROSTER_DATABASE_REPLICA_URL',
    secret: true,
  },
  defineSetting(
    'databasePoolSize',
    '--database-pool-size <number>',
    'PostgreSQL connections for the requests of one process; one more watches the database',
    '10',
    wholeNumber(2, 1000),
  ),
  defineSetting(
    'databaseConnectTimeoutMs',
    '--database-connect-timeout <milliseconds>',
    'Longest time to open a connection to PostgreSQL',
    '3000',
    wholeNumber(100, 60_000),
  ),
  defineSetting(
    'databaseStatementTimeoutMs',
    '--database-statement-timeout <milliseconds>',
    'Longest time that a PostgreSQL statement may take',
    '10000',
    wholeNumber(100, 600_000),
  ),
  defineSetting(
    'waitForDatabaseSeconds',
    '--wait-for-database <seconds>',
    'How long a start waits for PostgreSQL',
    '60',
    wholeNumber(0, 86_400),
  ),
  defineSetting(
    'databaseInsecure',
    '--database-insecure <yes|no>',
    'Reach PostgreSQL on another machine without TLS, or without checking its certificate',
    'no',
    yesOrNo,
  ),
  defineSetting(
    'migrate',
    '--migrate <yes|no>',
    'Bring the tables to this release before serving',
    'yes',
    yesOrNo,
  ),
];
