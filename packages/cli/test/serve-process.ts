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
  /** Resolves with the exit code, or `null` when the signal killed the process. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a server on a free port and waits until it reports that it listens. */
export async function startServe(flags: readonly string[], options?: RunOptions): Promise<ServeProcess> {
  const child = startCommand(['serve', '--port', '0', '--log-level', 'silent', ...flags], options);
  return watchServe(child);
}

export async function watchServe(child: ChildProcess): Promise<ServeProcess> {
  const listening = Promise.withResolvers<string>();
  const printing = new EventEmitter();
  let printed = '';
  let ended: Error | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const [, url] = /(?:listens on |"url":")(http:[^"\s]+)(?:\n|"[^\n]*\n)/.exec(printed) ?? [];
      if (url !== undefined) listening.resolve(url);
      printing.emit('more');
    });
  }
  child.once('close', (code, signal) => {
    ended = new Error(`serve ended with ${code ?? signal}: ${printed}`);
    listening.reject(ended);
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
        if (ended !== undefined) throw ended;
        await once(printing, 'more');
      }
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const [code] = await once(child, 'close');
      return code;
    },
  };
}
