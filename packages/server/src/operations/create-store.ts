import type { Operations } from '@fieldroster/contract';
import { requireNewStoreCode } from '../directory/new-store-code.ts';
import { describeStoreCode } from '../directory/store-codes.ts';
import { storeFields } from '../directory/stores.ts';
import type { Handler } from './handler.ts';

export const createStore: Handler<Operations['createStore']> = async (input, { refuse, write }) => {
  const { code } = input;
  requireNewStoreCode(code);
  return write(async ({ stores }) => {
    const fields = storeFields.sent(input);
    const store = await stores.insert(code, fields);
    if (store === undefined) {
      throw refuse(1404, { key: 'storeTaken', values: { code: describeStoreCode(code) } });
    }
    return { result: store, changes: { code, ...storeFields.describeNew(store) } };
  });
};
