import type { UserColumns, UserFieldName } from './user-columns.ts';

/** Roles, organizations, stores and users as the database returns them, and the changes that a write may make. */

export interface RoleRecord {
  readonly id: bigint;
  readonly name: string;
  readonly systemId: bigint;
  readonly position: number;
  readonly description: string;
  /** Absent if the role has no code. */
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

/** The stores of a user, of which only the codes are held. */
export interface StoresInSlices {
  /** How many codes there were at one moment. */
  readonly count: number;
  /** Reads each slice when it is asked for, by code. Leaves out stores that were removed after that moment. */
  readonly slices: AsyncIterable<readonly StoreRecord[]>;
}

/** The fields of a user that callers may set. An unset string is `''`, an unset number is 0. */
export type UserProfile = {
  readonly [Name in UserFieldName as UserColumns[Name]['property']]: UserColumns[Name]['type'] extends 'text'
    ? string
    : number;
};

/** Fields to change; absent fields stay as they are. */
export interface UserChanges extends Partial<UserProfile> {
  /** PHC string of the new password's hash. */
  readonly passwordHash?: string;
}

/** What users are bound to. */
export type BindingTarget = 'role' | 'org' | 'store';

export type UserStatus = 'active' | 'disabled';

export interface UserRecord extends UserProfile {
  readonly id: bigint;
  readonly username: string;
  readonly status: UserStatus;
  /** Grows with every change to the user or its bindings. */
  readonly revision: bigint;
}

/** A user whose changes the audit will describe. */
export interface UserToChange extends UserRecord {
  readonly hasPassword: boolean;
}

export interface UserWithBindings extends UserRecord {
  readonly role?: RoleRecord;
  readonly org?: OrgRecord;
}

/** Names one user, by id or by username. */
export type UserKey = { readonly id: bigint } | { readonly username: string };

/** A role or an organization as a user may be bound to it. A user has at most one of each. */
export interface ReplaceableBinding {
  readonly exists: boolean;
  /** The id of the user's current one, if any. */
  readonly current?: bigint;
}

/** A store as a user may be bound to it. */
export interface StoreBinding {
  readonly exists: boolean;
  readonly bound: boolean;
  /** Whether the store cannot be bound because the user has as many as a user may have. */
  readonly isFull: boolean;
}

export interface StoreBindingDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}
