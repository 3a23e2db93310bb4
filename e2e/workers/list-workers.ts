import { execFileSync } from 'node:child_process';

/** Process ids of the workers that a `serve --workers` has at this moment. */
export function listWorkers(supervisorPid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === supervisorPid && !state?.startsWith('Z'))
    .map(([pid]) => Number(pid));
}
