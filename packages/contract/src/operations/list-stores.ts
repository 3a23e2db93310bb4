import { Type } from 'typebox';
import { managedStore } from '../entities.ts';
import { cursor, nextCursor, optionalFields, pageLimit } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const listStores = defineOperation({
  name: 'list-stores',
  method: 'GET',
  path: '/stores',
  access: 'read',
  summary: 'List stores',
  description: 'Returns the stores of the tenant, ordered by code, page by page.',
  query: Type.Object(optionalFields({ cursor, limit: pageLimit })),
  data: Type.Object({ stores: Type.Array(managedStore), next_cursor: nextCursor }),
  successMessage: '',
  codes: [],
});
