import { withinMs } from '../time/within-ms.ts';
import { NotReadyError, type ReadinessCheck } from './readiness-check.ts';

export interface CheckState {
  readonly name: string;
  readonly scope: ReadinessCheck['scope'];
  readonly problem: string | undefined;
  /** Milliseconds since the check's last result. */
  readonly ageMs: number;
}

export interface ReadinessState {
  /** False while a check of scope `node` has a problem. */
  readonly ready: boolean;
  readonly checks: readonly CheckState[];
}

export interface ReadinessLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface ReadinessOptions {
  readonly logger: ReadinessLogger;
  /** How often the checks run, in milliseconds. */
  readonly intervalMs?: number;
  /** How long one check may take, in milliseconds. */
  readonly probeTimeoutMs?: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** A result older than this many intervals means that the checks no longer run. */
const intervalsUntilStale = 10;

/**
 * Runs the checks in the background and keeps their results, so that a busy node answers at once whether it is ready.
 */
export class Readiness {
  readonly #watched: readonly WatchedCheck[];
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(checks: readonly ReadinessCheck[], options: ReadinessOptions) {
    const { logger, intervalMs = 1_000, probeTimeoutMs = 2_000, now = () => performance.now() } = options;
    this.#intervalMs = intervalMs;
    this.#watched = checks.map((check) => new WatchedCheck(check, { logger, probeTimeoutMs, now }));
  }

  /** Runs the checks at once, and then at each interval. Resolves when every check has a result. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.probe(), this.#intervalMs).unref();
    await this.probe();
  }

  /** Stops the checks; the result of one under way is dropped. */
  stop(): void {
    clearInterval(this.#timer);
    for (const watched of this.#watched) watched.stop();
  }

  /** Runs the checks now, for a caller that knows of a change. A check under way is not started twice. */
  async probe(): Promise<void> {
    await Promise.all(this.#watched.map((watched) => watched.probe()));
  }

  state(): ReadinessState {
    const staleAfterMs = this.#intervalMs * intervalsUntilStale;
    const checks = this.#watched.map((watched) => watched.state(staleAfterMs));
    const ready = checks.every(({ scope, problem }) => scope === 'shared' || problem === undefined);
    return { ready, checks };
  }
}

type WatchOptions = Required<Omit<ReadinessOptions, 'intervalMs'>>;

/** One check and its last result. */
class WatchedCheck {
  readonly #check: ReadinessCheck;
  readonly #options: WatchOptions;
  #problem: string | undefined;
  /** Before the first result, its age is infinite. */
  #resultAtMs = Number.NEGATIVE_INFINITY;
  #probing: Promise<void> | undefined;
  #stopped = false;

  constructor(check: ReadinessCheck, options: WatchOptions) {
    this.#check = check;
    this.#options = options;
  }

  state(staleAfterMs: number): CheckState {
    const { name, scope } = this.#check;
    const ageMs = this.#options.now() - this.#resultAtMs;
    if (ageMs <= staleAfterMs) return { name, scope, problem: this.#problem, ageMs };
    // A node that no longer runs a check has a problem, even if all nodes share what the check is about.
    return { name, scope: 'node', problem: 'this check no longer runs; restart this node', ageMs };
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Resolves when the check has a result, or when its time is over. */
  probe(): Promise<void> {
    const { probeTimeoutMs } = this.#options;
    this.#probing ??= this.#probeOnce();
    return withinMs(this.#probing, probeTimeoutMs, () =>
      this.#keep(new NotReadyError(`it has not answered within ${probeTimeoutMs} ms`)),
    );
  }

  async #probeOnce(): Promise<void> {
    try {
      const problem = await this.#check.probe();
      this.#keep(problem === undefined ? undefined : new NotReadyError(problem));
    } catch (error) {
      this.#keep(
        error instanceof NotReadyError
          ? error
          : new NotReadyError("it failed; the node's log says why", { cause: error }),
      );
    } finally {
      this.#probing = undefined;
    }
  }

  #keep(found: NotReadyError | undefined): void {
    if (this.#stopped) return;
    const { logger, now } = this.#options;
    const { name: check, scope } = this.#check;
    const before = this.#problem;
    this.#problem = found?.message;
    this.#resultAtMs = now();
    if (this.#problem === before) return;
    if (found === undefined) logger.info({ check, scope }, 'the problem is over');
    else logger.warn({ check, scope, problem: found.message, cause: causeOf(found) }, 'there is a problem');
  }
}

function causeOf({ cause }: Error): string | undefined {
  return cause === undefined ? undefined : String(cause);
}
