import type { Operations } from '@fieldroster/contract';
import { requireStore } from '../directory/stores.ts';
import type { RevisedHandler } from './handler.ts';
import { Revised } from './revised.ts';

export const queryStore: RevisedHandler<Operations['queryStore']> = async (
  { code },
  { directory, refuse },
) => {
  const store = requireStore(await directory.stores.find(code), code, refuse);
  return new Revised(store, store.revision);
};
