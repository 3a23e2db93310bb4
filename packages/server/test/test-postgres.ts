import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { loadEmbeddedPostgres } from './embedded-postgres-class.ts';
import { PostgresProcess } from './postgres-process.ts';
import { reservePort } from './reserve-port.ts';
import { scratchDisk } from './scratch-disk.ts';
import { startReplica, type TestReplica } from './test-replica.ts';

/** Set it to run the tests against an existing PostgreSQL; its role must be allowed to create databases. */
export const testDatabaseVariable = 'FIELDROSTER_TEST_DATABASE_URL';

/** Set by `npm test` to a folder that `initdb` has filled, so that it runs once for all tests. */
export const postgresFilesVariable = 'FIELDROSTER_TEST_POSTGRES_FILES';

/** Limits for tests that are not about them: what runs beside a test must not make it fail. */
export const patient = { connectTimeoutMs: 60_000, statementTimeoutMs: 60_000, answerTimeoutMs: 60_000 };

/** The same for `openDirectory`. */
export const patientDirectory = {
  databaseConnectTimeoutMs: patient.connectTimeoutMs,
  databaseStatementTimeoutMs: patient.statementTimeoutMs,
};

export interface TestPostgres {
  /** URL of the server's maintenance database. */
  readonly url: string;
  /** Its first process when it is started; undefined if the environment names it. */
  readonly pid?: number;
  /** Makes an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /**
   * Makes a database with this release's tables, for tests that are not about migrating, and returns its URL. Copies one
   * that `npm test` has migrated. Elsewhere the database is empty, and is migrated when it is opened.
   */
  createMigratedDatabase(): Promise<string>;
  stop(): Promise<void>;
}

export interface TestPostgresOptions {
  /** False skips waiting for the disk, and keeps the files in memory if there is room, for tests that do not cut the power. */
  readonly durable?: boolean;
  /** Folder for its files, for example on a small disk; by default one for temporary files, on the disk or in memory. */
  readonly folder?: string;
  /** Settings that need a restart, such as `max_prepared_transactions=5`. */
  readonly settings?: readonly string[];
}

/** A PostgreSQL that belongs to one test. */
export interface OwnPostgres extends TestPostgres {
  /** The process, which can be killed, frozen and restarted on the same port and files. */
  readonly process: PostgresProcess;
  /** Kills it like a crash, and resolves once it is gone. */
  kill(): Promise<void>;
  /** Restarts it on the same port and files. */
  start(): Promise<void>;
  /** Starts a replica that follows it. Stop the replica first. */
  startReplica(): Promise<TestReplica>;
}

/** Returns the PostgreSQL that the environment names, or starts one for this test alone. */
export async function openTestPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  const given = process.env[testDatabaseVariable];
  if (given !== undefined && given !== '') {
    return { url: given, ...creating(given), stop: async () => {} };
  }
  return startPostgres(options);
}

/** Starts a PostgreSQL that the test may kill and restart. */
export async function startPostgres({
  durable = true,
  folder: parent = durable ? tmpdir() : scratchDisk(),
  settings = [],
}: TestPostgresOptions = {}): Promise<OwnPostgres> {
  const databaseDir = mkdtempSync(join(parent, 'fieldroster-postgres-'));
  const remove = () => rmSync(databaseDir, { recursive: true, force: true, maxRetries: 5 });
  // Files in memory that an interrupted run left would occupy it until the machine restarts. embedded-postgres turns SIGINT
  // and SIGTERM into an exit; after SIGKILL the files stay.
  process.once('exit', remove);
  const port = await reservePort();
  const Postgres = await loadEmbeddedPostgres();
  const create = (folder: string, ownPort: number) =>
    new Postgres({
      ...optionsOf(folder),
      port: ownPort,
      postgresFlags: ['max_connections=200', ...(durable ? [] : ['fsync=off']), ...settings].flatMap(
        (setting) => ['-c', setting],
      ),
    });
  const postgres = create(databaseDir, port);
  const files = process.env[postgresFilesVariable];
  if (files) execFileSync('cp', ['-a', `${files}/.`, databaseDir]);
  else await postgres.initialise();
  await postgres.start();
  const url = urlOf(port);
  const server = new PostgresProcess(postgres);
  return {
    url,
    pid: server.pid,
    process: server,
    ...creating(url),
    kill: () => server.kill(),
    start: () => server.start(),
    async startReplica() {
      const replicaPort = await reservePort();
      return startReplica({ url, databaseDir }, (folder) => ({
        postgres: create(folder, replicaPort),
        port: replicaPort,
      }));
    },
    async stop() {
      await server.stop();
      process.removeListener('exit', remove);
      remove();
    },
  };
}

const templateName = 'fieldroster_template';

/** Fills an empty folder with files that PostgreSQL can start on copies of. They hold a migrated database. */
export async function initialisePostgresFiles(folder: string): Promise<void> {
  const Postgres = await loadEmbeddedPostgres();
  const port = await reservePort();
  const postgres = new Postgres({ ...optionsOf(folder), port, postgresFlags: ['-c', 'fsync=off'] });
  await postgres.initialise();
  await postgres.start();
  const url = urlOf(port);
  await runSql(url, `create database ${templateName}`);
  const { openPostgresDatabase } = await import('../src/database/postgres/open.ts');
  const database = await openPostgresDatabase({ ...patient, url: named(url, templateName) });
  await database.close();
  await postgres.stop();
}

function optionsOf(databaseDir: string) {
  return {
    databaseDir,
    user: 'postgres',
    password: 'postgres',
    // PostgreSQL refuses to run as root; otherwise it runs as the user who started the tests.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8', '--no-sync'],
    onLog: () => {},
    onError: () => {},
  };
}

/** Runs one statement on its own connection. */
export async function runSql(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(text, [...values]);
    return rows;
  } finally {
    await client.end();
  }
}

const waitsForLock =
  "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Resolves once a session of the database waits for a lock. Fails if the work ends before. */
export function untilLocked(url: string, work: Promise<unknown>): Promise<void> {
  return untilRow(url, waitsForLock, { work, problem: 'it ended without waiting for a lock' });
}

export interface UntilRowOptions {
  readonly values?: readonly unknown[];
  /** What makes the row appear. When it ends before, there will be none. */
  readonly work?: Promise<unknown>;
  /** What to report then. */
  readonly problem?: string;
}

/** Resolves once the query has a row. */
export async function untilRow(
  url: string,
  query: string,
  { values = [], work, problem = `it ended without a row of: ${query}` }: UntilRowOptions = {},
): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  work?.then(end, end);
  while ((await runSql(url, query, values)).length === 0) {
    assert(!hasEnded, problem);
    await delay(20);
  }
}

function creating(url: string): Pick<TestPostgres, 'createDatabase' | 'createMigratedDatabase'> {
  return {
    createDatabase: () => createDatabase(url, 'template1'),
    createMigratedDatabase: () =>
      createDatabase(url, templateName).catch((error: { code?: unknown }) => {
        if (error.code !== unknownDatabase) throw error;
        return createDatabase(url, 'template1');
      }),
  };
}

const unknownDatabase = '3D000';

/** Makes a copy of a database without open connections, and returns its URL. */
export async function createDatabase(url: string, template: string): Promise<string> {
  const name = `fieldroster_${randomBytes(6).toString('hex')}`;
  // Copying files takes a quarter of the processor time of writing their pages to the log.
  await runSql(url, `create database ${name} template ${template} strategy file_copy`);
  return named(url, name);
}

function urlOf(port: number): string {
  return `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
}

function named(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
