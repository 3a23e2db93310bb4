import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface BackgroundProgramOptions {
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The user who runs it. */
  readonly user: { readonly uid: number; readonly gid: number };
}

const keptOutputCharacters = 100_000;

/** A program that runs until the test kills it. */
export class BackgroundProgram {
  /** The end of what it printed. */
  output = '';
  readonly #child: ChildProcess;

  constructor(command: string, { arguments: argv, cwd, environment, user }: BackgroundProgramOptions) {
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    this.#child = spawn(command, argv, { ...user, cwd, env: environment, stdio: [...stdio] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output = (this.output + text).slice(-keptOutputCharacters);
      });
    }
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }
}
