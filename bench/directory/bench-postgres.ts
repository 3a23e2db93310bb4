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
  const { url, pid, createDatabase, stop } = await openTestPostgres();
  atEnd(stop);
  if (pid !== undefined) adopt(pid, cores.database);
  const [row] = await runSql(url, 'show server_version');
  const [version] = String(row?.server_version).split(' ');
  notes.push(`PostgreSQL ${version} ${describePlace(pid !== undefined, cores.database)}.`);
  return {
    /** URL of the server's maintenance database. */
    url,
    /** Its first process; undefined when it runs elsewhere. */
    pid,
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

/** Pins the server, and stops it before its files are removed if the run is interrupted. The processes that it starts later stay on its cores. */
function adopt(pid: number, cores: string | undefined): void {
  if (cores !== undefined) for (const each of treeOf(pid)) pinRunning(cores, each);
  // Nobody needs the data, so it may stop at once.
  process.prependOnceListener('exit', () => signalProcess(pid, 'SIGQUIT'));
}
