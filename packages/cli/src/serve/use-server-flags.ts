import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** The only one of the flags that can still be set when the process runs. */
const heapGrowth = '--heap-growing-percent=50';

/** V8 takes no more than that by itself. */
const threadsMax = 4;

/**
 * How V8 is to treat a server. By itself it lets a busy heap grow to four times its size before it is
 * collected, and the space for young objects to 64 MB. It collects with four threads however few cores there
 * are, which then wait for each other.
 */
export function serverFlags(): readonly string[] {
  const threads = Math.max(2, Math.min(threadsMax, availableParallelism()));
  return [heapGrowth, '--max-semi-space-size=12', `--v8-pool-size=${threads}`];
}

/**
 * Makes this process begin again with the flags, most of which can only be given at the start; its id, its
 * environment and its standard streams stay. What the operator has set, on the command line or in
 * NODE_OPTIONS, holds. A process that cannot begin again goes on with what can still be set.
 */
export function useServerFlags({ NODE_OPTIONS = '' }: NodeJS.ProcessEnv): void {
  const given = [...process.execArgv, ...NODE_OPTIONS.split(' ')].map(nameOf);
  const missing = serverFlags().filter((flag) => !given.includes(nameOf(flag)));
  if (missing.length === 0) return;
  // A channel to the process that started this one would be lost.
  if (process.channel === undefined) beginAgain(missing);
  if (missing.includes(heapGrowth)) setFlagsFromString(heapGrowth);
}

/** Returns only where the system cannot do it. */
function beginAgain(flags: readonly string[]): void {
  const args = [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)];
  try {
    process.execve?.(process.execPath, args);
  } catch {
    // Windows has nothing like it, and the program may have been replaced by its next release.
  }
}

/** Flags may be written with hyphens or underscores. */
function nameOf(flag: string): string {
  return (flag.split('=')[0] ?? '').replaceAll('_', '-');
}
