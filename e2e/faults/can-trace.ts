import { spawnSync } from 'node:child_process';

/** Returns whether strace is installed and may follow a process, which many containers forbid. */
export function canTrace(): boolean {
  return spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
}
