export interface ApplicationSecretRecord {
  readonly id: bigint;
  /** Encrypted by the secret vault; the database cannot read it. */
  readonly sealed: Uint8Array;
  readonly createdAtMs: number;
  /** Absent if the secret does not expire. */
  readonly expiresAtMs?: number;
  readonly lastUsedAtMs?: number;
}

/** What the application may do; each scope includes the ones before it. */
export type ApplicationScope = 'read' | 'write' | 'manage';

export interface ApplicationRecord {
  readonly appId: string;
  readonly tenantId: bigint;
  readonly tenantName: string;
  readonly name: string;
  readonly status: 'active' | 'revoked';
  readonly scope: ApplicationScope;
  readonly createdAtMs: number;
  /** Oldest first. */
  readonly secrets: readonly ApplicationSecretRecord[];
}

export interface TenantRecord {
  readonly id: bigint;
  readonly name: string;
  readonly createdAtMs: number;
}

export interface NewApplication {
  readonly appId: string;
  readonly tenantId: bigint;
  readonly name: string;
  readonly scope: ApplicationScope;
  readonly sealed: Uint8Array;
}

/** Credentials and tenants. Operators change them, and every process must notice the changes. */
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
  insertApplication(application: NewApplication): Promise<boolean>;
  /** Adds a secret, lets the live ones expire at `oldExpiresAtMs`, and deletes those already expired. */
  addSecret(appId: string, sealed: Uint8Array, oldExpiresAtMs: number): Promise<void>;
  /** Returns whether the application was active. */
  revokeApplication(appId: string): Promise<boolean>;
  /** Keeps the later time of each secret, in milliseconds. Written in the background; see `Bookkeeping.flush`. */
  recordSecretsUsed(lastUsedAtMs: ReadonlyMap<bigint, number>): Promise<void>;
  listTenants(): Promise<TenantRecord[]>;
  findTenant(name: string): Promise<TenantRecord | undefined>;
  /** Returns `undefined` when the name is taken. */
  insertTenant(name: string): Promise<TenantRecord | undefined>;
  /** Returns a value that the deployment stores about itself, such as the proof of its master key. */
  readSetting(name: string): Promise<string | undefined>;
  /** Stores the value unless one exists already; returns the stored value. */
  keepSetting(name: string, value: string): Promise<string>;
}
