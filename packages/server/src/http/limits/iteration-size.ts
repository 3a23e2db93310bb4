import { WorkPace } from '../../fairness/work-pace.ts';
import { threadMs } from '../../time/thread-ms.ts';

/** Bounds of the number of requests handled in one iteration. */
const size = { most: 128, least: 1, leastBusy: 2, step: 4 };

/** Work of one iteration above which the next one handles fewer requests, and below which it handles more. */
const iterationMs = { most: 16, least: 8 };

/** Iterations after which a smaller number is judged: requests that began before it still take time. */
const trialIterations = 6;

/** If half the requests still take this part of the time, something else takes it. */
const savedLittle = 0.75;

/** How long the former number is kept after a trial of a smaller one did not shorten iterations. */
const restMs = 1_000;

/** A smaller number that may or may not shorten the iterations. */
interface Trial {
  /** The former number, and how long an iteration took with it. */
  readonly max: number;
  readonly tookMs: number;
  iterations: number;
}

/**
 * How many requests the event loop handles in one iteration: fewer while iterations are long (multiplicative decrease), more
 * while they are short (additive increase). The requests of the next iteration wait in their sockets meanwhile.
 *
 * All times are processor time, because on a busy machine a process spends most of the elapsed time waiting for a core.
 * Large bodies and commits take a part of an iteration however few requests it handles. If fewer requests do not shorten the
 * iterations, the former number is restored and stays for a while.
 */
export class IterationSize {
  readonly #workedMs: () => number;
  readonly #pace = new WorkPace();
  #max = size.most;
  #fromMs = 0;
  #wasBusy = false;
  #trial: Trial | undefined;
  #restsUntilMs = 0;

  /** @param workedMs returns the processor time of the event loop's thread, in milliseconds */
  constructor(workedMs = threadMs) {
    this.#workedMs = workedMs;
  }

  /** Maximum number of requests to handle in this iteration. */
  get max(): number {
    return this.#max;
  }

  /** Requests handled in a millisecond of work, measured over the last hundred milliseconds. */
  get perMs(): number {
    return this.#pace.perMs;
  }

  /** Begins to measure. Earlier work of the process, such as its start, says nothing about the pace of its requests. */
  begin(): void {
    this.#fromMs = this.#workedMs();
    this.#pace.begin(this.#fromMs);
  }

  /**
   * Notes that a verified request was refused because the part of the server that it needs is overloaded. Verifying more
   * requests of that kind would only delay the work that has begun.
   */
  noteBusy(): void {
    this.#wasBusy = true;
  }

  /** @param handled requests handled in this iteration */
  endIteration(handled: number): void {
    const nowMs = this.#workedMs();
    const tookMs = nowMs - this.#fromMs;
    this.#fromMs = nowMs;
    this.#pace.note(nowMs, handled);
    if (this.#wasBusy) this.#shrink(this.#max, size.leastBusy);
    else if (this.#trial !== undefined) this.#judge(this.#trial, nowMs, tookMs);
    else if (tookMs > iterationMs.most && handled > 1 && nowMs >= this.#restsUntilMs) {
      this.#trial = { max: this.#max, tookMs, iterations: 0 };
      this.#shrink(handled, size.least);
    } else if (tookMs < iterationMs.least && handled > 0)
      this.#max = Math.min(size.most, this.#max + size.step);
    this.#wasBusy = false;
  }

  #shrink(from: number, least: number): void {
    this.#max = Math.min(this.#max, Math.max(least, Math.floor(from / 2)));
  }

  #judge(trial: Trial, nowMs: number, tookMs: number): void {
    trial.iterations += 1;
    if (trial.iterations < trialIterations && tookMs > iterationMs.most) return;
    this.#trial = undefined;
    if (tookMs <= savedLittle * trial.tookMs) return;
    this.#max = trial.max;
    this.#restsUntilMs = nowMs + restMs;
  }
}
