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
    'Removes the binding. If the user is not bound to the store, the answer is an error, so the caller learns that nothing was removed.',
  query: Type.Object({ user_id: userId, store_code: storeCode }),
  successMessage: '',
  codes: [1101, 1402],
});
