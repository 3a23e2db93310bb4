import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { loadEmbeddedPostgres } from './embedded-postgres-class.ts';
import { PostgresProcess } from './postgres-process.ts';
import { startReplica, type TestReplica } from './test-replica.ts';

/** Set it to run the tests against a PostgreSQL of one's own; its role must be allowed to create databases. */
export const testDatabaseVariable = 'FIELDROSTER_TEST_DATABASE_URL';

export interface TestPostgres {
  /** URL of the server's maintenance database. */
  readonly url: string;
  /** Makes an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

export interface TestPostgresOptions {
  /** False leaves out waiting for the disk, where no test cuts the power. */
  readonly durable?: boolean;
  /** Where its files are made, such as a small disk; the folder for temporary files when left out. */
  readonly folder?: string;
}

/** A PostgreSQL of one test's own. */
export interface OwnPostgres extends TestPostgres {
  /** The process, which can be killed, frozen and started again on the same port and files. */
  readonly process: PostgresProcess;
  /** Ends it as a crash would, and returns once it is gone. */
  kill(): Promise<void>;
  /** Starts it again, on the same port and files. */
  start(): Promise<void>;
  /** Starts a replica that follows it, to be stopped before it. */
  startReplica(): Promise<TestReplica>;
}

/** The PostgreSQL that the environment names, else a real one started for this test alone. */
export async function openTestPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  const given = process.env[testDatabaseVariable];
  if (given !== undefined && given !== '') {
    return { url: given, createDatabase: () => createDatabase(given), stop: async () => {} };
  }
  return startPostgres(options);
}

/** A PostgreSQL that belongs to the test, which may kill and restart it. */
export async function startPostgres({
  durable = true,
  folder: parent = tmpdir(),
}: TestPostgresOptions = {}): Promise<OwnPostgres> {
  const databaseDir = mkdtempSync(join(parent, 'fieldroster-postgres-'));
  const port = await freePort();
  const Postgres = await loadEmbeddedPostgres();
  const create = (folder: string, ownPort: number) =>
    new Postgres({
      databaseDir: folder,
      port: ownPort,
      user: 'postgres',
      password: 'postgres',
      // PostgreSQL refuses to run as root; elsewhere the tests run as whoever started them.
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--locale=C', '--encoding=UTF8'],
      postgresFlags: ['-c', 'max_connections=200', ...(durable ? [] : ['-c', 'fsync=off'])],
      onLog: () => {},
      onError: () => {},
    });
  const postgres = create(databaseDir, port);
  await postgres.initialise();
  await postgres.start();
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  const server = new PostgresProcess(postgres);
  return {
    url,
    process: server,
    createDatabase: () => createDatabase(url),
    kill: () => server.kill(),
    start: () => server.start(),
    async startReplica() {
      const replicaPort = await freePort();
      return startReplica({ url, databaseDir }, (folder) => ({
        postgres: create(folder, replicaPort),
        port: replicaPort,
      }));
    },
    async stop() {
      await server.stop();
      rmSync(databaseDir, { recursive: true, force: true });
    },
  };
}

/** Runs one statement on a connection of its own. */
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

async function createDatabase(url: string): Promise<string> {
  const name = `fieldroster_${randomBytes(6).toString('hex')}`;
  await runSql(url, `create database ${name}`);
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has a port');
  return address.port;
}
