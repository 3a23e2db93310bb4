import type { Access } from '@fieldroster/contract';
import type { Actor } from './actor.ts';
import type { AcceptanceClaim } from './claims.ts';

/** No issued APPID is longer than this; a caller may send any text as its APPID. */
export const appIdCharactersMax = 64;

export interface ApplicationSecretRecord {
  readonly id: bigint;
  /** Encrypted by the secret vault; the database cannot read it. */
  readonly sealed: Uint8Array;
  readonly createdAtMs: number;
  /** Absent if the secret does not expire. */
  readonly expiresAtMs?: number;
  readonly lastUsedAtMs?: number;
}

/** The permissions of an application; each scope includes the ones before it. */
export type ApplicationScope = Access;

/** Whether it may call; a suspended one may again once it is resumed. */
export type ApplicationStatus = 'active' | 'suspended' | 'revoked';

export interface ApplicationRecord {
  readonly appId: string;
  readonly tenantId: bigint;
  readonly tenantName: string;
  readonly name: string;
  readonly status: ApplicationStatus;
  readonly scope: ApplicationScope;
  readonly createdAtMs: number;
  /** Requests per second, 0 for no limit; absent when the server's own limit applies. */
  readonly rateLimit?: number;
  /** Addresses and networks that it may call from; empty for any. */
  readonly allowedAddresses: readonly string[];
  /** Absent if the application does not expire. */
  readonly expiresAtMs?: number;
  /** Oldest first. */
  readonly secrets: readonly ApplicationSecretRecord[];
}

export interface NewApplication {
  readonly appId: string;
  readonly tenantId: bigint;
  readonly name: string;
  readonly scope: ApplicationScope;
  readonly sealed: Uint8Array;
}

/** The changes of an application. Absent members stay as they are, and null clears. */
export interface ApplicationChanges {
  readonly status?: Exclude<ApplicationStatus, 'revoked'>;
  readonly scope?: ApplicationScope;
  readonly rateLimit?: number | null;
  /** Empty for any address. */
  readonly allowedAddresses?: readonly string[];
  readonly expiresAtMs?: number | null;
}

/**
 * Where a change of credentials or tenants comes from. The audit row of the change records the actor, and its
 * transaction makes the claim, unless nothing is done.
 */
export interface ChangeOrigin {
  readonly actor?: Actor | undefined;
  readonly claim?: AcceptanceClaim | undefined;
}

/** A new secret, which replaces the newest live one of its application. */
export interface SecretRotation {
  readonly sealed: Uint8Array;
  /** When the replaced secret expires, in Unix milliseconds. */
  readonly oldExpiresAtMs: number;
  /**
   * True deletes the newest secret, which was lost, if an older one is live too. That one keeps its own end. Without an
   * older one, the newest may be the one in use, and expires as in any rotation.
   */
  readonly replaceNewest?: boolean;
}

/** Applications and their secrets. Operators change them, and every process must notice the changes. */
export interface Applications {
  /** Grows with every change to an application or a secret, by any process. */
  revision(): Promise<bigint>;
  /** Polling interval for the revision, in milliseconds. */
  readonly revisionPollMs: number;
  /** Calls back after such a change, if the engine can report it. Returns a function that stops the callbacks. */
  watch(onChange: () => void): Promise<() => Promise<void>>;
  listApplications(): Promise<ApplicationRecord[]>;
  findApplication(appId: string): Promise<ApplicationRecord | undefined>;
  /** Returns false when any tenant already has the APPID. */
  insertApplication(application: NewApplication, origin?: ChangeOrigin): Promise<boolean>;
  /**
   * Adds a secret, lets the newest live one expire, and deletes the others; or replaces the newest one.
   *
   * @returns the ids of the deleted secrets that had not expired, or `undefined` when the application is unknown or revoked
   */
  addSecret(
    appId: string,
    rotation: SecretRotation,
    origin?: ChangeOrigin,
  ): Promise<readonly bigint[] | undefined>;
  /** Returns the changed application, or `undefined` when it is unknown or revoked. */
  updateApplication(
    appId: string,
    changes: ApplicationChanges,
    origin?: ChangeOrigin,
  ): Promise<ApplicationRecord | undefined>;
  /** Returns whether the application was not revoked before. */
  revokeApplication(appId: string, origin?: ChangeOrigin): Promise<boolean>;
  /** Keeps the later time of each secret, in milliseconds. Written in the background; see `Bookkeeping.flush`. */
  recordSecretsUsed(lastUsedAtMs: ReadonlyMap<bigint, number>): Promise<void>;
}
