import type { Operations } from '@fieldroster/contract';
import type { Handler } from './handler.ts';
import { readPageByCode } from './read-page.ts';

export const listStores: Handler<Operations['listStores']> = async (input, { directory }) => {
  const { stores } = directory;
  const { entries, next_cursor } = await readPageByCode('list-stores', input, (after, limit) =>
    stores.list(after, limit),
  );
  return { stores: [...entries], next_cursor };
};
