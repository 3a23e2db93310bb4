import type { Operations } from '@fieldroster/contract';
import { requireStore } from '../directory/stores.ts';
import type { HandlerWithRevision } from './handler.ts';
import { WithRevision } from './with-revision.ts';

export const queryStore: HandlerWithRevision<Operations['queryStore']> = async (
  { code },
  { directory, refuse },
) => {
  const store = requireStore(await directory.stores.find(code), code, refuse);
  return new WithRevision(store, store.revision);
};
