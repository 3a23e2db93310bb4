import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { after } from 'node:test';
import { type RunOptions, startCommand } from './run-command.ts';

export interface ServeProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Returns everything printed so far. */
  output(): string;
  /** Resolves once something is true of what was printed; rejects if the server ends first. */
  until(isTrue: () => boolean): Promise<void>;
  /** Resolves once the process has ended and everything it printed is read: with the exit code, or `null` after a kill. */
  readonly ended: Promise<number | null>;
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const defaults = [
  ['--port', '0'],
  ['--log-level', 'silent'],
  ['--overload-wait', '60000'],
  ['--database-connect-timeout', '60000'],
  ['--database-statement-timeout', '60000'],
] as const;

/**
 * Starts a server and waits until it reports that it listens. Unless the flags say otherwise, it listens on a free port,
 * logs nothing, hardly refuses anything for overload, and waits long for its database, because tests run several at a
 * time.
 */
export async function startServe(flags: readonly string[], options?: RunOptions): Promise<ServeProcess> {
  // The command refuses a flag that is given twice.
  const missing = defaults.filter(([name]) => !flags.includes(name)).flat();
  return watchServe(startCommand(['serve', ...missing, ...flags], options));
}

export async function watchServe(child: ChildProcess): Promise<ServeProcess> {
  const listening = Promise.withResolvers<string>();
  const end = Promise.withResolvers<number | null>();
  const printing = new EventEmitter();
  let printed = '';
  let failure: Error | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const [, url] = /(?:listens on |"url":")(http:[^"\s]+)(?:\n|"[^\n]*\n)/.exec(printed) ?? [];
      if (url !== undefined) listening.resolve(url);
      printing.emit('more');
    });
  }
  child.once('close', (code, signal) => {
    failure = new Error(`serve ended with ${code ?? signal}: ${printed}`);
    end.resolve(code);
    listening.reject(failure);
    printing.emit('more');
  });
  after(() => child.kill('SIGKILL'));
  const url = await listening.promise;
  return {
    child,
    url,
    output: () => printed,
    async until(isTrue) {
      while (!isTrue()) {
        if (failure !== undefined) throw failure;
        await once(printing, 'more');
      }
    },
    ended: end.promise,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return end.promise;
    },
  };
}
