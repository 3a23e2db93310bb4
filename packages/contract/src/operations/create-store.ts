import { Type } from 'typebox';
import { managedStore } from '../entities.ts';
import { name, newStoreCode, optionalStoreFields } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';

export const createStore = defineOperation({
  name: 'create-store',
  method: 'POST',
  path: '/store',
  access: 'manage',
  repeatable: false,
  summary: 'Create a store',
  description: 'Creates the store and returns it.',
  body: Type.Object({
    code: newStoreCode,
    name: name('Name of the store', limits.storeNameCharactersMax),
    ...optionalStoreFields,
  }),
  data: managedStore,
  successMessage: '',
  codes: [1002, 1404],
});
