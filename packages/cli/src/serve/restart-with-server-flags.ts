import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { givenDescriptors, outlivesReplacement, runUnderWatch } from '../process/start-again.ts';

/** The only one of the flags that can still be set at run time. */
const heapGrowth = '--heap-growing-percent=50';

/** V8's own upper limit. */
const threadsMax = 4;

/**
 * Returns the flags of a server. By default, V8 lets a busy heap grow to four times its size before
 * collecting it, and the space for young objects to 64 MB. It also collects with four threads however few cores
 * there are, which then wait for each other. And on SIGUSR1, which log rotation sends to other servers, Node.js would
 * open a port through which any user of the machine can debug the server and read its keys.
 */
export function serverFlags(): readonly string[] {
  const threads = Math.max(2, Math.min(threadsMax, availableParallelism()));
  return [heapGrowth, '--max-semi-space-size=12', `--v8-pool-size=${threads}`, '--disable-sigusr1'];
}

/**
 * Restarts this process with the flags, most of which can only be set at start. Its id, environment and
 * standard streams stay. Flags that the operator set on the command line or in NODE_OPTIONS win. A process that
 * would lose something on the way, which is a channel to its parent or a descriptor that a setting is read from, starts a
 * second one and waits for it. Where neither is possible, sets what can still be set.
 *
 * @returns whether another process serves
 */
export function restartWithServerFlags({ NODE_OPTIONS = '' }: NodeJS.ProcessEnv): boolean {
  const given = [...process.execArgv, ...NODE_OPTIONS.split(' ')].map(nameOf);
  const missing = serverFlags().filter((flag) => !given.includes(nameOf(flag)));
  if (missing.length === 0) return false;
  // Its supervisor talks to this very process.
  if (process.platform !== 'win32' && !cluster.isWorker && beginAgain(missing)) return true;
  if (missing.includes(heapGrowth)) setFlagsFromString(heapGrowth);
  return false;
}

/** Returns only if this process could not be replaced: whether a second one serves. */
function beginAgain(flags: readonly string[]): boolean {
  const args = [...process.execArgv, ...flags, ...process.argv.slice(1)];
  const descriptors = givenDescriptors();
  const keepsAll = process.channel === undefined && descriptors.every(outlivesReplacement);
  if (!keepsAll || process.execve === undefined) {
    runUnderWatch(args, descriptors);
    return true;
  }
  try {
    process.execve(process.execPath, [process.execPath, ...args]);
  } catch {
    // An upgrade may have replaced the program file.
  }
  return false;
}

/** Flags may be written with hyphens or underscores. */
function nameOf(flag: string): string {
  return (flag.split('=')[0] ?? '').replaceAll('_', '-');
}
