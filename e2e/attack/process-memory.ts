import { readFileSync, writeFileSync } from 'node:fs';

/** Returns the peak resident memory of a process since {@link forgetPeak}, in bytes. */
export function peakMemoryOf(pid: number): number {
  return bytesOf('VmHWM', pid);
}

/** Returns how much of the files that a process maps is in memory, in bytes. The system takes it back when it needs it. */
export function mappedMemoryOf(pid: number): number {
  return bytesOf('RssFile', pid);
}

function bytesOf(field: string, pid: number): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'latin1'),
  );
  if (found === null) throw new Error(`the kernel reports no ${field} of process ${pid}`);
  return Number(found[1]) * 1024;
}

/** Resets the measured peak. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

export const mebibyte = 1024 * 1024;
