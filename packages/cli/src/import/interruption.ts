import { endOnSecondSignal } from '../end-on-second-signal.ts';

/** The exit code that shells expect of a program ended by Ctrl+C. */
export const exitInterrupted = 130;

/** Signals the first Ctrl+C, which lets pending work finish; a second one ends the process at once. */
export class Interruption implements Disposable {
  readonly #controller = new AbortController();
  readonly #handle: () => void;

  constructor(onFirst: () => void) {
    this.#handle = endOnSecondSignal(() => {
      onFirst();
      this.#controller.abort();
    }, exitInterrupted);
    process.on('SIGINT', this.#handle).on('SIGTERM', this.#handle);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    process.off('SIGINT', this.#handle).off('SIGTERM', this.#handle);
  }
}
