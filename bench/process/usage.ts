import { existsSync, readFileSync } from 'node:fs';

interface Usage {
  readonly cpuSeconds: number;
  /** Without mapped files, whose pages belong to the kernel's cache. */
  readonly anonymousBytes: number;
}

/** The kernel reports processor time in hundredths of a second. */
const ticksPerSecond = 100;

/**
 * Watches a process from now on. The result returns its memory, and its processor time since then as a share of one core;
 * both are undefined if {@link usageOf} is.
 */
export function watchUsage(pid: number | undefined) {
  const before = usageOf(pid);
  return (seconds: number) => {
    const after = usageOf(pid);
    const cpuShare = before && after && (after.cpuSeconds - before.cpuSeconds) / seconds;
    return { cpuShare, anonymousBytes: after?.anonymousBytes };
  };
}

/** Usage of a process and its descendants so far; undefined after its end, and where the kernel does not report it. */
export function usageOf(pid: number | undefined): Usage | undefined {
  if (pid === undefined || !existsSync(`/proc/${pid}/stat`)) return undefined;
  const usages = treeOf(pid).map(usageOfOne);
  const sum = (figure: keyof Usage) => usages.reduce((total, usage) => total + usage[figure], 0);
  return { cpuSeconds: sum('cpuSeconds'), anonymousBytes: sum('anonymousBytes') };
}

/** Returns a process and its descendants. */
export function treeOf(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => treeOf(Number(child)))];
}

function usageOfOne(pid: number): Usage {
  // The fields from the third on. The name before the last ')' may contain spaces.
  const fields = (read(`/proc/${pid}/stat`).split(') ').at(-1) ?? '').split(' ');
  // User and system time of the process, then of its children that have ended.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  const [, anonymous = 0] = /^RssAnon:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return { cpuSeconds: ticks / ticksPerSecond, anonymousBytes: Number(anonymous) * 1024 };
}

/** Empty when the process has ended in the meantime. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
