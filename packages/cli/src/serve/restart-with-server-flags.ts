import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

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
 * cannot restart sets what can still be set.
 */
export function restartWithServerFlags({ NODE_OPTIONS = '' }: NodeJS.ProcessEnv): void {
  const given = [...process.execArgv, ...NODE_OPTIONS.split(' ')].map(nameOf);
  const missing = serverFlags().filter((flag) => !given.includes(nameOf(flag)));
  if (missing.length === 0) return;
  // Restarting would lose a channel to the parent process, and a file that is only open.
  if (process.channel === undefined && !namesDescriptor()) beginAgain(missing);
  if (missing.includes(heapGrowth)) setFlagsFromString(heapGrowth);
}

/**
 * Returns whether a setting is read from a descriptor, such as that of `<(command)` in a shell. Node.js marks low ones, as
 * zsh opens them, to be closed when the process begins again.
 */
function namesDescriptor(): boolean {
  const words = [...process.argv.slice(2), process.env.FIELDROSTER_CONFIG ?? ''];
  return words.some((word) => /\/(?:dev|proc\/self)\/fd\/\d+$/.test(word));
}

/** Returns only where the system cannot replace a process. */
function beginAgain(flags: readonly string[]): void {
  const args = [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)];
  try {
    process.execve?.(process.execPath, args);
  } catch {
    // Windows has no equivalent, and an upgrade may have replaced the program file.
  }
}

/** Flags may be written with hyphens or underscores. */
function nameOf(flag: string): string {
  return (flag.split('=')[0] ?? '').replaceAll('_', '-');
}
