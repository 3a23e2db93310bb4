// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** What `listAuditEvents` takes. */
export interface ListAuditEventsInput {
  /** Id of the user. */
  readonly user_id?: IdInput | null | undefined;
  /** Signed by this application; at most 64 characters. */
  readonly app_id?: string | null | undefined;
  /** Of this operation or command; at most 64 characters. */
  readonly operation?: string | null | undefined;
  /** At this moment or later, in Unix milliseconds. */
  readonly since?: IdInput | null | undefined;
  /** Before this moment, in Unix milliseconds. */
  readonly until?: IdInput | null | undefined;
  /** next_cursor of the page before; left out: the first page; at most 2048 characters. */
  readonly cursor?: string | null | undefined;
  /** Entries of the page at most; 50 when left out. */
  readonly limit?: number | null | undefined;
}

/** What `listAuditEvents` answers. */
export interface ListAuditEventsData<Id = bigint> {
  events: {
    /** Id of the row; later rows have larger ones. */
    id: Id;
    /** When it happened, in Unix milliseconds. */
    at: Id;
    /** Application that signed the request; empty for the operator’s commands. */
    app_id: string;
    /** Operation, or the operator’s command. */
    operation: string;
    /** User that it was about; 0 when it was about none. */
    user_id: Id;
    /** X-Request-Id of the answer; empty for the operator’s commands. */
    request_id: string;
    /** What changed: each field by name, most with from and to. */
    changes: Record<string, unknown>;
  }[];
  /** Send it as cursor for the page after this one; empty on the last page. */
  next_cursor: string;
}

export interface ListAuditEvents<Id = bigint> {
  /**
   * List what was written: `GET /audit`. Answers the audit rows of the tenant to which every filter applies, newest first, page by page. A page may have fewer entries than its limit, none even, while more follow: only an empty next_cursor ends the list. With the scopes read and write, changes shows values only for fields that query-user returns (roles and orgs as role_id and org_id), and only for users that still exist; of everything else it has the names, each with an empty object.
   *
   * @throws {FieldrosterError} the codes that every operation shares
   */
  listAuditEvents(input: ListAuditEventsInput, options?: CallOptions): Promise<ListAuditEventsData<Id>>;
}

/** One of what `auditEvents` goes over. */
export type AuditEventEntry<Id = bigint> = ListAuditEventsData<Id>['events'][number];

export interface AuditEvents<Id = bigint> {
  /**
   * Every entry of `listAuditEvents`, page after page, each page asked for when the one before is used up. `limit` is the
   * size of a page, the largest by default. An abort of the signal ends it with the signal's reason.
   *
   * @throws {FieldrosterError} as `listAuditEvents`
   */
  auditEvents(
    input?: Omit<ListAuditEventsInput, 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<AuditEventEntry<Id>, void, undefined>;
}

/** How it is sent and answered. */
export const listAuditEvents = {
  name: 'list-audit-events',
  method: 'GET',
  path: '/audit',
  access: 'read',
  fieldsIn: 'query',
  answer: { events: { id: true, at: true, user_id: true } },
} as const;
