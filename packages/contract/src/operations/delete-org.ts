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
    'Removes the organization. While users are bound to it, or organizations are below it it is refused with their number, unless force is true: then the users are unbound with it, each with an audit row.',
  query: Type.Object({
    id: int64('Id of the organization'),
    ...optionalFields({ force: flag('Unbind the users that are bound to it'), if_revision: ifRevision }),
  }),
  successMessage: '',
  codes: [1017, 1301, 1303],
});
