import { nextSlice, TimeSlice } from '../../../slices/time-slice.ts';
import type { StoreRecord, StoresInSlices } from '../../database.ts';
import { slicesOfCodes } from '../codes-in-slices.ts';
import { compileOnce } from '../compile-once.ts';
import { parseStoredJson } from '../parse-stored-json.ts';
import type { Session } from '../session.ts';
import { findStoresByCode } from '../targets/stores-by-code.ts';
import { type OfUser, selectStoresOfUser } from './bindings-of-user.ts';

/** Up to this many stores are read and answered at once, however large they are: each has at most 8 kB. */
const fewMax = 200;

export async function listFewStoresOfUser(
  session: Session,
  ofUser: OfUser,
): Promise<StoreRecord[] | undefined> {
  const first = await selectStoresOfUser(session, { ...ofUser, limit: BigInt(fewMax + 1) });
  return first.length <= fewMax ? first : undefined;
}

/** One statement reads the codes of all, so that they are those of one moment, whatever is bound meanwhile. */
export async function openStoresOfUser(session: Session, ofUser: OfUser): Promise<StoresInSlices> {
  const timeSlice = new TimeSlice(nextSlice);
  // Many lists may be opened together, and the embedded database reads on this thread.
  await timeSlice.next();
  const [{ codes: listed } = { codes: '[]' }] = await selectAllStoreCodes(session, ofUser);
  const codes = (await parseStoredJson(listed, timeSlice)) as string[];
  return { count: codes.length, slices: readStores(session, ofUser.tenantId, codes) };
}

async function* readStores(
  session: Session,
  tenantId: bigint,
  codes: readonly string[],
): AsyncGenerator<StoreRecord[]> {
  for await (const slice of slicesOfCodes(codes)) {
    const rows = await findStoresByCode(session, { tenantId, codes: session.engine.encodeTexts(slice) });
    const stores = new Map(rows.map((store) => [store.code, store]));
    yield slice.flatMap((code) => stores.get(code) ?? []);
  }
}

/**
 * Returns one row: the codes of a user's stores in order, as a JSON array. Fifty thousand rows would take several times
 * as long.
 */
const selectAllStoreCodes = compileOnce((db, value: OfUser, engine) =>
  db
    .selectFrom('user_store')
    .select(engine.orderedJson('store_code').as('codes'))
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId),
);
