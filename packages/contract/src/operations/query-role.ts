import { Type } from 'typebox';
import { managedRole } from '../entities.ts';
import { int64 } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const queryRole = defineOperation({
  name: 'query-role',
  method: 'GET',
  path: '/role',
  access: 'read',
  summary: 'Query a role',
  description: 'Returns the role with its revision.',
  query: Type.Object({ id: int64('Id of the role') }),
  data: managedRole,
  hasETag: true,
  successMessage: '',
  codes: [1201],
});
