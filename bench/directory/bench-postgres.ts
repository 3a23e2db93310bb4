import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { signalProcess } from '../../packages/server/test/child-processes.ts';
import {
  createDatabase,
  openTestPostgres,
  runSql,
  testDatabaseVariable,
} from '../../packages/server/test/test-postgres.ts';
import { pinRunning } from '../process/pinned.ts';
import { treeOf } from '../process/usage.ts';

/** A PostgreSQL server that the contenders of a run use in turn. */
export type BenchPostgres = Awaited<ReturnType<typeof openBenchPostgres>>;

/**
 * Opens the PostgreSQL that the environment names, or starts one with default settings, away from the core of the
 * measured server. It ends at the latest with this process.
 *
 * @param notes receives its version and where it runs, for the reader of the figures
 */
export async function openBenchPostgres(cores: string | undefined, notes: string[]) {
  const isOwn = !process.env[testDatabaseVariable];
  const postgres = await openTestPostgres();
  const [row] = await runSql(postgres.url, 'show server_version');
  const [version] = String(row?.server_version).split(' ');
  notes.push(`PostgreSQL ${version} ${describePlace(isOwn, cores)}.`);
  return {
    ...postgres,
    /** Its first process; undefined when it runs elsewhere. */
    pid: isOwn ? await adoptPostmaster(postgres.url, cores) : undefined,
    /** Copies a database without open connections, and returns the copy's URL. */
    copyDatabase: (url: string) => createDatabase(postgres.url, new URL(url).pathname.slice(1)),
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
