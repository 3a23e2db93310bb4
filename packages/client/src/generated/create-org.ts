// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { CallOptions } from '../call-options.ts';
import type { IdInput } from '../id-input.ts';

/** Input of `createOrg`. */
export interface CreateOrgInput {
  /** Name of the organization; at most 255 characters. */
  readonly name: string;
  /** Id of the organization, above 0; the server assigns one in place of 0. */
  readonly id?: IdInput | null | undefined;
  /** Id of the parent organization; 0 at the root. */
  readonly parent_id?: IdInput | null | undefined;
}

/** Result of `createOrg`. */
export interface CreateOrgData<Id = bigint> {
  /** Id of the organization. */
  id: Id;
  /** Name of the organization. */
  name: string;
  /** Id of the parent organization; 0 at the root. */
  parent_id: Id;
  /** Grows with every change. */
  revision: Id;
}

export interface CreateOrg<Id = bigint> {
  /**
   * Create an organization: `POST /org`. Creates the organization and returns it. If the id is left out or 0, the server assigns one more than the largest or, if that is 9223372036854775807, the smallest that is free. The parent must exist. A tree has at most 100 levels.
   *
   * @throws {FieldrosterError} with 1002 invalid-body, 1003 unsupported-content, 1301 organization-not-found, 1304 organization-id-taken, and the codes that every operation shares
   */
  createOrg(input: CreateOrgInput, options?: CallOptions): Promise<CreateOrgData<Id>>;
}

/** Its route, and the int64 values of its input and answer. */
export const createOrg = {
  name: 'create-org',
  method: 'POST',
  path: '/org',
  access: 'manage',
  repeatable: false,
  fieldsIn: 'body',
  takes: { id: true, parent_id: true },
  answer: { id: true, parent_id: true, revision: true },
} as const;
