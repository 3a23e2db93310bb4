import type { Operations } from '@fieldroster/contract';
import { requireStore } from '../directory/stores.ts';
import type { Handler } from './handler.ts';

export const queryStore: Handler<Operations['queryStore']> = async (
  { code },
  { directory, refuse, sendRevision },
) => {
  const store = requireStore(await directory.stores.find(code), code, refuse);
  sendRevision(store.revision);
  return store;
};
