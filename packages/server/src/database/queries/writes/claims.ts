import type { Actor } from '../../actor.ts';
import type { AcceptanceClaim, Claims, ClaimsStatus } from '../../claims.ts';
import { lockCounter, readCounter, setCounter } from '../counters.ts';
import { recordUnsignedChangeForAll } from '../record-unsigned-change.ts';
import type { Session, Transact } from '../session.ts';
import { type ClaimTable, claimTables, makeClaim, purgeClaims, requireNotMade } from './claim-queries.ts';

/** The clock that decides purges. */
export interface PurgeClock {
  timeMs(): Promise<number>;
  /** See `Claims.estimateTimeMs`. */
  estimateMs(): number;
  /** See `Claims.clockDifferenceMs`. */
  differenceMs(): number | undefined;
}

interface Parts {
  /** For reading. */
  readonly session: Session;
  readonly transact: Transact;
  /** Finds out what became of a transaction with a claim whose commit was not answered. */
  readonly settle: <T>(claim: AcceptanceClaim, transaction: Promise<T>) => Promise<T>;
  readonly clock: PurgeClock;
  /** Unix milliseconds, for audit rows. */
  readonly now: () => number;
}

/** The record of accepted requests on either engine. */
export class KyselyClaims implements Claims {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  make(claim: AcceptanceClaim): Promise<void> {
    const { transact, settle } = this.#parts;
    return settle(
      claim,
      transact((session) => makeClaim(session, claim)),
    );
  }

  refuseCopy(claim: AcceptanceClaim): Promise<void> {
    const { session, settle } = this.#parts;
    return settle(claim, requireNotMade(session, claim));
  }

  purge(expiredBeforeSeconds: number): Promise<number> {
    return this.#parts.transact((session) => purgeClaims(session, expiredBeforeSeconds));
  }

  databaseTimeMs(): Promise<number> {
    return this.#parts.clock.timeMs();
  }

  estimateTimeMs(): number {
    return this.#parts.clock.estimateMs();
  }

  clockDifferenceMs(): number | undefined {
    return this.#parts.clock.differenceMs();
  }

  async purgedThroughSeconds(): Promise<number> {
    return Number(await readCounter(this.#parts.session, 'purged_through'));
  }

  async status(): Promise<ClaimsStatus> {
    const { session } = this.#parts;
    const nowMs = await this.databaseTimeMs();
    let kept = 0;
    for (const table of claimTables) kept += await countRows(session, table);
    return { purgedThroughSeconds: await this.purgedThroughSeconds(), kept, nowMs };
  }

  lowerPurgedThrough(toSeconds: number, actor?: Actor): Promise<boolean> {
    return this.#parts.transact(async (session) => {
      const from = await lockCounter(session, 'purged_through');
      if (from <= BigInt(toSeconds)) return false;
      await setCounter(session, 'purged_through', BigInt(toSeconds));
      await recordUnsignedChangeForAll(session, {
        nowMs: this.#parts.now(),
        operation: 'claims reset',
        changes: { purged_through: { from: Number(from), to: toSeconds } },
        actor,
      });
      return true;
    });
  }
}

async function countRows({ db }: Session, table: ClaimTable): Promise<number> {
  const { rows } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<bigint>().as('rows'))
    .executeTakeFirstOrThrow();
  return Number(rows);
}
