import { readFileSync } from 'node:fs';

export interface Usage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** The kernel counts processor time in hundredths of a second for programs that look at it. */
const ticksPerSecond = 100;

/** What a process has used so far, or nothing where the kernel does not tell. */
export function usageOf(pid: number): Usage | undefined {
  try {
    // The name before the last ')' may itself hold spaces; user and system time are fields 14 and 15.
    const fields = (readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1) ?? '').split(' ');
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
      residentBytes: Number(resident?.[1] ?? 0) * 1024,
    };
  } catch {
    return undefined;
  }
}
