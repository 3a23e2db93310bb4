import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import type { KeyHolder } from '../database/database.ts';

/** Separates the server from the random part; no UUID contains it. */
const separator = '.';

/**
 * Returns an id for this process in its reports. It begins with the pid of the server: for a worker, that of its
 * supervisor. The rest is random, because a process of another container may have the same pid and the same host name.
 */
export function newProcessId(): string {
  return `${cluster.isWorker ? process.ppid : process.pid}${separator}${randomUUID()}`;
}

/**
 * Returns a string that is equal for the processes of one `serve`; `undefined` for a process of an earlier release, whose
 * id does not say it.
 */
export function serverOf({ processId, place }: Pick<KeyHolder, 'processId' | 'place'>): string | undefined {
  const [pid, random] = processId.split(separator);
  return random === undefined ? undefined : `${place} ${pid}`;
}
