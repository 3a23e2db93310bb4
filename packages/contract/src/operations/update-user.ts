import { Type } from 'typebox';
import { ifRevision, optionalFields, password, profileFields, userId, username } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const updateUser = defineOperation({
  name: 'update-user',
  number: 3,
  method: 'PUT',
  path: '/user',
  access: 'write',
  repeatable: true,
  summary: 'Update a user',
  description:
    'Changes the fields that are sent. Either id or username identifies the user; a username never renames one. A field that is left out or null stays as it is; an empty string (or gender 0) clears it; only a non-empty password replaces the previous one.',
  body: Type.Object(
    optionalFields({ id: userId, username, password, ...profileFields, if_revision: ifRevision }),
  ),
  successMessage: '',
  codes: [1002, 1017, 1101, 1103],
});
