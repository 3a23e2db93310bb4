import { Type } from 'typebox';
import {
  cursor,
  int64,
  issuedName,
  nextCursor,
  oneOf,
  optionalFields,
  pageLimit,
  requiredAppId,
  text,
  time,
} from '../fields.ts';
import { defineConsoleOperation } from './console-operation.ts';

/** How far back a history looks. */
export const historyRanges = ['hour', 'day', 'week'] as const;

export type HistoryRange = (typeof historyRanges)[number];

const count = (description: string) => Type.Integer({ minimum: 0, description });

const latency = (share: string) =>
  Type.Optional(
    Type.Integer({
      description: `${share} took no longer, in milliseconds; absent without calls and beyond the slowest step`,
    }),
  );

const latencies = { p50_ms: latency('Half of the calls'), p99_ms: latency('99 of 100 calls') };

const operationName = text('Name of the operation; empty for calls that matched none');

export const queryCallHistory = defineConsoleOperation({
  name: 'query-call-history',
  method: 'GET',
  path: '/tenants/:tenant/call-history',
  reach: 'tenant',
  role: 'viewer',
  summary: "Return the calls of a tenant's applications over time, by operation and by code",
  query: Type.Object({ range: oneOf('How far back', historyRanges) }),
  data: Type.Object({
    ...latencies,
    step_seconds: Type.Integer({ description: 'Length of the step that each point stands for' }),
    points: Type.Array(
      Type.Object({ at: time('When the step begins'), calls: count('Calls'), ...latencies }),
      { description: 'Oldest first, without gaps; the last step has not ended' },
    ),
    operations: Type.Array(
      Type.Object({
        operation: operationName,
        calls: count('Calls'),
        failed: count('Those answered with a code other than 0'),
        ...latencies,
        by_point: Type.Array(count('Calls'), { description: 'As many as there are points' }),
      }),
      { description: 'Most calls first' },
    ),
    codes: Type.Array(
      Type.Object({
        code: Type.Integer({ description: '0 for success' }),
        calls: count('Calls'),
        by_point: Type.Array(count('Calls'), { description: 'As many as there are points' }),
      }),
      { description: 'Most calls first' },
    ),
    before: Type.Object(
      { calls: count('Calls'), failed: count('Those answered with a code other than 0') },
      { description: 'The same length of time before' },
    ),
  }),
  codes: [],
});

const entryCounts = {
  users: int64('Users'),
  stores: int64('Stores'),
  bindings: int64('Bindings of users to roles, organizations and stores'),
};

export const queryHealth = defineConsoleOperation({
  name: 'query-health',
  method: 'GET',
  path: '/tenants/:tenant/health',
  reach: 'tenant',
  role: 'viewer',
  summary: 'Return how much the directory holds, and which applications failed in the last 24 hours',
  data: Type.Object({
    counts: Type.Optional(
      Type.Object(
        { ...entryCounts, at: time('When they were counted') },
        { description: 'Absent until the first count ends' },
      ),
    ),
    applications: count('Applications that are not revoked'),
    week_before: Type.Optional(
      Type.Object(
        {
          ...entryCounts,
          applications: int64('Applications that were not revoked'),
          at: time('When they were counted'),
        },
        { description: 'About seven days ago; absent when nobody counted then' },
      ),
    ),
    failing: Type.Array(
      Type.Object({
        app_id: text('APPID; empty for callers whose APPID no application has'),
        name: text('What the application is called; empty for those'),
        revoked: Type.Boolean({ description: 'Whether the application has been revoked since then' }),
        code: Type.Integer({ description: 'Code of their answers' }),
        operation: Type.Optional(
          text('Their operation; absent if there are several, or if they are not counted yet'),
        ),
        calls: count('Such calls; 0 if they are not counted yet'),
        all_calls: count('All calls of the application that are counted'),
        first_at: time('Start of the minute or hour of the first such call'),
        last: Type.Optional(
          Type.Object(
            { at: time('When the call was made'), request_id: text('Its request id') },
            { description: 'The latest of them that was kept' },
          ),
        ),
      }),
      { description: 'Most calls first' },
    ),
  }),
  codes: [],
});

export const queryApplicationCalls = defineConsoleOperation({
  name: 'query-application-calls',
  method: 'GET',
  path: '/tenants/:tenant/applications/calls',
  reach: 'tenant',
  role: 'viewer',
  summary: 'Return the calls of one application by operation and code',
  query: Type.Object({
    app_id: requiredAppId,
    range: oneOf('How far back', historyRanges),
  }),
  data: Type.Object({
    totals: Type.Array(
      Type.Object({
        operation: operationName,
        code: Type.Integer({ description: '0 for success' }),
        calls: count('Calls'),
        ...latencies,
      }),
      { description: 'Most calls first' },
    ),
  }),
  codes: [1610],
});

const failedCall = {
  request_id: text('Request id'),
  at: time('When it was answered'),
  app_id: text('APPID that the request named; empty if none'),
  name: text('What the application is called; empty if the tenant has no such application'),
  verified: Type.Boolean({ description: 'Whether the request proved its APPID, and did not only name it' }),
  operation: operationName,
  code: Type.Integer({ description: 'Code of the answer' }),
  message: text('Message of the answer'),
  cause: text('The likely cause; empty if none was found'),
  mistakes: Type.Array(text('Name of a mistake'), {
    description: 'What the likely cause consists of, for other languages; empty if that is not known',
  }),
  duration_us: count('How long it took, in microseconds'),
};

export const listFailedCalls = defineConsoleOperation({
  name: 'list-failed-calls',
  method: 'GET',
  path: '/tenants/:tenant/failed-calls',
  reach: 'tenant',
  role: 'viewer',
  summary: "List the recent failed calls of a tenant's applications, newest first",
  query: Type.Object(
    optionalFields({
      app_id: issuedName('Of this application'),
      operation: issuedName('Of this operation'),
      code: Type.Integer({ format: 'int32', description: 'Answered with this code' }),
      request_id: issuedName('With this request id'),
      since: time('At this moment or later'),
      until: time('Before this moment'),
      cursor,
      limit: pageLimit,
    }),
  ),
  data: Type.Object({ calls: Type.Array(Type.Object(failedCall)), next_cursor: nextCursor }),
  codes: [],
});

export const queryFailedCall = defineConsoleOperation({
  name: 'query-failed-call',
  method: 'GET',
  path: '/tenants/:tenant/failed-call',
  reach: 'tenant',
  role: 'viewer',
  summary: 'Return one failed call: what it was, and why it failed',
  query: Type.Object({ request_id: Type.String({ minLength: 1, maxLength: 64, description: 'Request id' }) }),
  data: Type.Object({
    call: Type.Optional(
      Type.Object(
        {
          ...failedCall,
          method: text('HTTP method'),
          target: text('Path and query; values that may be secret are replaced by an ellipsis'),
          address: text('Address of the client; empty if unknown'),
          strings_to_sign: Type.Array(
            Type.Array(Type.Object({ name: text('Name of the line'), text: text('The line') })),
            {
              description:
                "For a wrong signature: the server's string to sign, for each reading of the query",
            },
          ),
        },
        { description: 'Absent when no such call is on record' },
      ),
    ),
    unkept: Type.Optional(
      count(
        'Failed calls of the last seven days that were counted but not kept, of all tenants; absent for an operator of some tenants',
      ),
    ),
  }),
  codes: [],
});
