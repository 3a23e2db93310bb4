import type { Problem } from '@fieldroster/contract/problems';
import type { ManagedStore, StoreFields } from '../database/database.ts';
import type { ApiError } from '../errors/api-error.ts';
import { storesNotFound } from './store-codes.ts';
import { WireFields } from './wire-fields.ts';

export const storeFields = new WireFields<StoreFields>({ name: 'name', address: 'address' });

/** Throws 1401 if there is no store. */
export function requireStore(
  store: ManagedStore | undefined,
  code: string,
  refuse: (code: 1401, message: string | Problem) => ApiError,
): ManagedStore {
  if (store === undefined) throw refuse(1401, storesNotFound([code]));
  return store;
}
