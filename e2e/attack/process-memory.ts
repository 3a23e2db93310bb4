import { readFileSync, writeFileSync } from 'node:fs';

/** Returns the peak resident memory of a process since {@link forgetPeak}, in bytes. */
export function peakMemoryOf(pid: number): number {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  if (found === null) throw new Error(`the kernel reports no peak memory of process ${pid}`);
  return Number(found[1]) * 1024;
}

/** Resets the measured peak. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

export const mebibyte = 1024 * 1024;
