import { Type } from 'typebox';
import { storeEntry } from '../entities.ts';
import { flag, int64, optionalFields, pageLimit, storeCode, text } from '../fields.ts';
import { limits } from '../limits.ts';
import { consoleLimits } from './console-limits.ts';
import { defineConsoleOperation } from './console-operation.ts';

const codes = (description: string) => Type.Array(storeCode, { maxItems: limits.storeCodesMax, description });

export const moveStores = defineConsoleOperation({
  name: 'move-stores',
  method: 'POST',
  path: '/tenants/:tenant/move-stores',
  reach: 'tenant',
  role: 'manager',
  summary: 'Move stores from one user to another in one step, if the preview still holds',
  body: Type.Object({
    from_user_id: int64('Id of the user who has the stores'),
    to_user_id: int64('Id of the user who gets them'),
    store_codes: codes('Codes of the stores to move; the first user must have them all'),
    kept_store_codes: codes(
      'Codes of stores that the first user keeps and the second gets too; undoing a move needs them',
    ),
    expected_store_codes: codes(
      'Those of the codes above that the second user has already, as the preview said',
    ),
  }),
  codes: [1101, 1614],
});

/** A store with how many users are bound to it. */
const foundStore = Type.Object({
  ...storeEntry.properties,
  representatives: Type.Integer({
    minimum: 0,
    maximum: consoleLimits.representativesCountedMax,
    description: `Number of users bound to the store; ${consoleLimits.representativesCountedMax} means that many or more`,
  }),
});

const filters = {
  search: Type.String({
    minLength: 1,
    maxLength: limits.searchCharactersMax,
    description: 'Part of the code, the name or the address, whatever the case of its letters',
  }),
  unassigned: flag('Only stores that no user is bound to'),
};

export const findStores = defineConsoleOperation({
  name: 'find-stores',
  method: 'GET',
  path: '/tenants/:tenant/find-stores',
  reach: 'tenant',
  role: 'viewer',
  summary: 'Find stores by a text, or those that nobody looks after, ordered by code',
  query: Type.Object(
    optionalFields({
      ...filters,
      after: text('Go on after this code', limits.storeCodeCharactersMax),
      limit: pageLimit,
    }),
  ),
  data: Type.Object({
    stores: Type.Array(foundStore),
    next: text('Send it as `after` to go on; empty at the end. A page may have no store while more follow'),
  }),
  codes: [],
});

export const countStores = defineConsoleOperation({
  name: 'count-stores',
  method: 'GET',
  path: '/tenants/:tenant/count-stores',
  reach: 'tenant',
  role: 'viewer',
  summary: 'Count the stores that match a text, or that nobody looks after',
  query: Type.Object(optionalFields(filters)),
  data: Type.Object({
    stores: int64('How many were counted'),
    is_more: Type.Boolean({
      description: 'Whether there may be more: a long count stops early',
    }),
  }),
  codes: [],
});
