import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnFieldroster } from './fieldroster-command.ts';

const keptOutputCharacters = 4_000_000;

/** Production's limits, for tests of a database that hangs. */
export const defaultDatabaseLimits = [
  ...['--database-connect-timeout', '3000'],
  ...['--database-statement-timeout', '10000'],
];

/** A real server in its own process, on a port that the system chooses. */
export class ServerProcess {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #output: Output;

  private constructor(child: ChildProcess, output: Output, url: string) {
    this.#child = child;
    this.#closed = once(child, 'close');
    this.#output = output;
    this.url = url;
  }

  /**
   * Starts a server that hardly refuses anything for overload, and waits long for its database, because tests run
   * several at a time. A test of these limits passes their flags. Without `--port`, it listens on a free port.
   *
   * @param directory flags that say where the server's data is, and variables for its environment
   */
  static async start(
    directory: { readonly flags: readonly string[]; readonly environment?: NodeJS.ProcessEnv },
    ...flags: readonly string[]
  ): Promise<ServerProcess> {
    const given = [...directory.flags, ...flags];
    // The command refuses a flag that is given twice.
    const port = given.includes('--port') ? [] : ['--port', '0'];
    const child = spawnFieldroster(['serve', ...port, ...given], {
      FIELDROSTER_OVERLOAD_WAIT: '60000',
      FIELDROSTER_DATABASE_CONNECT_TIMEOUT: '60000',
      FIELDROSTER_DATABASE_STATEMENT_TIMEOUT: '60000',
      ...directory.environment,
    });
    const output = new Output(child);
    const url = await Promise.race([output.url, failedStart(child, output)]);
    return new ServerProcess(child, output, url);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Everything that it printed; of a long run, only the end. */
  get output(): string {
    return this.#output.text;
  }

  /** Lines that the server logged as errors. Each is a fault of the server, not of a client. */
  get errorLines(): readonly string[] {
    return this.#output.errorLines;
  }

  /** How often a worker, or the server itself, has started listening. */
  get timesListening(): number {
    return this.#output.timesListening;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves once something is true; rejects if the server ends before. */
  async until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isTrue())) {
      if (!this.running) throw new Error(`the server ended with ${this.#child.exitCode}: ${this.output}`);
      await delay(20);
    }
  }

  /** Resolves once the node is ready: on a busy machine, a check may take longer than its limit. */
  untilReady(): Promise<void> {
    return this.until(async () => (await fetch(`${this.url}/readyz`)).ok);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL').then(() => {});
  }

  /** Sends the signal and resolves with the exit code; `null` if the signal itself ended the process. */
  async stop(signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM'): Promise<number | null> {
    return this.#end(signal);
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    // It may have ended already, with output that is still to be read.
    await this.#closed;
    return this.#child.exitCode;
  }
}

class Output {
  text = '';
  timesListening = 0;
  readonly errorLines: string[] = [];
  readonly url: Promise<string>;
  #unfinishedLine = '';

  constructor(child: ChildProcess) {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.url = promise;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#keep(chunk);
        // The log contains the address earlier, but the server handles signals only from this line on.
        const [, url] = /listens on (http:\/\/127\.0\.0\.1:\d+)/.exec(this.text) ?? [];
        if (url !== undefined) resolve(url);
      });
    }
  }

  #keep(chunk: string): void {
    this.text = (this.text + chunk).slice(-keptOutputCharacters);
    const lines = (this.#unfinishedLine + chunk).split('\n');
    this.#unfinishedLine = lines.pop() ?? '';
    this.timesListening += lines.filter((line) => line.includes('"msg":"listening"')).length;
    this.errorLines.push(
      ...lines.filter((line) => line.includes('"level":50') || line.includes('"level":60')),
    );
  }
}

async function failedStart(child: ChildProcess, output: Output): Promise<never> {
  const [exitCode] = await once(child, 'close');
  throw new Error(`the server ended with ${exitCode} before it listened: ${output.text}`);
}
