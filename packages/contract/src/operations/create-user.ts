import { Type } from 'typebox';
import { createdUser } from '../entities.ts';
import { newUsername, optionalFields, profileFields, requiredPassword } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const createUser = defineOperation({
  name: 'create-user',
  number: 1,
  method: 'POST',
  path: '/user',
  access: 'write',
  repeatable: false,
  summary: 'Create a user',
  description:
    'Creates a user and returns it with its new id. The answer repeats the password that was sent; the server stores only a hash of it.',
  body: Type.Object({
    username: newUsername,
    password: requiredPassword,
    ...optionalFields(profileFields),
  }),
  data: createdUser,
  successMessage: '',
  codes: [1002, 1102],
});
