import { Type } from 'typebox';
import { flag, ifRevision, int64, optionalFields } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const deleteRole = defineOperation({
  name: 'delete-role',
  method: 'DELETE',
  path: '/role',
  access: 'manage',
  summary: 'Delete a role',
  description:
    'Removes the role. While users are bound to it it is refused with their number, unless force is true: then the users are unbound with it, each with an audit row.',
  query: Type.Object({
    id: int64('Id of the role'),
    ...optionalFields({ force: flag('Unbind the users that are bound to it'), if_revision: ifRevision }),
  }),
  successMessage: '',
  codes: [1017, 1201, 1203],
});
