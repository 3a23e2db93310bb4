import { Type } from 'typebox';
import { managedStore } from '../entities.ts';
import { name, newStoreCode, optionalFields, text } from '../fields.ts';
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
    ...optionalFields({
      address: text('Address of the store', limits.addressCharactersMax),
    }),
  }),
  data: managedStore,
  successMessage: '',
  codes: [1002, 1404],
});
