import { sql } from 'kysely';
import type { AuditPurge, AuditRetention } from '../database.ts';
import { setCounter } from './counters.ts';
import type { Session, Transact } from './session.ts';

/** How many rows of one tenant a purge deletes at most, so that it keeps no write waiting. */
const purgedAtOnce = 500;

/**
 * A row is purged only if it is this much older than the expiry of the oldest claim, in milliseconds. A claim expires
 * at most two minutes after its write, and the clock of the node that wrote it may be up to a minute off.
 */
const claimMarginMs = 180_000;

/** Purges audit rows on either engine. */
export class KyselyAuditRetention implements AuditRetention {
  readonly #session: Session;
  readonly #transact: Transact;

  /** @param session for reading */
  constructor(session: Session, transact: Transact) {
    this.#session = session;
    this.#transact = transact;
  }

  async beginRound({ beforeMs, nowMs }: AuditPurge, restMs: number): Promise<boolean> {
    // Read first: most rounds find nothing, and a write would drop the cached answers.
    if ((await findOldRows(this.#session, beforeMs)) === undefined) return false;
    return this.#transact(async ({ db }) => {
      const { numUpdatedRows } = await db
        .updateTable('counter')
        .set({ value: BigInt(nowMs) })
        .where('name', '=', 'audit_purged_at')
        // A time far ahead was written by a clock that has been set back since.
        .where((eb) =>
          eb.or([eb('value', '<=', BigInt(nowMs - restMs)), eb('value', '>', BigInt(nowMs + restMs))]),
        )
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });
  }

  purge({ beforeMs, nowMs }: AuditPurge): Promise<number> {
    return this.#transact(async (session) => {
      const found = await findOldRows(session, beforeMs);
      if (found === undefined) return 0;
      // Shows the other processes that this one is still purging.
      await setCounter(session, 'audit_purged_at', BigInt(nowMs));
      return deleteOldRows(session, found);
    });
  }

  async hasRow(withinMs: readonly [number, number]): Promise<boolean> {
    return (await findTenantWithRow(this.#session, withinMs)) !== undefined;
  }
}

interface OldRows {
  readonly tenantId: bigint;
  readonly beforeMs: bigint;
}

/** Returns a tenant with rows to purge. Every look-up is one step in the index that begins with the tenant. */
async function findOldRows(session: Session, beforeMs: number): Promise<OldRows | undefined> {
  const oldestClaim = await session.db
    .selectFrom('accepted_write')
    .select('expires_at_seconds as seconds')
    .orderBy('expires_at_seconds')
    .limit(1)
    .executeTakeFirst();
  const claimedMs = oldestClaim && Number(oldestClaim.seconds) * 1000 - claimMarginMs;
  const before = Math.min(beforeMs, claimedMs ?? beforeMs);
  const tenantId = await findTenantWithRow(session, [0, before - 1]);
  return tenantId === undefined ? undefined : { tenantId, beforeMs: BigInt(before) };
}

async function findTenantWithRow(
  { db }: Session,
  [fromMs, toMs]: readonly [number, number],
): Promise<bigint | undefined> {
  const tenant = await db
    .selectFrom('tenant')
    .select('tenant.id')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('audit_event')
          .select(sql.lit(1).as('one'))
          .whereRef('audit_event.tenant_id', '=', 'tenant.id')
          .where('audit_event.at', '>=', BigInt(fromMs))
          .where('audit_event.at', '<=', BigInt(toMs)),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return tenant?.id;
}

async function deleteOldRows({ db }: Session, { tenantId, beforeMs }: OldRows): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('audit_event')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('audit_event')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .where('at', '<', beforeMs)
        .orderBy('at')
        .orderBy('id')
        .limit(purgedAtOnce),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
