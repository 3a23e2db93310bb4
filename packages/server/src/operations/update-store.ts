import type { Operations } from '@fieldroster/contract';
import { requireRevision } from '../directory/revision.ts';
import { requireStore, storeFields } from '../directory/stores.ts';
import type { Handler } from './handler.ts';

export const updateStore: Handler<Operations['updateStore']> = (input, { refuse, write }) =>
  write(async ({ stores }) => {
    const { code } = input;
    const store = requireStore(await stores.lock(code), code, refuse);
    requireRevision(store.revision, input.if_revision, refuse);
    const fields = storeFields.differing(store, storeFields.sent(input));
    if (Object.keys(fields).length > 0) await stores.update(code, fields);
    return { result: undefined, changes: { code, ...storeFields.describeChange(store, fields) } };
  });
