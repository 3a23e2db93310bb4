import { execFileSync } from 'node:child_process';

/** Returns the ids of the processes that a process has started itself. */
export function listChildren(parentPid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === parentPid)
    .map(([pid = 0]) => pid);
}

/** Sends a signal, unless the process has already exited. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already exited.
  }
}
