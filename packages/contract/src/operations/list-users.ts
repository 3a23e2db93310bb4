import { Type } from 'typebox';
import { listedUser } from '../entities.ts';
import {
  cursor,
  flag,
  int64,
  nextCursor,
  oneOf,
  optionalFields,
  pageLimit,
  storeCode,
  text,
  time,
  userStatus,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';

export const listUsers = defineOperation({
  name: 'list-users',
  method: 'GET',
  path: '/users',
  access: 'read',
  summary: 'List and search users',
  description:
    'Answers the users to whom every filter applies, page by page, ordered by id; with updated_since and none of search, role_id, org_id, store_code and department, by updated_at and then by id. A page may have fewer entries than its limit, none even, while more follow: only an empty next_cursor ends the list. Send the same filters with every cursor. To stay in step, list with the updated_since of a moment before the last list began: a user changed while a list is read is in this list or in the next one.',
  query: Type.Object(
    optionalFields({
      search: Type.String({
        minLength: 1,
        maxLength: limits.searchCharactersMax,
        description:
          'Part of the username, real_name, nickname, phone, email or unique_code, whatever the case of its letters',
      }),
      role_id: int64('Bound to this role'),
      org_id: int64('Bound to this organization'),
      include_children: flag('With org_id: or to one below it'),
      store_code: storeCode,
      department: text('Exactly this department', limits.departmentCharactersMax),
      unbound: oneOf('Bound to no role, no organization or no store', ['role', 'org', 'store']),
      status: userStatus,
      updated_since: time('Changed at this moment or later'),
      cursor,
      limit: pageLimit,
    }),
  ),
  data: Type.Object({ users: Type.Array(listedUser), next_cursor: nextCursor }),
  successMessage: '',
  codes: [1201, 1301, 1401],
});
