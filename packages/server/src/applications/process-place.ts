import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { KeyHolder } from '../database/database.ts';

/** How often a process reports that it still runs, in milliseconds. Each report is a commit. */
export const aliveIntervalMs = 60_000;

/** A process that has not reported for this long counts as gone, in milliseconds. */
export const goneAfterMs = 150_000;

/**
 * Returns a string that is equal for processes that see each other's process ids: those of one boot of one machine, in
 * one namespace of process ids.
 */
export function processPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // Only Linux has these files. Other systems have no containers that share a host name, so the name is enough.
    return hostname();
  }
}

/** Returns the part of a {@link processPlace} that is equal for all processes of a machine, those in containers included. */
export function machineOf(place: string): string {
  return place.split(' ', 1)[0] ?? place;
}

/**
 * Returns whether a process that has reported still runs, as far as this process can tell.
 *
 * @param nowMs Unix milliseconds of the clock that dated the report
 */
export function isRunning(
  { place, pid, seenAtMs }: Pick<KeyHolder, 'place' | 'pid' | 'seenAtMs'>,
  nowMs: number,
): boolean {
  const agoMs = nowMs - seenAtMs;
  if (agoMs > goneAfterMs) return false;
  // The processes of this machine are known, whatever clock dated their reports.
  if (place === processPlace()) return processExists(pid);
  // A clock that has since been set back dated the report. A process that runs reports again within a minute.
  return agoMs >= -goneAfterMs;
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
