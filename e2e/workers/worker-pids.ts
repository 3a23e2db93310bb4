import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** Returns the process ids of the current workers of `serve --workers`. */
export function listWorkers(supervisorPid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === supervisorPid && !state?.startsWith('Z'))
    .map(([pid]) => Number(pid));
}

const startMsMax = 60_000;

/** Resolves with the workers once there are that many, none of them among the previous ones. */
export async function untilWorkers(
  supervisorPid: number,
  count: number,
  before: readonly number[] = [],
): Promise<number[]> {
  const giveUpAt = performance.now() + startMsMax;
  while (performance.now() < giveUpAt) {
    const now = listWorkers(supervisorPid);
    if (now.length === count && !now.some((worker) => before.includes(worker))) return now;
    await delay(50);
  }
  throw new Error(`there are not ${count} new workers after ${startMsMax} ms`);
}
