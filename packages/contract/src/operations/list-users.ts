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
  userStatuses,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { defineOperation } from '../operation.ts';
import { profileTexts } from '../profile-texts.ts';

export const listUsers = defineOperation({
  name: 'list-users',
  method: 'GET',
  path: '/users',
  access: 'read',
  summary: 'List and search users',
  description:
    'Returns the users that match every filter, page by page. They are ordered by id or, with updated_since and none of search, role_id, org_id, store_code and department, by updated_at and then by id. A page may have fewer entries than its limit, or none, while more follow: only an empty next_cursor ends the list. Send the same filters with every cursor. To keep a copy in step, set updated_since to ten minutes before the previous list began, by the Date header of its first page: a change has the time at which its write began, but becomes visible only when the write ends, which takes minutes for the largest batch. A user that changes while a list is read appears in that list or in the next one. A user that was removed is in no list: GET /audit?operation=delete-user names the ids of deleted users, and GET /audit?operation=user%20erase those of users that the operator erased. Read both. Renaming a role or an organization, or moving an organization, changes no user: read those lists too. After the operator has restored a backup, list everything again without updated_since.',
  query: Type.Object(
    optionalFields({
      search: Type.String({
        minLength: 1,
        maxLength: limits.searchCharactersMax,
        description: 'Part of the username, real_name, nickname, phone, email or unique_code, ignoring case',
      }),
      role_id: int64('Bound to this role'),
      org_id: int64('Bound to this organization'),
      include_children: flag('Also those bound to organizations below org_id; only together with org_id'),
      store_code: storeCode,
      department: text('Exactly this department', profileTexts.department.charactersMax),
      unbound: oneOf('Bound to no role, no organization or no store', ['role', 'org', 'store']),
      status: oneOf('Users with this status', userStatuses),
      updated_since: time('Changed at this moment or later, by the server’s clock'),
      cursor,
      limit: pageLimit,
    }),
  ),
  data: Type.Object({ users: Type.Array(listedUser), next_cursor: nextCursor }),
  successMessage: '',
  codes: [1201, 1301, 1401],
});
