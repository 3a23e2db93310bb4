/** Several programs may pass on the same Ctrl+C; a person takes longer to press it again. */
const sameSignalMs = 300;

/** The exit code that shells expect of a program ended by Ctrl+C. */
export const exitInterrupted = 130;

/** Signals the first Ctrl+C, which lets pending work finish; a second one ends the process at once. */
export class Interruption implements Disposable {
  #firstAtMs: number | undefined;
  readonly #onFirst: () => void;
  readonly #controller = new AbortController();

  constructor(onFirst: () => void) {
    this.#onFirst = onFirst;
    process.on('SIGINT', this.#handle).on('SIGTERM', this.#handle);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly #handle = () => {
    if (this.#firstAtMs === undefined) {
      this.#firstAtMs = performance.now();
      this.#onFirst();
      this.#controller.abort();
    } else if (performance.now() - this.#firstAtMs > sameSignalMs) {
      process.exit(exitInterrupted);
    }
  };

  [Symbol.dispose](): void {
    process.off('SIGINT', this.#handle).off('SIGTERM', this.#handle);
  }
}
