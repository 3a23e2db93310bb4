import type { Operations } from '@fieldroster/contract';
import { describeStoreCode } from '../directory/store-codes.ts';
import { storeFields } from '../directory/stores.ts';
import type { Handler } from './handler.ts';

export const createStore: Handler<Operations['createStore']> = (input, { refuse, write }) =>
  write(async ({ stores }) => {
    const { code } = input;
    const fields = storeFields.sent(input);
    const store = await stores.insert(code, fields);
    if (store === undefined) {
      throw refuse(1404, { key: 'storeTaken', values: { code: describeStoreCode(code) } });
    }
    return { result: store, changes: { code, ...storeFields.describeNew(fields) } };
  });
