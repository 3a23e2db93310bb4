import { endOnSecondSignal } from '../end-on-second-signal.ts';

/** The exit code that shells expect of a program ended by Ctrl+C. */
export const exitInterrupted = 130;

/** Records the first Ctrl+C, which lets pending work finish; a second one ends the process at once. */
export class Interruption implements Disposable {
  #happened = false;
  readonly #handle: () => void;

  constructor(onFirst: () => void) {
    this.#handle = endOnSecondSignal(() => {
      this.#happened = true;
      onFirst();
    }, exitInterrupted);
    process.on('SIGINT', this.#handle).on('SIGTERM', this.#handle);
  }

  get happened(): boolean {
    return this.#happened;
  }

  [Symbol.dispose](): void {
    process.off('SIGINT', this.#handle).off('SIGTERM', this.#handle);
  }
}
