import { constants } from 'node:os';
import { endOnSecondSignal } from '../process/end-on-second-signal.ts';

/** Signals the first Ctrl+C or SIGTERM, which lets pending work finish; a second one ends the process at once. */
export class Interruption implements Disposable {
  readonly #controller = new AbortController();
  readonly #handle: (signal: NodeJS.Signals) => void;
  #exitCode = 0;

  /** @param onFirst receives the signal's name for the operator, such as `Ctrl+C` */
  constructor(onFirst: (name: string) => void) {
    this.#handle = endOnSecondSignal((signal) => {
      this.#exitCode = exitCodeOf(signal);
      onFirst(signal === 'SIGINT' ? 'Ctrl+C' : signal);
      this.#controller.abort();
    }, exitCodeOf);
    process.on('SIGINT', this.#handle).on('SIGTERM', this.#handle);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The exit code of the command after the first signal; 0 before it. */
  get exitCode(): number {
    return this.#exitCode;
  }

  [Symbol.dispose](): void {
    process.off('SIGINT', this.#handle).off('SIGTERM', this.#handle);
  }
}

/** Returns the exit code that shells report for a program ended by the signal: 130 for Ctrl+C, 143 for SIGTERM. */
function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
