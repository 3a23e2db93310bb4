import type { Operations } from '@fieldroster/contract';
import type { StoreRow, StoreUpsert } from '../database/database.ts';
import { requireNewStoreCodes } from '../directory/new-store-code.ts';
import { describeStoreCode } from '../directory/store-codes.ts';
import { storeFields } from '../directory/stores.ts';
import { ApiError } from '../errors/api-error.ts';
import { mapInSlices, nextSlice, TimeSlice } from '../slices/time-slice.ts';
import type { Handler } from './handler.ts';

export const upsertStores: Handler<Operations['upsertStores']> = async (input, { directory, write }) => {
  refuseRepeatedCodes(input.stores);
  if (input.dry_run === true) {
    const planned = await directory.stores.plan(input.stores);
    await requireNewStoreCodes(input.stores, planned.created, new TimeSlice(nextSlice));
    return { applied: false, ...count(planned) };
  }
  return write(async ({ stores }) => {
    const done = await stores.upsert(input.stores);
    const { created, updated } = done;
    const timeSlice = new TimeSlice();
    await requireNewStoreCodes(input.stores, created, timeSlice);
    const counts = count(done);
    const madeNew = await mapInSlices(created, timeSlice, (store) => ({
      changes: { code: store.code, ...storeFields.describeNew(store) },
    }));
    const changed = await mapInSlices(updated, timeSlice, ({ before, after }) => ({
      changes: {
        code: after.code,
        ...storeFields.describeChange(before, storeFields.differing(before, after)),
      },
    }));
    return { result: { applied: true, ...counts }, changes: counts, more: [...madeNew, ...changed] };
  });
};

function count({ created, updated, unchanged }: StoreUpsert) {
  return { created: created.length, updated: updated.length, unchanged };
}

/** Refuses two entries for one store: it would be unclear which was meant. */
function refuseRepeatedCodes(stores: readonly StoreRow[]): void {
  const indexes = new Map<string, number>();
  for (const [index, { code }] of stores.entries()) {
    const first = indexes.get(code);
    if (first !== undefined) {
      throw new ApiError(
        1001,
        `stores[${index}].code is ${describeStoreCode(code)}, the same as stores[${first}].code`,
      );
    }
    indexes.set(code, index);
  }
}
