import type { FailureChange, FailureCount, PasswordFailures } from '../database/database.ts';
import { BusyError } from '../errors/busy-error.ts';

/** Bounds the memory. A process cannot check this many subjects within a window. */
const subjectsMax = 10_000;

type Counted = Pick<PasswordFailures, 'read' | 'change'>;

/**
 * Counts failed checks in the database, and in memory while the database takes no writes, for example because its disk
 * is full. Password hashes can still be read then, so without these counts passwords could be guessed without a limit.
 * Each process sees only its own counts in memory.
 */
export class FailuresWithFallback implements Counted {
  readonly #stored: Counted;
  readonly #now: () => number;
  /** By subject, the oldest window first. */
  readonly #unwritten = new Map<string, FailureCount>();

  /** @param now Unix milliseconds */
  constructor(stored: Counted, now: () => number) {
    this.#stored = stored;
    this.#now = now;
  }

  async read(subjects: readonly string[], windowMs: number): Promise<ReadonlyMap<string, FailureCount>> {
    return this.#addUnwritten(await this.#stored.read(subjects, windowMs), subjects, windowMs);
  }

  /** @throws {BusyError} when the database cannot be read either */
  async change(
    changes: readonly FailureChange[],
    windowMs: number,
  ): Promise<ReadonlyMap<string, FailureCount>> {
    const subjects = changes.filter(({ add }) => add !== 0).map(({ subject }) => subject);
    let counts: ReadonlyMap<string, FailureCount>;
    try {
      counts = await this.#stored.change(changes, windowMs);
      for (const { subject, clear } of changes) if (clear) this.#unwritten.delete(subject);
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      counts = await this.#stored.read(subjects, windowMs);
      for (const change of changes) this.#keep(change, windowMs);
    }
    return this.#addUnwritten(counts, subjects, windowMs);
  }

  #keep({ subject, clear = false, add, endsAfterMs }: FailureChange, windowMs: number): void {
    const known = clear ? undefined : this.#unwrittenOf(subject, windowMs);
    const failures = Math.max(0, (known?.failures ?? 0) + add);
    if (known === undefined || failures === 0) this.#unwritten.delete(subject);
    if (failures === 0) return;
    this.#makeRoom();
    this.#unwritten.set(subject, {
      failures,
      endsAtMs: known?.endsAtMs ?? this.#now() + (endsAfterMs ?? windowMs),
    });
  }

  #makeRoom(): void {
    for (const [subject, { endsAtMs }] of this.#unwritten) {
      if (endsAtMs > this.#now() && this.#unwritten.size < subjectsMax) return;
      this.#unwritten.delete(subject);
    }
  }

  /** A window that ends later than a new one was set by a clock that has since been set back. */
  #unwrittenOf(subject: string, windowMs: number): FailureCount | undefined {
    const count = this.#unwritten.get(subject);
    const leftMs = count === undefined ? 0 : count.endsAtMs - this.#now();
    return leftMs > 0 && leftMs <= windowMs ? count : undefined;
  }

  #addUnwritten(
    stored: ReadonlyMap<string, FailureCount>,
    subjects: readonly string[],
    windowMs: number,
  ): ReadonlyMap<string, FailureCount> {
    const counts = new Map(stored);
    for (const subject of subjects) {
      const unwritten = this.#unwrittenOf(subject, windowMs);
      if (unwritten === undefined) continue;
      const { failures, endsAtMs } = counts.get(subject) ?? { failures: 0, endsAtMs: 0 };
      counts.set(subject, {
        failures: failures + unwritten.failures,
        endsAtMs: Math.max(endsAtMs, unwritten.endsAtMs),
      });
    }
    return counts;
  }
}
