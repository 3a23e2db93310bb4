import { Type } from 'typebox';
import { storeUser } from '../entities.ts';
import { cursor, nextCursor, optionalFields, pageLimit, storeCode } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const listStoreUsers = defineOperation({
  name: 'list-store-users',
  method: 'GET',
  path: '/store/users',
  access: 'read',
  summary: 'List the users of a store',
  description: 'Returns the sales representatives of a store, ordered by id, page by page.',
  query: Type.Object({ store_code: storeCode, ...optionalFields({ cursor, limit: pageLimit }) }),
  data: Type.Object({ users: Type.Array(storeUser), next_cursor: nextCursor }),
  successMessage: '',
  codes: [1401],
});
