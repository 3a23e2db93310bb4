import { compileOnce } from '../compile-once.ts';
import { storeColumns } from './target-columns.ts';

interface Listed extends Record<string, unknown> {
  tenantId: bigint;
  /** Encoded by the engine. */
  codes: unknown;
}

export const findStoresByCode = storesByCode({ lock: false });

export const lockStoresByCode = storesByCode({ lock: true });

/** Returns a query of those stores that exist. */
function storesByCode({ lock }: { readonly lock: boolean }) {
  return compileOnce((db, { tenantId, codes }: Listed, engine) =>
    engine.findEachListed(
      db,
      {
        table: 'store',
        column: 'store.code',
        find(stores) {
          const found = stores.select(storeColumns).where('store.tenant_id', '=', tenantId);
          return lock ? engine.lockRows(found) : found;
        },
      },
      codes,
    ),
  );
}
