// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** What `listOrgs` takes. */
export interface ListOrgsInput {
  /** next_cursor of the page before; left out: the first page; at most 2048 characters. */
  readonly cursor?: string | null | undefined;
  /** Entries of the page at most; 50 when left out. */
  readonly limit?: number | null | undefined;
}

/** What `listOrgs` answers. */
export interface ListOrgsData<Id = bigint> {
  orgs: {
    /** Id of the organization. */
    id: Id;
    /** Name of the organization. */
    name: string;
    /** Id of the parent organization; 0 at the root. */
    parent_id: Id;
    /** Grows with every change. */
    revision: Id;
  }[];
  /** Send it as cursor for the page after this one; empty on the last page. */
  next_cursor: string;
}

export interface ListOrgs<Id = bigint> {
  /**
   * List organizations: `GET /orgs`. Answers the organizations of the tenant, ordered by id, page by page.
   *
   * @throws {FieldrosterError} the codes that every operation shares
   */
  listOrgs(input: ListOrgsInput, options?: CallOptions): Promise<ListOrgsData<Id>>;
}

/** One of what `orgs` goes over. */
export type OrgEntry<Id = bigint> = ListOrgsData<Id>['orgs'][number];

export interface Orgs<Id = bigint> {
  /**
   * Every entry of `listOrgs`, page after page, each page asked for when the one before is used up. `limit` is the
   * size of a page, the largest by default. An abort of the signal ends it with the signal's reason.
   *
   * @throws {FieldrosterError} as `listOrgs`
   */
  orgs(
    input?: Omit<ListOrgsInput, 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<OrgEntry<Id>, void, undefined>;
}

/** How it is sent and answered. */
export const listOrgs = {
  name: 'list-orgs',
  method: 'GET',
  path: '/orgs',
  access: 'read',
  fieldsIn: 'query',
  answer: { orgs: { id: true, parent_id: true, revision: true } },
} as const;
