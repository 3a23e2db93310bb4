import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fieldrosterCommand } from './fieldroster-command.ts';

/** Runs the command after it on a pseudo-terminal that copies this process's input and output. */
const onTerminal = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))';

/** Removes the variables from which Node.js learns how many colours the caller's terminal has; `CI` means none. */
const withoutColourHints = {
  CI: undefined,
  FORCE_COLOR: undefined,
  NODE_DISABLE_COLORS: undefined,
  NO_COLOR: undefined,
  TMUX: undefined,
} satisfies NodeJS.ProcessEnv;

const patienceMs = 200_000;

/** A command on a real terminal, as an operator starts it. */
export class Terminal {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  /** Everything that the terminal showed. */
  text = '';

  constructor(commandArguments: readonly string[], environment: NodeJS.ProcessEnv = {}) {
    const { program, args, options } = fieldrosterCommand(commandArguments, {
      TERM: 'xterm-256color',
      ...withoutColourHints,
      ...environment,
    });
    this.#child = spawn('python3', ['-c', onTerminal, program, ...args], {
      ...options,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#closed = once(this.#child, 'close');
    // Text that is typed after the end of the process is lost.
    this.#child.stdin?.on('error', () => {});
    this.#child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      this.text += chunk;
    });
  }

  /**
   * Resolves with the first match once the terminal shows one.
   * Rejects when the command ends before that, or takes too long.
   */
  async shows(pattern: RegExp): Promise<RegExpExecArray> {
    const signal = AbortSignal.timeout(patienceMs);
    for (;;) {
      const match = pattern.exec(this.text);
      if (match !== null) return match;
      const ended = this.#closed.then(() => true);
      const hasMore = once(this.#child.stdout as NodeJS.ReadableStream, 'data', { signal }).then(() => false);
      if (await Promise.race([ended, hasMore]))
        throw new Error(`the command ended and never showed ${pattern}:\n${this.text}`);
    }
  }

  /** Types a line and presses Enter. */
  type(line: string): void {
    this.#child.stdin?.write(`${line}\r`);
  }

  /** Resolves once the command has ended. */
  async ended(): Promise<void> {
    await this.#closed;
  }

  /** Presses Ctrl+D, which ends the input, and waits for the command to end. */
  async endInput(): Promise<void> {
    this.#child.stdin?.write('\u0004');
    await this.#closed;
  }

  /** Presses Ctrl+C and waits for the command to end. */
  async interrupt(): Promise<void> {
    this.#child.stdin?.write('\u0003');
    await this.#closed;
  }
}
