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

interface ReplacedSecret {
  readonly id: bigint;
  /** When the secret before it expires, in Unix milliseconds. */
  readonly oldExpiresAtMs: number;
}

/** Deletes the newest secret, unless no older one has an end. */
export async function deleteNewestSecret(
  { db }: Session,
  appId: string,
): Promise<ReplacedSecret | undefined> {
  const secrets = await db
    .selectFrom('application_secret')
    .select(['id', 'expires_at'])
    .where('app_id', '=', appId)
    .orderBy('id', 'desc')
    .execute();
  const [newest, older] = secrets;
  if (newest === undefined || older?.expires_at == null) return undefined;
  await db.deleteFrom('application_secret').where('id', '=', newest.id).execute();
  return { id: newest.id, oldExpiresAtMs: Number(older.expires_at) };
}

/**
 * Lets the newest secret expire, unless it does so earlier, and deletes the others. At most two are live at once, so a
 * second rotation in a row ends the oldest.
 *
 * @returns the ids of the deleted secrets
 */
export async function letNewestExpire(
  session: Session,
  appId: string,
  expiresAtMs: number,
): Promise<bigint[]> {
  const deleted = await keepNewestSecret(session, appId);
  const end = BigInt(expiresAtMs);
  await session.db
    .updateTable('application_secret')
    .set({ expires_at: end })
    .where('app_id', '=', appId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', end)]))
    .execute();
  return deleted;
}

async function keepNewestSecret({ db }: Session, appId: string): Promise<bigint[]> {
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
