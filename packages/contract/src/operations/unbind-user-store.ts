import { Type } from 'typebox';
import { storeCode, userId } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const unbindUserStore = defineOperation({
  name: 'unbind-user-store',
  number: 10,
  method: 'DELETE',
  path: '/user/store',
  access: 'write',
  repeatable: false,
  summary: 'Unbind a user from a store',
  description:
    'Removes the binding. Removing a store that is not bound is an error, so the caller learns that nothing was removed.',
  query: Type.Object({ user_id: userId, store_code: storeCode }),
  successMessage: '',
  codes: [1101, 1402],
});
