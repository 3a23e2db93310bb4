import type { Session } from '../session.ts';
import { requireCurrentKey } from '../settings/key-settings.ts';

/** Adds a secret, which must be sealed under the current master key. */
export async function insertSecret(
  session: Session,
  appId: string,
  sealed: Uint8Array,
  nowMs: number,
): Promise<void> {
  await requireCurrentKey(session, sealed);
  await session.db
    .insertInto('application_secret')
    .values({ app_id: appId, sealed, created_at: BigInt(nowMs), expires_at: null, last_used_at: null })
    .execute();
}

/** Deletes all but the newest secret. At most two are live at once, so a second rotation in a row ends the oldest. */
export async function keepNewestSecret({ db }: Session, appId: string): Promise<bigint[]> {
  const deleted = await db
    .deleteFrom('application_secret')
    .where('app_id', '=', appId)
    .where('id', '<', (eb) =>
      eb
        .selectFrom('application_secret')
        .select((max) => max.fn.max('id').as('newest'))
        .where('app_id', '=', appId),
    )
    .returning('id')
    .execute();
  return deleted.map(({ id }) => id);
}
