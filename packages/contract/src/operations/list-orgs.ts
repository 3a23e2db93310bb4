import { Type } from 'typebox';
import { managedOrg } from '../entities.ts';
import { cursor, nextCursor, optionalFields, pageLimit } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const listOrgs = defineOperation({
  name: 'list-orgs',
  method: 'GET',
  path: '/orgs',
  access: 'read',
  summary: 'List organizations',
  description: 'Returns the organizations of the tenant, ordered by id, page by page.',
  query: Type.Object(optionalFields({ cursor, limit: pageLimit })),
  data: Type.Object({ orgs: Type.Array(managedOrg), next_cursor: nextCursor }),
  successMessage: '',
  codes: [],
});
