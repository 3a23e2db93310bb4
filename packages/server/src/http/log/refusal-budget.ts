import type { ApiError } from '../../errors/api-error.ts';

/** Returns whether somebody gave a wrong password or code at the console, or left out the code. */
export function isFailedSignIn(code: ApiError['code']): boolean {
  return code === 1602 || code === 1603;
}

const periodMs = 10_000;

/** Lines in one period; anybody can cause refusals without a secret, and overload causes thousands. */
export const refusalLinesMax = 200;

/** How many refusals were not logged, by code. */
export type SuppressedRefusals = Readonly<Record<number, number>>;

/** Decides which refusals are logged, and counts the others. */
export class RefusalBudget {
  readonly #onSuppressed: (counts: SuppressedRefusals, periodMs: number) => void;
  readonly #suppressed = new Map<number, number>();
  #linesLeft = refusalLinesMax;
  #period: NodeJS.Timeout | undefined;

  /** @param onSuppressed called at the end of a period in which refusals were not logged */
  constructor(onSuppressed: (counts: SuppressedRefusals, periodMs: number) => void) {
    this.#onSuppressed = onSuppressed;
  }

  /** Returns whether to log another refusal; if not, counts it. */
  take(code: ApiError['code']): boolean {
    this.#period ??= setTimeout(() => this.flush(), periodMs).unref();
    if (this.#linesLeft === 0) {
      this.#suppressed.set(code, (this.#suppressed.get(code) ?? 0) + 1);
      return false;
    }
    this.#linesLeft -= 1;
    return true;
  }

  /** Ends the period, and reports what was suppressed in it. */
  flush(): void {
    clearTimeout(this.#period);
    this.#period = undefined;
    this.#linesLeft = refusalLinesMax;
    if (this.#suppressed.size === 0) return;
    const counts = Object.fromEntries(this.#suppressed);
    this.#suppressed.clear();
    this.#onSuppressed(counts, periodMs);
  }
}
