import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openTestPostgres, runSql, testDatabaseVariable } from '../../packages/server/test/test-postgres.ts';
import type { BenchPostgres } from '../measurement.ts';
import { pinRunning } from '../process/pinned.ts';
import { sharedMemoryOf, treeOf, usageOf } from '../process/usage.ts';

export interface OpenedPostgres extends BenchPostgres {
  /** Its version and where it runs, for the reader of the figures. */
  readonly description: string;
}

/**
 * Opens the PostgreSQL that the environment names, or starts one with default settings, away from the core of the
 * measured server.
 */
export async function openBenchPostgres(cores: string | undefined): Promise<OpenedPostgres> {
  const given = process.env[testDatabaseVariable];
  const isOwn = given === undefined || given === '';
  const postgres = await openTestPostgres();
  const postmaster = isOwn ? await adoptPostmaster(postgres.url, cores) : undefined;
  return {
    description: `PostgreSQL ${await versionOf(postgres.url)} ${describePlace(isOwn, cores)}`,
    createDatabase: () => postgres.createDatabase(),
    copyDatabase: (url) => copyDatabase(postgres.url, url),
    cpuSeconds: () => (postmaster === undefined ? undefined : usageOf(postmaster.pid)?.cpuSeconds),
    memoryBytes: () => (postmaster === undefined ? undefined : sharedMemoryOf(postmaster.pid)),
    async stop() {
      await postgres.stop();
      postmaster?.release();
    },
  };
}

function describePlace(isOwn: boolean, cores: string | undefined): string {
  if (!isOwn) return `is the one that ${testDatabaseVariable} names; it may run on another machine`;
  const place = cores === undefined ? 'was pinned to no core' : `ran on core ${cores}`;
  return `was started for this run with its default settings, waits for the disk, and ${place}`;
}

/** Pins the server's first process. The processes that it starts later stay on its cores. */
async function adoptPostmaster(url: string, cores: string | undefined) {
  const [row] = await runSql(url, 'show data_directory');
  const folder = String(row?.data_directory);
  const pid = Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'latin1'), 10);
  if (cores !== undefined) for (const each of treeOf(pid)) pinRunning(cores, each);
  const remove = () => endAtOnce(pid, folder);
  process.once('exit', remove);
  return { pid, release: () => void process.off('exit', remove) };
}

/** Stops PostgreSQL after an interrupted run. */
function endAtOnce(pid: number, folder: string): void {
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // It has already ended.
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

async function versionOf(url: string): Promise<string> {
  const [row] = await runSql(url, 'show server_version');
  return String(row?.server_version).split(' ')[0] ?? '';
}

async function copyDatabase(maintenanceUrl: string, url: string): Promise<string> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const copied = new URL(url);
  await runSql(maintenanceUrl, `create database ${name} template ${copied.pathname.slice(1)}`);
  copied.pathname = `/${name}`;
  return copied.href;
}
