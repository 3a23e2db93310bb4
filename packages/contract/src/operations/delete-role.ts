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
    'Removes the role. Users who are bound to it are in the way, and the refusal tells how many they are; with force they are unbound, each with an audit row.',
  query: Type.Object({
    id: int64('Id of the role'),
    ...optionalFields({ force: flag('Unbind the users that are bound to it'), if_revision: ifRevision }),
  }),
  successMessage: '',
  codes: [1017, 1201, 1203],
});
