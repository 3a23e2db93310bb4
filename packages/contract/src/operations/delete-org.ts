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
    'Removes the organization. Users who are bound to it and organizations directly below it are in the way, and the refusal tells how many of each there are. With force the users are unbound, each with an audit row; organizations below are never removed with it.',
  query: Type.Object({
    id: int64('Id of the organization'),
    ...optionalFields({ force: flag('Unbind the users that are bound to it'), if_revision: ifRevision }),
  }),
  successMessage: '',
  codes: [1017, 1301, 1303],
});
