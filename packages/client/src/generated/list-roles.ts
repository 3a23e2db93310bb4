// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';

/** Input of `listRoles`. */
export interface ListRolesInput {
  /** next_cursor of the previous page; left out or empty for the first page; at most 2048 characters. */
  readonly cursor?: string | null | undefined;
  /** Largest number of entries on a page; 50 if left out. */
  readonly limit?: number | null | undefined;
}

/** Result of `listRoles`. */
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
  /** The cursor of the next page; empty on the last page. */
  next_cursor: string;
}

export interface ListRoles<Id = bigint> {
  /**
   * List roles: `GET /roles`. Returns the roles of the tenant, ordered by id, page by page.
   *
   * @throws {FieldrosterError} with the codes that every operation shares
   */
  listRoles(input: ListRolesInput, options?: CallOptions): Promise<ListRolesData<Id>>;
}

/** An entry that `roles` yields. */
export type RoleEntry<Id = bigint> = ListRolesData<Id>['roles'][number];

export interface Roles<Id = bigint> {
  /**
   * Iterates over every entry of `listRoles`, and requests each page when the previous one is used up. `limit` is the
   * size of a page, the largest by default. After an abort, throws the signal's reason.
   *
   * @throws {FieldrosterError} as `listRoles`
   */
  roles(
    input?: Omit<ListRolesInput, 'cursor'>,
    options?: CallOptions,
  ): AsyncGenerator<RoleEntry<Id>, void, undefined>;
}

/** Its route, and the int64 values of its input and answer. */
export const listRoles = {
  name: 'list-roles',
  method: 'GET',
  path: '/roles',
  access: 'read',
  fieldsIn: 'query',
  answer: { roles: { id: true, system_id: true, revision: true } },
} as const;
