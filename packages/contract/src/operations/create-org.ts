import { Type } from 'typebox';
import { managedOrg } from '../entities.ts';
import { givenId, int64, name, optionalFields } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';

export const createOrg = defineOperation({
  name: 'create-org',
  method: 'POST',
  path: '/org',
  access: 'manage',
  repeatable: false,
  summary: 'Create an organization',
  description: `Creates the organization and returns it. If the id is left out or 0, the server assigns one more than the largest or, if that is 9223372036854775807, the smallest that is free. The parent must exist. A tree has at most ${limits.orgLevelsMax} levels.`,
  body: Type.Object({
    name: name('Name of the organization', limits.orgNameCharactersMax),
    ...optionalFields({
      id: givenId('Id of the organization, above 0; the server assigns one in place of 0'),
      parent_id: int64('Id of the parent organization; 0 at the root'),
    }),
  }),
  data: managedOrg,
  successMessage: '',
  codes: [1002, 1301, 1304],
});
