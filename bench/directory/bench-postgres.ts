import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { signalProcess } from '../../packages/server/test/child-processes.ts';
import {
  createDatabase as copyDatabase,
  openTestPostgres,
  runSql,
  testDatabaseVariable,
} from '../../packages/server/test/test-postgres.ts';
import type { Bench } from '../bench.ts';
import { pinRunning } from '../process/pinned.ts';
import { treeOf } from '../process/usage.ts';

/** A PostgreSQL server that the contenders of a run use in turn. */
export type BenchPostgres = Awaited<ReturnType<typeof openBenchPostgres>>;

/**
 * Returns the PostgreSQL of the run: the one that the environment names, or one with default settings, which the first
 * call starts.
 */
export function benchPostgres(bench: Bench): Promise<BenchPostgres> {
  return bench.keep('PostgreSQL', openBenchPostgres);
}

async function openBenchPostgres({ cores, notes, atEnd }: Bench) {
  const isOwn = !process.env[testDatabaseVariable];
  const { url, createDatabase, stop } = await openTestPostgres();
  atEnd(stop);
  const [row] = await runSql(url, 'show server_version');
  const [version] = String(row?.server_version).split(' ');
  notes.push(`PostgreSQL ${version} ${describePlace(isOwn, cores.database)}.`);
  return {
    /** Its first process; undefined when it runs elsewhere. */
    pid: isOwn ? await adoptPostmaster(url, cores.database) : undefined,
    createDatabase,
    /** Copies a database without open connections, and returns the copy's URL. */
    copyDatabase: (original: string) => copyDatabase(url, new URL(original).pathname.slice(1)),
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
