import { readFileSync } from 'node:fs';

export interface Usage {
  readonly cpuSeconds: number;
  /** Without mapped files, whose pages belong to the kernel's cache. */
  readonly anonymousBytes: number;
}

/** The kernel reports processor time in hundredths of a second. */
const ticksPerSecond = 100;

/** Usage of a process and its children so far; undefined where the kernel does not report it. */
export function usageOf(pid: number | undefined): Usage | undefined {
  return unlessMissing(pid, (known) => {
    const usages = treeOf(known).map(usageOfOne);
    return {
      cpuSeconds: usages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
      anonymousBytes: usages.reduce((sum, { anonymousBytes }) => sum + anonymousBytes, 0),
    };
  });
}

/** Memory of a process and its children in bytes; shared memory counts once. */
export function sharedMemoryOf(pid: number | undefined): number | undefined {
  return unlessMissing(pid, (known) => treeOf(known).reduce((sum, each) => sum + proportionalBytes(each), 0));
}

/** Undefined without a process, and where the kernel does not describe it, as after its end. */
function unlessMissing<Value>(pid: number | undefined, read: (pid: number) => Value): Value | undefined {
  if (pid === undefined) return undefined;
  try {
    return read(pid);
  } catch {
    return undefined;
  }
}

function proportionalBytes(pid: number): number {
  const found = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'));
  return Number(found?.[1] ?? 0) * 1024;
}

/** A process and its descendants. Descendants that end during the measurement are left out. */
export function treeOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => unlessMissing(Number(child), treeOf) ?? [])];
}

function usageOfOne(pid: number): Usage {
  const fields = statFields(pid);
  const anonymous = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  // User and system time of the process, then of its children that have ended.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { cpuSeconds: ticks / ticksPerSecond, anonymousBytes: Number(anonymous?.[1] ?? 0) * 1024 };
}

/** The fields from the third on. The name before the last ')' may contain spaces. */
function statFields(pid: number): string[] {
  return (readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1) ?? '').split(' ');
}
