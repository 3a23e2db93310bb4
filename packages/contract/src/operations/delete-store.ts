import { Type } from 'typebox';
import { flag, ifRevision, optionalFields, storeCode } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';

export const deleteStore = defineOperation({
  name: 'delete-store',
  method: 'DELETE',
  path: '/store',
  access: 'manage',
  repeatable: false,
  summary: 'Delete a store',
  description:
    'Removes the store. While users are bound to it, the server refuses that and says how many there are. With force, it unbinds them, and leaves an audit row for each.',
  query: Type.Object({
    code: storeCode,
    ...optionalFields({
      force: flag(`Unbind the users who are bound to it, at most ${limits.forcedUnbindsMax}`),
      if_revision: ifRevision,
    }),
  }),
  successMessage: '',
  codes: [1017, 1401, 1403],
});
