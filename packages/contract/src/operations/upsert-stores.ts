import { Type } from 'typebox';
import { dryRun, int32, name, newStoreCode, optionalFields, optionalStoreFields } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';

const entry = Type.Object({
  code: newStoreCode,
  name: name('Name of the store', limits.storeNameCharactersMax),
  ...optionalStoreFields,
});

export const upsertStores = defineOperation({
  name: 'upsert-stores',
  method: 'POST',
  path: '/stores',
  access: 'manage',
  repeatable: true,
  summary: 'Create or update many stores',
  description:
    'The code decides: an existing store is updated, otherwise one is created. Either all entries take effect or none. An address that is left out stays as it is; a store that would not change is not written. A dry run answers the same counts and changes nothing. It does not count as processed, so the same signed request may be sent again.',
  body: Type.Object({
    stores: Type.Array(entry, {
      minItems: 1,
      maxItems: limits.batchEntriesMax,
      description: 'Stores; each code may appear once',
    }),
    ...optionalFields({ dry_run: dryRun }),
  }),
  bodyLimit: 'bulk',
  data: Type.Object({
    applied: Type.Boolean({
      description: 'False for a dry run, true otherwise, even if every store was unchanged',
    }),
    created: int32('Stores created; in a dry run, those that would have been'),
    updated: int32('Stores changed; in a dry run, those that would have been'),
    unchanged: int32('Stores that needed no change'),
  }),
  successMessage: '',
  codes: [1002],
});
