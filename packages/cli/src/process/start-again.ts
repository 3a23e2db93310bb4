import { type StdioOptions, spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { handedOverVariable } from './end-with-wrapper.ts';

/** Returns the open descriptors that settings are read from, such as those of `<(command)` in a shell. */
export function givenDescriptors(): readonly number[] {
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith('FIELDROSTER_'));
  const words = [...process.argv.slice(2), ...settings.map(([, value]) => value ?? '')];
  const numbers = words.flatMap((word) => /\/(?:dev|proc\/self)\/fd\/(\d{1,9})$/.exec(word)?.[1] ?? []);
  return numbers.map(Number).filter((number) => number > 2 && isOpen(number));
}

/** Up to this one, Node.js marks all open descriptors to be closed when the process replaces itself. */
const markedMax = 15;

/** Returns whether a descriptor stays open when this process replaces itself. */
export function outlivesReplacement(descriptor: number): boolean {
  // Node.js goes on with those above, up to the first that is not open.
  for (let below = markedMax + 1; below < descriptor; below++) if (!isOpen(below)) return true;
  return false;
}

function isOpen(descriptor: number): boolean {
  try {
    return fstatSync(descriptor) !== undefined;
  } catch {
    return false;
  }
}

/** Runs a command line in a second process, passes signals on to it, and ends as it ends. */
export function runUnderWatch(args: readonly string[], descriptors: readonly number[]): void {
  const length = Math.max(3, ...descriptors.map((number) => number + 1));
  const stdio: Exclude<StdioOptions, string> = Array.from({ length }, (_, number) => {
    if (number < 3) return 'inherit';
    return descriptors.includes(number) ? number : 'ignore';
  });
  const free = stdio.indexOf('ignore');
  // The channel closes when this process is gone, even after SIGKILL, so that the other one notices.
  stdio[free === -1 ? length : free] = 'ipc';
  const child = spawn(process.execPath, args, {
    stdio,
    env: { ...process.env, [handedOverVariable]: '1' },
  });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, pass);
  child.on('error', ({ message }) => {
    console.error(`fieldroster: ${process.execPath} could not be started: ${message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}
