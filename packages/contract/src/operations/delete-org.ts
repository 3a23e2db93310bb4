import { Type } from 'typebox';
import { flag, ifRevision, int64, optionalFields } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';

export const deleteOrg = defineOperation({
  name: 'delete-org',
  method: 'DELETE',
  path: '/org',
  access: 'manage',
  repeatable: false,
  summary: 'Delete an organization',
  description:
    'Removes the organization. While users are bound to it, or other organizations are directly below it, the server refuses that and says how many of each there are. With force, it unbinds the users, and leaves an audit row for each. It never removes organizations below another one.',
  query: Type.Object({
    id: int64('Id of the organization'),
    ...optionalFields({
      force: flag(`Unbind the users who are bound to it, at most ${limits.forcedUnbindsMax}`),
      if_revision: ifRevision,
    }),
  }),
  successMessage: '',
  codes: [1017, 1301, 1303],
});
