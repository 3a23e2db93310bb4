import { Type } from 'typebox';
import { managedRole } from '../entities.ts';
import { givenId, int32, int64, name, optionalFields, text } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';

export const createRole = defineOperation({
  name: 'create-role',
  method: 'POST',
  path: '/role',
  access: 'manage',
  repeatable: false,
  summary: 'Create a role',
  description:
    'Creates the role and returns it. If the id is left out or 0, the server assigns one more than the largest or, if that is 9223372036854775807, the smallest that is free.',
  body: Type.Object({
    name: name('Name of the role', limits.roleNameCharactersMax),
    ...optionalFields({
      id: givenId('Id of the role, above 0; the server assigns one in place of 0'),
      system_id: int64('Id of the system that the role belongs to'),
      order: int32('Position among the roles'),
      description: text('What the role is for', limits.descriptionCharactersMax),
      code: text('Code of the role', limits.roleCodeCharactersMax),
    }),
  }),
  data: managedRole,
  successMessage: '',
  codes: [1002, 1204],
});
