import { Type } from 'typebox';
import { managedRole } from '../entities.ts';
import { cursor, nextCursor, optionalFields, pageLimit } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const listRoles = defineOperation({
  name: 'list-roles',
  method: 'GET',
  path: '/roles',
  access: 'read',
  summary: 'List roles',
  description: 'Returns the roles of the tenant, ordered by id, page by page.',
  query: Type.Object(optionalFields({ cursor, limit: pageLimit })),
  data: Type.Object({ roles: Type.Array(managedRole), next_cursor: nextCursor }),
  successMessage: '',
  codes: [],
});
