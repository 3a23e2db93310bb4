import { Type } from 'typebox';
import { managedStore } from '../entities.ts';
import { storeCode } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const queryStore = defineOperation({
  name: 'query-store',
  method: 'GET',
  path: '/store',
  access: 'read',
  summary: 'Query a store',
  description: 'Returns the store with its revision.',
  query: Type.Object({ code: storeCode }),
  data: managedStore,
  hasETag: true,
  successMessage: '',
  codes: [1401],
});
