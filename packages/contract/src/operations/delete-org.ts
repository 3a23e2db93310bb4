import { Type } from 'typebox';
import { flag, ifRevision, int64, optionalFields } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const deleteOrg = defineOperation({
  name: 'delete-org',
  method: 'DELETE',
  path: '/org',
  access: 'manage',
  summary: 'Delete an organization',
  description:
    'Removes the organization. Refused while users are bound to it or other organizations are directly below it; the message says how many of each. With force, the users are unbound, each with an audit row. Organizations below it are never removed.',
  query: Type.Object({
    id: int64('Id of the organization'),
    ...optionalFields({ force: flag('Unbind the users who are bound to it'), if_revision: ifRevision }),
  }),
  successMessage: '',
  codes: [1017, 1301, 1303],
});
