import { Type } from 'typebox';
import { int64, userId } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const bindUserOrg = defineOperation({
  name: 'bind-user-org',
  number: 7,
  method: 'POST',
  path: '/user/org',
  access: 'write',
  repeatable: true,
  summary: 'Bind a user to an organization',
  description:
    'Binds the user to the organization, replacing the previous one. Binding the same organization again succeeds.',
  body: Type.Object({ user_id: userId, org_id: int64('Id of the organization') }),
  successMessage: '',
  codes: [1002, 1101, 1301],
});
