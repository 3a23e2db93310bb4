import type { Actor } from '../../actor.ts';
import type { AcceptanceClaim, Claims, ClaimsStatus } from '../../claims.ts';
import { recordUnsignedChangeForAll } from '../record-unsigned-change.ts';
import type { Session, Transact } from '../session.ts';
import { type ClaimTable, claimTables, makeClaim, purgeClaims } from './claim-queries.ts';

/** The clock that decides purges. */
export interface PurgeClock {
  timeMs(): Promise<number>;
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

  purge(expiredBeforeSeconds: number): Promise<number> {
    return this.#parts.transact((session) => purgeClaims(session, expiredBeforeSeconds));
  }

  databaseTimeMs(): Promise<number> {
    return this.#parts.clock.timeMs();
  }

  clockDifferenceMs(): number | undefined {
    return this.#parts.clock.differenceMs();
  }

  async purgedThroughSeconds(): Promise<number> {
    return Number(await readPurgedThrough(this.#parts.session));
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
      const from = await lockPurgedThrough(session);
      if (from <= BigInt(toSeconds)) return false;
      await session.db
        .updateTable('counter')
        .set({ value: BigInt(toSeconds) })
        .where('name', '=', 'purged_through')
        .execute();
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

async function readPurgedThrough({ db }: Session): Promise<bigint> {
  const { value } = await db
    .selectFrom('counter')
    .select('value')
    .where('name', '=', 'purged_through')
    .executeTakeFirstOrThrow();
  return value;
}

/** Reads the counter, and keeps purges from raising it until this transaction ends. */
async function lockPurgedThrough({ db }: Session): Promise<bigint> {
  const { value } = await db
    .updateTable('counter')
    .set((eb) => ({ value: eb.ref('value') }))
    .where('name', '=', 'purged_through')
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}

async function countRows({ db }: Session, table: ClaimTable): Promise<number> {
  const { rows } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<bigint>().as('rows'))
    .executeTakeFirstOrThrow();
  return Number(rows);
}
