import { Type } from 'typebox';
import { int64, userId } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const unbindUserOrg = defineOperation({
  name: 'unbind-user-org',
  number: 8,
  method: 'DELETE',
  path: '/user/org',
  access: 'write',
  repeatable: false,
  summary: 'Unbind a user from an organization',
  description:
    'Removes the binding. If the user is not bound to the organization, the answer is an error, so the caller learns that nothing was removed.',
  query: Type.Object({ user_id: userId, org_id: int64('Id of the organization') }),
  successMessage: '',
  codes: [1101, 1302],
});
