// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** What `listRoles` takes. */
export interface ListRolesInput {
  /** next_cursor of the page before; left out: the first page; at most 2048 characters. */
  readonly cursor?: string | null | undefined;
  /** Entries of the page at most; 50 when left out. */
  readonly limit?: number | null | undefined;
}

/** What `listRoles` answers. */
export interface ListRolesData<Id = bigint> {
  roles: {
    /** Id of the role. */
    id: Id;
    /** Name of the role. */
    name: string;
    /** Id of the system that the role belongs to. */
    system_id: Id;
    /** Position among the roles. */
    order: number;
    /** What the role is for. */
    description: string;
    /** Code of the role. */
    code?: string;
    /** Grows with every change. */
    revision: Id;
  }[];
  /** Send it as cursor for the page after this one; empty on the last page. */
  next_cursor: string;
}

export interface ListRoles<Id = bigint> {
  /**
   * List roles: `GET /roles`. Answers the roles of the tenant, ordered by id, page by page.
   *
   * @throws {FieldrosterError} the codes that every operation shares
   */
  listRoles(input: ListRolesInput, options?: CallOptions): Promise<ListRolesData<Id>>;
}

/** One of what `roles` goes over. */
export type RoleEntry<Id = bigint> = ListRolesData<Id>['roles'][number];

export interface Roles<Id = bigint> {
  /**
   * Every entry of `listRoles`, page after page, each page asked for when the one before is used up. `limit` is the
   * size of a page, the largest by default. An abort of the signal ends it with the signal's reason.
   *
   * @throws {FieldrosterError} as `listRoles`
   */
  roles(
    input?: Omit<ListRolesInput, 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<RoleEntry<Id>, void, undefined>;
}

/** How it is sent and answered. */
export const listRoles = {
  name: 'list-roles',
  method: 'GET',
  path: '/roles',
  access: 'read',
  fieldsIn: 'query',
  answer: { roles: { id: true, system_id: true, revision: true } },
} as const;
