import { Type } from 'typebox';
import { ifRevision, name, optionalFields, optionalStoreFields, storeCode } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';

export const updateStore = defineOperation({
  name: 'update-store',
  method: 'PUT',
  path: '/store',
  access: 'manage',
  repeatable: true,
  summary: 'Update a store',
  description:
    'Changes the fields that are sent. A field that is left out or null stays as it is; an empty string clears a field that may be empty.',
  body: Type.Object({
    code: storeCode,
    ...optionalFields({
      name: name('Name of the store; if empty, it stays as it is', limits.storeNameCharactersMax),
    }),
    ...optionalStoreFields,
    ...optionalFields({ if_revision: ifRevision }),
  }),
  successMessage: '',
  codes: [1002, 1017, 1401],
});
