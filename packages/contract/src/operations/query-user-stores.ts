import { Type } from 'typebox';
import { storeEntry } from '../entities.ts';
import { userId } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const queryUserStores = defineOperation({
  name: 'query-user-stores',
  number: 11,
  method: 'GET',
  path: '/user/store',
  access: 'read',
  summary: 'Query the stores of a user',
  description:
    'Returns the stores of a sales representative, ordered by code; an empty array if the user has none.',
  query: Type.Object({ user_id: userId }),
  data: Type.Object({ stores: Type.Array(storeEntry) }),
  successMessage: '',
  codes: [1101],
});
