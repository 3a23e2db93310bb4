// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `queryOrg`. */
export interface QueryOrgInput {
  /** Id of the organization. */
  readonly id: IdInput;
}

/** Result of `queryOrg`. */
export interface QueryOrgData<Id = bigint> {
  /** Id of the organization. */
  id: Id;
  /** Name of the organization. */
  name: string;
  /** Id of the parent organization; 0 at the root. */
  parent_id: Id;
  /** Grows with every change. */
  revision: Id;
}

export interface QueryOrg<Id = bigint> {
  /**
   * Query an organization: `GET /org`. Returns the organization with its revision.
   *
   * @throws {FieldrosterError} with 1301 organization-not-found, and the codes that every operation shares
   */
  queryOrg(input: QueryOrgInput, options?: CallOptions): Promise<QueryOrgData<Id>>;
}

/** Its route, and the int64 values of its input and answer. */
export const queryOrg = {
  name: 'query-org',
  method: 'GET',
  path: '/org',
  access: 'read',
  fieldsIn: 'query',
  answer: { id: true, parent_id: true, revision: true },
} as const;
