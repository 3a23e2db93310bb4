import { Type } from 'typebox';
import { storeCode, userId } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const bindUserStore = defineOperation({
  name: 'bind-user-store',
  number: 9,
  method: 'POST',
  path: '/user/store',
  access: 'write',
  repeatable: true,
  summary: 'Bind a user to a store',
  description:
    'Makes the user a sales representative of the store, in addition to the stores already bound. Binding the same store again succeeds.',
  body: Type.Object({ user_id: userId, store_code: storeCode }),
  successMessage: '',
  codes: [1002, 1101, 1401],
});
