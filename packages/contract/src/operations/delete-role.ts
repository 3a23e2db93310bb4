import { Type } from 'typebox';
import { flag, ifRevision, int64, optionalFields } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';

export const deleteRole = defineOperation({
  name: 'delete-role',
  method: 'DELETE',
  path: '/role',
  access: 'manage',
  repeatable: false,
  summary: 'Delete a role',
  description:
    'Removes the role. While users are bound to it, the server refuses that and says how many there are. With force, it unbinds them, and leaves an audit row for each.',
  query: Type.Object({
    id: int64('Id of the role'),
    ...optionalFields({
      force: flag(`Unbind the users who are bound to it, at most ${limits.forcedUnbindsMax}`),
      if_revision: ifRevision,
    }),
  }),
  successMessage: '',
  codes: [1017, 1201, 1203],
});
