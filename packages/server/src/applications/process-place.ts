import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { KeyHolder } from '../database/database.ts';

/** How often a process reports that it still runs, in milliseconds. Each report is a commit. */
export const aliveIntervalMs = 60_000;

/** A process that has not reported for this long counts as gone, in milliseconds. */
const goneAfterMs = 150_000;

/**
 * Returns a string that is equal for processes that see each other's process ids: those of one boot of one machine, in
 * one namespace of process ids.
 */
export function processPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // Systems other than Linux have neither of these, nor containers that share a host name.
    return hostname();
  }
}

/**
 * Returns whether a process that reported its keys still runs, as far as this process can tell.
 *
 * @param nowMs Unix milliseconds of the clock that dated the report
 */
export function isRunning({ place, pid, seenAtMs }: KeyHolder, nowMs: number): boolean {
  const agoMs = nowMs - seenAtMs;
  if (agoMs > goneAfterMs) return false;
  // The processes of this machine are known, whatever clock dated their reports.
  if (place === processPlace()) return processExists(pid);
  // A clock that has since been set back dated the report. A process that runs reports again within a minute.
  return agoMs >= -goneAfterMs;
}

/**
 * Decides over several looks which processes run. A report that is dated far ahead may be that of a running process,
 * from before the database's clock was set back. As that clock does not tell, such a process counts until its report
 * has stayed the same for so long, by this process's monotonic clock, that it must have ended.
 */
export class ProcessWatch {
  readonly #elapsedMs: () => number;
  readonly #reports = new Map<string, { readonly seenAtMs: number; readonly sinceMs: number }>();

  constructor(elapsedMs: () => number = () => performance.now()) {
    this.#elapsedMs = elapsedMs;
  }

  mayRun(holder: KeyHolder, nowMs: number): boolean {
    if (isRunning(holder, nowMs)) return true;
    const isDatedAhead = holder.place !== processPlace() && nowMs - holder.seenAtMs < -goneAfterMs;
    return isDatedAhead && !this.#isUnchanged(holder);
  }

  #isUnchanged({ processId, seenAtMs }: KeyHolder): boolean {
    const elapsedMs = this.#elapsedMs();
    const before = this.#reports.get(processId);
    if (before?.seenAtMs === seenAtMs) return elapsedMs - before.sinceMs > goneAfterMs;
    this.#reports.set(processId, { seenAtMs, sinceMs: elapsedMs });
    return false;
  }
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
