import { Type } from 'typebox';
import { auditRowFields } from '../entities.ts';
import {
  cursor,
  int64,
  issuedName,
  nextCursor,
  oneOf,
  optionalFields,
  pageLimit,
  text,
  time,
  userId,
} from '../fields.ts';
import { defineConsoleOperation } from './console-operation.ts';

const changes = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'What changed: each field by name, most with from and to',
});

const auditedUser = Type.Object(
  {
    username: text('Login name; of a deleted user, the last one on record'),
    real_name: text('Name of the person; of a deleted user, the last one on record'),
    deleted: Type.Boolean({ description: 'Whether the user no longer exists' }),
  },
  { description: 'Names by which people know that user; absent if no record has them' },
);

const event = Type.Object({
  ...auditRowFields,
  actor: Type.Object(
    {
      kind: oneOf('What made the change', ['application', 'operator', 'command']),
      id: text('APPID, or id of the operator; empty for a command'),
      name: text('Name of the application or operator, or user and host of the command; empty if unknown'),
    },
    { description: 'Who made the change' },
  ),
  operation: text('Operation or command'),
  user_id: int64('User that it was about; 0 when it was about none'),
  user: Type.Optional(auditedUser),
  colleague: Type.Optional(
    Type.Object(
      { user_id: int64('Id of the colleague'), user: Type.Optional(auditedUser) },
      { description: 'Who had the stores before a move, or has them after it' },
    ),
  ),
  request_id: text('Request id; empty for a command'),
  changes,
});

export const listEvents = defineConsoleOperation({
  name: 'list-events',
  method: 'GET',
  path: '/tenants/:tenant/events',
  reach: 'tenant',
  role: 'viewer',
  summary: 'List the changes of a tenant with who made them, newest first',
  query: Type.Object(
    optionalFields({
      user_id: userId,
      store_code: text('Mentions the store with this code', 255),
      app_id: issuedName('Made by this application'),
      operator_id: int64('Made by this operator'),
      change_id: text('Made by the caller, as the change with this Change-Id', 36),
      operation: issuedName('Of this operation or command'),
      since: time('At this moment or later'),
      until: time('Before this moment'),
      cursor,
      limit: pageLimit,
    }),
  ),
  data: Type.Object({
    events: Type.Array(event),
    operators: Type.Array(Type.Object({ id: int64('Id of the operator'), username: text('Login name') }), {
      description: 'Those that have access to the tenant',
    }),
    next_cursor: nextCursor,
  }),
  codes: [],
});

export const listDeploymentEvents = defineConsoleOperation({
  name: 'list-deployment-events',
  method: 'GET',
  path: '/events',
  reach: 'deployment',
  role: 'owner',
  summary: 'List the changes that belong to no tenant, newest first',
  query: Type.Object(optionalFields({ cursor, limit: pageLimit })),
  data: Type.Object({ events: Type.Array(event), next_cursor: nextCursor }),
  codes: [],
});
