import { Type } from 'typebox';
import { ifRevision, int64, name, optionalFields } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';

export const updateOrg = defineOperation({
  name: 'update-org',
  method: 'PUT',
  path: '/org',
  access: 'manage',
  repeatable: true,
  summary: 'Update an organization',
  description: `Changes the fields that are sent; a field that is left out or null stays as it is. Another parent_id moves the organization there, with everything below it. The server refuses a parent that is below the organization, and one that would give the tree more than ${limits.orgLevelsMax} levels.`,
  body: Type.Object({
    id: int64('Id of the organization'),
    ...optionalFields({
      name: name('Name of the organization; if empty, it stays as it is', limits.orgNameCharactersMax),
      parent_id: int64('Id of the parent organization; 0 at the root'),
      if_revision: ifRevision,
    }),
  }),
  successMessage: '',
  codes: [1002, 1017, 1301, 1305],
});
