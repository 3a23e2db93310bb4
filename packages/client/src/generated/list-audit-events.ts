// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `listAuditEvents`. */
export interface ListAuditEventsInput {
  /** Id of the user. */
  readonly user_id?: IdInput | null | undefined;
  /** Application that signed the request; at most 64 characters. */
  readonly app_id?: string | null | undefined;
  /** Operation, or the operator’s command. */
  readonly operation?:
    | 'create-user'
    | 'update-user'
    | 'bind-user-role'
    | 'unbind-user-role'
    | 'bind-user-org'
    | 'unbind-user-org'
    | 'bind-user-store'
    | 'unbind-user-store'
    | 'batch-update-user-stores'
    | 'create-role'
    | 'update-role'
    | 'delete-role'
    | 'create-org'
    | 'update-org'
    | 'delete-org'
    | 'create-store'
    | 'update-store'
    | 'delete-store'
    | 'upsert-stores'
    | 'batch-users'
    | 'delete-user'
    | 'set-user-status'
    | 'check-password'
    | 'change-users'
    | 'move-stores'
    | 'user erase'
    | 'role import'
    | 'org import'
    | 'store import'
    | 'app create'
    | 'app update'
    | 'app rotate'
    | 'app revoke'
    | 'tenant create'
    | 'claims reset'
    | 'key rotate'
    | 'key rotate --finish'
    | 'migrate'
    | 'copy'
    | 'restore'
    | 'restore --finish'
    | 'serve --sample'
    | null
    | undefined;
  /** At this moment or later, in Unix milliseconds. */
  readonly since?: IdInput | null | undefined;
  /** Before this moment, in Unix milliseconds. */
  readonly until?: IdInput | null | undefined;
  /** next_cursor of the previous page; left out or empty for the first page; at most 2048 characters. */
  readonly cursor?: string | null | undefined;
  /** Largest number of entries on a page; 50 if left out. */
  readonly limit?: number | null | undefined;
}

/** Result of `listAuditEvents`. */
export interface ListAuditEventsData<Id = bigint> {
  events: {
    /** Id of the row. Changes of one user, role, organization or store took effect in the order of their ids; between others, the order of ids may differ from that of at. */
    id: Id;
    /** When it happened; a signed write is dated by its end, on the clock of the process that made it, in Unix milliseconds. */
    at: Id;
    /** Application that signed the request; empty for changes made in the console and for the operator’s commands. */
    app_id: string;
    /** Operation, or the operator’s command. */
    operation: string;
    /** User concerned; 0 if none. */
    user_id: Id;
    /** X-Request-Id of the answer, in the console too; empty for the operator’s commands. */
    request_id: string;
    /** The changes, each by name: with to, with from and to, or with from only; stores with added and removed. Counts are integers, and what happened to a password is a word. */
    changes: Record<string, unknown>;
  }[];
  /** The cursor of the next page; empty on the last page. */
  next_cursor: string;
}

export interface ListAuditEvents<Id = bigint> {
  /**
   * List changes: `GET /audit`. Returns the audit rows of the tenant that match every filter, newest first, page by page. A page may have fewer entries than its limit, or none, while more follow: only an empty next_cursor ends the list. With the scopes read and write, changes shows values only for fields that query-user returns (roles and orgs as role_id and org_id), and only for users that still exist; for all other fields it has the name with an empty object.
   *
   * @throws {FieldrosterError} with the codes that every operation shares
   */
  listAuditEvents(input: ListAuditEventsInput, options?: CallOptions): Promise<ListAuditEventsData<Id>>;
}

/** An entry that `auditEvents` yields. */
export type AuditEventEntry<Id = bigint> = ListAuditEventsData<Id>['events'][number];

export interface AuditEvents<Id = bigint> {
  /**
   * Iterates over every entry of `listAuditEvents`, and requests each page when the previous one is used up. `limit` is the
   * size of a page, the largest by default. After an abort, throws the signal's reason.
   *
   * @throws {FieldrosterError} as `listAuditEvents`
   */
  auditEvents(
    input?: Omit<ListAuditEventsInput, 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<AuditEventEntry<Id>, void, undefined>;
}

/** Its route, and the int64 values of its input and answer. */
export const listAuditEvents = {
  name: 'list-audit-events',
  method: 'GET',
  path: '/audit',
  access: 'read',
  fieldsIn: 'query',
  answer: { events: { id: true, at: true, user_id: true } },
} as const;
