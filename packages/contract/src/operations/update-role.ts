import { Type } from 'typebox';
import { ifRevision, int32, int64, name, optionalFields, text } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';

export const updateRole = defineOperation({
  name: 'update-role',
  method: 'PUT',
  path: '/role',
  access: 'manage',
  repeatable: true,
  summary: 'Update a role',
  description:
    'Changes the fields that are sent. A field that is left out or null stays as it is; an empty string clears a field that may be empty.',
  body: Type.Object({
    id: int64('Id of the role'),
    ...optionalFields({
      name: name('Name of the role; if empty, it stays as it is', limits.roleNameCharactersMax),
      system_id: int64('Id of the system that the role belongs to'),
      order: int32('Position among the roles'),
      description: text('What the role is for', limits.descriptionCharactersMax),
      code: text('Code of the role', limits.roleCodeCharactersMax),
      if_revision: ifRevision,
    }),
  }),
  successMessage: '',
  codes: [1002, 1017, 1201],
});
