import { Type } from 'typebox';
import {
  ifRevision,
  newUsername,
  optionalFields,
  password,
  storeCode,
  text,
  userFields,
  userId,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';

const { real_name, phone, department } = userFields;

export const batchUpdateUserStores = defineOperation({
  name: 'batch-update-user-stores',
  number: 12,
  method: 'POST',
  path: '/user/stores',
  access: 'write',
  repeatable: true,
  summary: 'Create or update a user and replace its stores',
  description:
    'The username decides: an existing user is updated, otherwise one is created. If store_codes is left out or null, the bindings stay as they are; an empty array removes them all; any other array replaces them. Either all of this happens or none.',
  body: Type.Object({
    username: newUsername,
    ...optionalFields({
      real_name,
      password,
      phone,
      department,
      ext_info: userFields.ext_info,
      store_codes: Type.Array(storeCode, {
        maxItems: limits.storeCodesMax,
        description: 'Codes of the stores; duplicates count once',
      }),
      if_revision: ifRevision,
    }),
  }),
  bodyLimit: 'batch',
  data: Type.Object({ id: userId, username: text('Login name') }),
  successMessage: 'success',
  codes: [1002, 1017, 1401],
});
