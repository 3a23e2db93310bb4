import type { UserColumns, UserFieldName } from './user-columns.ts';

/** What the database tells of one role, organization, store or user, and what a write may change. */

export interface RoleRecord {
  readonly id: bigint;
  readonly name: string;
  readonly systemId: bigint;
  readonly position: number;
  readonly description: string;
  /** Absent when the role was imported without one. */
  readonly code?: string;
}

export interface OrgRecord {
  readonly id: bigint;
  readonly name: string;
  /** Absent at the root of the tree. */
  readonly parentId?: bigint;
}

export interface StoreRecord {
  readonly code: string;
  readonly name: string;
  readonly address: string;
}

/** The fields of a user that callers may set. An unset text is `''`, an unset number is 0. */
export type UserProfile = {
  readonly [Name in UserFieldName as UserColumns[Name]['property']]: UserColumns[Name]['type'] extends 'text'
    ? string
    : number;
};

/** Fields to change; an absent one stays as it is. */
export interface UserChanges extends Partial<UserProfile> {
  /** PHC string of the new password's hash. */
  readonly passwordHash?: string;
}

export type UserStatus = 'active' | 'disabled';

export interface UserRecord extends UserProfile {
  readonly id: bigint;
  readonly username: string;
  readonly status: UserStatus;
  /** Grows with every change of the user or of a binding. */
  readonly revision: bigint;
}

export interface UserWithBindings extends UserRecord {
  readonly role?: RoleRecord;
  readonly org?: OrgRecord;
}

/** One user, named by id or by username. */
export type UserKey = { readonly id: bigint } | { readonly username: string };

export interface StoreBindingDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}
