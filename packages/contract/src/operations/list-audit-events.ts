import { Type } from 'typebox';
import { auditedOperations } from '../audited-operations.ts';
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
import { defineOperation } from '../operation.ts';

const auditEvent = Type.Object({
  ...auditRowFields,
  app_id: text(
    'Application that signed the request; empty for changes made in the console and for the operator’s commands',
  ),
  operation: text('Operation, or the operator’s command'),
  user_id: int64('User concerned; 0 if none'),
  request_id: text('X-Request-Id of the answer, in the console too; empty for the operator’s commands'),
  changes: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description:
      'The changes, each by name: with to, with from and to, or with from only; stores with added and removed. Counts are integers, and what happened to a password is a word',
  }),
});

export const listAuditEvents = defineOperation({
  name: 'list-audit-events',
  method: 'GET',
  path: '/audit',
  access: 'read',
  summary: 'List changes',
  description:
    'Returns the audit rows of the tenant that match every filter, newest first, page by page. A page may have fewer entries than its limit, or none, while more follow: only an empty next_cursor ends the list. With the scopes read and write, changes shows values only for fields that query-user returns (roles and orgs as role_id and org_id), and only for users that still exist; for all other fields it has the name with an empty object.',
  query: Type.Object(
    optionalFields({
      user_id: userId,
      app_id: issuedName('Application that signed the request'),
      operation: oneOf('Operation, or the operator’s command', auditedOperations),
      since: time('At this moment or later'),
      until: time('Before this moment'),
      cursor,
      limit: pageLimit,
    }),
  ),
  data: Type.Object({ events: Type.Array(auditEvent), next_cursor: nextCursor }),
  successMessage: '',
  codes: [],
});
