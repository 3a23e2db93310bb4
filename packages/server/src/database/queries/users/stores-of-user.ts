import type { StoreRecord } from '../../database.ts';
import { codesAtOnce, inSlices } from '../codes-in-slices.ts';
import { compileOnce } from '../compile-once.ts';
import type { Session } from '../session.ts';
import { storeColumns } from '../targets/target-columns.ts';
import { type OfUser, selectStoresOfUser } from './bindings-of-user.ts';

/**
 * Lists the stores of a user by code: all at once if they are few, else in several statements. One statement still
 * reads the codes of all, so that they are those of one moment, whatever is bound meanwhile.
 */
export async function listStoresOfUser(session: Session, ofUser: OfUser): Promise<StoreRecord[]> {
  const first = await selectStoresOfUser(session, { ...ofUser, limit: BigInt(codesAtOnce + 1) });
  if (first.length <= codesAtOnce) return first;
  const [{ codes: listed } = { codes: '[]' }] = await selectAllStoreCodes(session, ofUser);
  const codes = JSON.parse(listed) as string[];
  const stores = new Map<string, StoreRecord>();
  await inSlices(session, codes, async (encoded) => {
    const rows = await selectStoresByCode(session, { tenantId: ofUser.tenantId, codes: encoded });
    for (const store of rows) stores.set(store.code, store);
  });
  return codes.flatMap((code) => stores.get(code) ?? []);
}

/** Returns one row: the codes of a user's stores in order, as a JSON array. Fifty thousand rows would take several times as long. */
const selectAllStoreCodes = compileOnce((db, value: OfUser, engine) =>
  db
    .selectFrom('user_store')
    .select(engine.orderedJson('store_code').as('codes'))
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId),
);

const selectStoresByCode = compileOnce((db, value: { tenantId: bigint; codes: unknown }, engine) =>
  engine.findEachListed(
    db,
    {
      table: 'store',
      column: 'store.code',
      find: (stores) => stores.select(storeColumns).where('store.tenant_id', '=', value.tenantId),
    },
    value.codes,
  ),
);
