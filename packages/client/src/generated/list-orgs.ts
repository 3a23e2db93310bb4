// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** Input of `listOrgs`. */
export interface ListOrgsInput {
  /** next_cursor of the previous page; left out or empty for the first page; at most 2048 characters. */
  readonly cursor?: string | null | undefined;
  /** Largest number of entries on a page; 50 if left out. */
  readonly limit?: number | null | undefined;
}

/** Result of `listOrgs`. */
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
  /** The cursor of the next page; empty on the last page. */
  next_cursor: string;
}

export interface ListOrgs<Id = bigint> {
  /**
   * List organizations: `GET /orgs`. Returns the organizations of the tenant, ordered by id, page by page.
   *
   * @throws {FieldrosterError} with the codes that every operation shares
   */
  listOrgs(input: ListOrgsInput, options?: CallOptions): Promise<ListOrgsData<Id>>;
}

/** An entry that `orgs` yields. */
export type OrgEntry<Id = bigint> = ListOrgsData<Id>['orgs'][number];

export interface Orgs<Id = bigint> {
  /**
   * Iterates over every entry of `listOrgs`, and requests each page when the previous one is used up. `limit` is the
   * size of a page, the largest by default. After an abort, throws the signal's reason.
   *
   * @throws {FieldrosterError} as `listOrgs`
   */
  orgs(
    input?: Omit<ListOrgsInput, 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<OrgEntry<Id>, void, undefined>;
}

/** Its route, and the int64 values of its input and answer. */
export const listOrgs = {
  name: 'list-orgs',
  method: 'GET',
  path: '/orgs',
  access: 'read',
  fieldsIn: 'query',
  answer: { orgs: { id: true, parent_id: true, revision: true } },
} as const;
