import {
  KeyReplacedError,
  keyIdOfProof,
  keyProofSettings,
  namedKeyId,
  type StoredKeys,
} from '../../database.ts';
import { lockCounter } from '../counters.ts';
import type { Session } from '../session.ts';

/** Makes other transactions that change keys, secrets or tenants, or seal, wait for this one. */
export async function lockKeys(session: Session): Promise<void> {
  await lockCounter(session, 'credentials');
}

export async function readStoredKeys({ db }: Session): Promise<StoredKeys> {
  const rows = await db
    .selectFrom('setting')
    .select(['name', 'value'])
    .where('name', 'in', Object.values(keyProofSettings))
    .execute();
  const readValue = (name: string) => rows.find((row) => row.name === name)?.value;
  const [current, next, previous] = Object.values(keyProofSettings).map(readValue);
  return {
    ...(current !== undefined && { current }),
    ...(next !== undefined && { next }),
    ...(previous !== undefined && { previous }),
  };
}

export async function changeSetting({ db }: Session, name: string, value: string | undefined): Promise<void> {
  await db.deleteFrom('setting').where('name', '=', name).execute();
  if (value !== undefined) await db.insertInto('setting').values({ name, value }).execute();
}

/**
 * Refuses a value that was sealed under a replaced key. A rotation that has
 * already resealed the other secrets would not see this one, and would end by dropping the only key that opens it.
 *
 * @throws {KeyReplacedError}
 */
export async function requireCurrentKey(session: Session, sealed: Uint8Array): Promise<void> {
  const named = namedKeyId(sealed);
  await lockKeys(session);
  const { current } = await readStoredKeys(session);
  if (named === undefined || current === undefined || keyIdOfProof(current) === named) return;
  throw new KeyReplacedError();
}
