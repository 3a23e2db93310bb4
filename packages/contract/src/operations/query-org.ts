import { Type } from 'typebox';
import { managedOrg } from '../entities.ts';
import { int64 } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const queryOrg = defineOperation({
  name: 'query-org',
  method: 'GET',
  path: '/org',
  access: 'read',
  summary: 'Query an organization',
  description: 'Returns the organization with its revision.',
  query: Type.Object({ id: int64('Id of the organization') }),
  data: managedOrg,
  hasETag: true,
  successMessage: '',
  codes: [1301],
});
