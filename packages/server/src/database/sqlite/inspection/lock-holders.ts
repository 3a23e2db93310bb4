import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { LockHolder } from '../../database.ts';
import { isBusy, retryWhileBusy } from '../errors/retry-while-busy.ts';
import { primaryCodeOf, resultCodes } from '../errors/sqlite-error.ts';
import { listWriteLocks } from '../files/write-locks.ts';

/**
 * Takes the write lock for an instant, and waits for it as a write does. Finds who has it if that takes too long.
 *
 * @returns `undefined` if this user may not write the database
 */
export async function findLockHolders(
  path: string,
  waitMs: number,
): Promise<readonly LockHolder[] | undefined> {
  const url = pathToFileURL(path);
  // Without this, SQLite would make a new file if somebody removed this one.
  url.searchParams.set('mode', 'rw');
  const connection = new DatabaseSync(url, { timeout: 0 });
  try {
    await retryWhileBusy(() => connection.exec('begin immediate; rollback'), waitMs);
    return [];
  } catch (error) {
    if (primaryCodeOf(error) === resultCodes.readOnly) return undefined;
    if (!isBusy(error)) throw error;
    const pids = new Set(listWriteLocks(path).map(({ pid }) => pid));
    const found = [...pids].map(describeProcess);
    return found.length > 0 ? found : [unknownProcess(path)];
  } finally {
    connection.close();
  }
}

function describeProcess(pid: number): LockHolder {
  const startedMs = startOf(pid);
  const program = programOf(pid);
  return {
    who: `process ${pid} (${program})`,
    doing: `is holding the write lock${startedMs === undefined ? '' : `; the process was started at ${new Date(startedMs).toISOString()}`}`,
    holdsUp: 'every write',
    advice: `see what it does with ps -o args= -p ${pid}; ${adviceOnHolder} with kill ${pid}; ${undone}`,
    said: {
      key: 'lockOfProcess',
      values: { pid, program, ...(startedMs !== undefined && { startedAt: startedMs }) },
    },
    advised: { key: 'stopProcess', values: { pid } },
  };
}

function unknownProcess(path: string): LockHolder {
  return {
    who: 'another process',
    doing: 'is holding the write lock',
    holdsUp: 'every write',
    advice: `find it with fuser -v ${path}; ${adviceOnHolder}; ${undone}`,
    said: { key: 'lockOfSomebody', values: {} },
    advised: { key: 'findProcess', values: { path } },
  };
}

const adviceOnHolder = 'if it is an import or another long command, wait for it; otherwise end it';

const undone = 'what it has not committed is undone';

/**
 * Names a program, and the first of its arguments that is a file: the script that an interpreter runs.
 * Shows no other argument, because it may be a secret.
 */
function programOf(pid: number): string {
  const [program = '', ...words] = readText(`/proc/${pid}/cmdline`).split('\0');
  const name = basename(program) || readText(`/proc/${pid}/comm`).trim() || 'unknown';
  const file = words.find((word) => isFile(resolve(`/proc/${pid}/cwd`, word)));
  return file === undefined ? name : `${name} ${file}`;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Linux counts process times in ticks of a hundredth of a second, on every machine. */
const ticksPerSecond = 100;

/** Returns when a process was started, in Unix milliseconds. Source: proc(5), the fields `starttime` and `btime`. */
function startOf(pid: number): number | undefined {
  const afterName = readText(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  const boot = readLines('/proc/stat').find((line) => line.startsWith('btime '));
  const ticks = Number(afterName[19]);
  if (boot === undefined || !Number.isFinite(ticks)) return undefined;
  return (Number(boot.slice('btime '.length)) + Math.floor(ticks / ticksPerSecond)) * 1000;
}

function readLines(path: string): readonly string[] {
  return readText(path).split('\n');
}

/** Returns an empty string where the system has no such file, or does not show it to this user. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
