import type { Applications } from '../database/database.ts';

/** Times of a secret's use, in Unix milliseconds; 0 means never. */
export interface SecretUse {
  /** When this process last saw the secret used. */
  usedAtMs: number;
  /** The use that was last recorded, and when it was recorded. */
  recordedUseAtMs: number;
  recordedAtMs: number;
}

/** Keeps the times at which this process saw secrets used, until they are recorded in the database. */
export class SecretUseTimes {
  /** Keyed by the secret's id. An entry outlives its secret, so that the last use is recorded too. */
  readonly #uses = new Map<bigint, SecretUse>();

  /** Returns the times of a secret. The caller updates `usedAtMs`. */
  of(id: bigint): SecretUse {
    const use = this.#uses.get(id) ?? { usedAtMs: 0, recordedUseAtMs: 0, recordedAtMs: 0 };
    this.#uses.set(id, use);
    return use;
  }

  /**
   * Records the uses since the last record, if one of them is due.
   *
   * @param againAfterMs how long after one record of a secret the next is due, in milliseconds
   */
  async record(
    applications: Pick<Applications, 'recordSecretsUsed'>,
    { nowMs, againAfterMs }: Readonly<Record<'nowMs' | 'againAfterMs', number>>,
  ): Promise<void> {
    const newer = [...this.#uses]
      .filter(([, use]) => use.usedAtMs !== use.recordedUseAtMs)
      .map(([id, use]) => ({ id, use, usedAtMs: use.usedAtMs }));
    // One use that is due is enough: the same commit records the others too.
    if (!newer.some(({ use }) => isDue(use, nowMs, againAfterMs))) return;
    await applications.recordSecretsUsed(new Map(newer.map(({ id, usedAtMs }) => [id, usedAtMs])));
    for (const { use, usedAtMs } of newer) {
      use.recordedUseAtMs = usedAtMs;
      use.recordedAtMs = nowMs;
    }
  }
}

/** A record from the future was made before the clock was set back, and must not delay the next one. */
function isDue({ recordedAtMs }: SecretUse, nowMs: number, againAfterMs: number): boolean {
  return nowMs >= recordedAtMs + againAfterMs || nowMs < recordedAtMs;
}
