import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { signalProcess } from '../../packages/server/test/child-processes.ts';
import { openTestPostgres, runSql, testDatabaseVariable } from '../../packages/server/test/test-postgres.ts';
import type { BenchPostgres } from '../measurement.ts';
import { pinRunning } from '../process/pinned.ts';
import { treeOf } from '../process/usage.ts';

/**
 * Opens the PostgreSQL that the environment names, or starts one with default settings, away from the core of the
 * measured server. It ends at the latest with this process.
 *
 * @param notes receives its version and where it runs, for the reader of the figures
 */
export async function openBenchPostgres(cores: string | undefined, notes: string[]): Promise<BenchPostgres> {
  const isOwn = !process.env[testDatabaseVariable];
  const { url, createDatabase, stop } = await openTestPostgres();
  const [row] = await runSql(url, 'show server_version');
  const [version] = String(row?.server_version).split(' ');
  notes.push(`PostgreSQL ${version} ${describePlace(isOwn, cores)}.`);
  return {
    pid: isOwn ? await adoptPostmaster(url, cores) : undefined,
    createDatabase,
    copyDatabase: (original) => copyDatabase(url, original),
    stop,
  };
}

function describePlace(isOwn: boolean, cores: string | undefined): string {
  if (!isOwn) return `is the one that ${testDatabaseVariable} names; it may run on another machine`;
  const place = cores === undefined ? 'was pinned to no core' : `ran on core ${cores}`;
  return `was started for this run with its default settings, waits for the disk, and ${place}`;
}

/** Pins the server's first process, and ends it with this one if that is interrupted. The processes that it starts later stay on its cores. */
async function adoptPostmaster(url: string, cores: string | undefined): Promise<number> {
  const [row] = await runSql(url, 'show data_directory');
  const folder = String(row?.data_directory);
  const pid = Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'latin1'), 10);
  if (cores !== undefined) for (const each of treeOf(pid)) pinRunning(cores, each);
  process.once('exit', () => {
    // Nobody needs the data, so it may stop at once.
    signalProcess(pid, 'SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  return pid;
}

async function copyDatabase(maintenanceUrl: string, url: string): Promise<string> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const copied = new URL(url);
  await runSql(maintenanceUrl, `create database ${name} template ${copied.pathname.slice(1)}`);
  copied.pathname = `/${name}`;
  return copied.href;
}
