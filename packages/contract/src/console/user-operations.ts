import { Type } from 'typebox';
import { listedUser, queriedUser } from '../entities.ts';
import {
  flag,
  int32,
  int64,
  newUsername,
  nextCursor,
  oneOf,
  optionalFields,
  revision,
  storeCode,
  text,
  userId,
  userStatus,
} from '../fields.ts';
import { listUsers } from '../operations/list-users.ts';
import { consoleLimits } from './console-limits.ts';
import { defineConsoleOperation } from './console-operation.ts';

const codes = (description: string) =>
  Type.Array(storeCode, { maxItems: consoleLimits.changedStoresMax, description });

const change = Type.Object({
  field: oneOf('What changes', ['role', 'org', 'status']),
  from: text('Name before; empty for none'),
  to: text('Name after; empty for none'),
});

export const changeUsers = defineConsoleOperation({
  name: 'change-users',
  method: 'POST',
  path: '/tenants/:tenant/change-users',
  reach: 'tenant',
  role: 'manager',
  summary: 'Change role, organization, stores or status of several users in one step, or preview it',
  body: Type.Object({
    users: Type.Array(
      Type.Object({
        username: newUsername,
        ...optionalFields({ revision: int64('The revision that the preview returned') }),
      }),
      { minItems: 1, maxItems: consoleLimits.changedUsersMax, description: 'The users, each once' },
    ),
    ...optionalFields({
      role_id: int64('Role to bind in place of the present one; 0: none'),
      org_id: int64('Organization to bind in place of the present one; 0: none'),
      add_store_codes: codes('Stores that each of them gets'),
      remove_store_codes: codes('Stores that each of them loses'),
      status: userStatus,
      dry_run: flag('Return what would change, and change nothing'),
    }),
  }),
  data: Type.Object({
    changed: int32('Users that change, or have been changed'),
    users: Type.Array(
      Type.Object({
        id: int64('Id of the user'),
        username: text('Login name'),
        real_name: text('Name of the person'),
        revision,
        changes: Type.Array(change),
        stores_added: Type.Array(text('Code of the store')),
        stores_removed: Type.Array(text('Code of the store')),
      }),
    ),
  }),
  codes: [1017, 1101, 1201, 1301, 1401],
});

export const findUsers = defineConsoleOperation({
  name: 'find-users',
  method: 'GET',
  path: '/tenants/:tenant/find-users',
  reach: 'tenant',
  role: 'viewer',
  summary: 'List and search users, as the signed operation does, with the number of their stores',
  query: listUsers.query,
  data: Type.Object({
    users: Type.Array(
      Type.Object({
        ...listedUser.properties,
        store_count: int32(
          `Stores of the user; ${consoleLimits.countedStoresMax + 1} for more than ${consoleLimits.countedStoresMax}`,
        ),
      }),
    ),
    next_cursor: nextCursor,
  }),
  codes: listUsers.codes,
});

const { cursor: _cursor, limit: _limit, ...filters } = listUsers.query.properties;

export const countUsers = defineConsoleOperation({
  name: 'count-users',
  method: 'GET',
  path: '/tenants/:tenant/count-users',
  reach: 'tenant',
  role: 'viewer',
  summary: 'Count the users that match every filter',
  query: Type.Object(filters),
  data: Type.Object({
    users: int64('How many were counted'),
    is_more: Type.Boolean({
      description: 'Whether there may be more: a long count stops early',
    }),
  }),
  codes: listUsers.codes,
});

export const queryUserDetails = defineConsoleOperation({
  name: 'query-user-details',
  method: 'GET',
  path: '/tenants/:tenant/user-details',
  reach: 'tenant',
  role: 'viewer',
  summary: 'Return a user with its status and revision',
  query: Type.Object({ user_id: userId }),
  data: Type.Object({ ...queriedUser.properties, status: userStatus, revision }),
  codes: [1101],
});
