export interface ApplicationSecretRecord {
  readonly id: bigint;
  /** Encrypted by the secret vault; the database cannot read it. */
  readonly sealed: Uint8Array;
  readonly createdAtMs: number;
  /** Absent: the secret has no end. */
  readonly expiresAtMs?: number;
  readonly lastUsedAtMs?: number;
}

/** What the application may do; each scope includes those before it. */
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

/** Credentials and tenants: what operators change and every process must come to know. */
export interface Applications {
  /** Grows with every change of an application or a secret, whichever process made it. */
  revision(): Promise<bigint>;
  /** How often to look at the revision, in milliseconds. */
  readonly revisionPollMs: number;
  /** Calls back after such a change, where the engine can tell of it. Returns how to end that. */
  watch(onChange: () => void): Promise<() => Promise<void>>;
  listApplications(): Promise<ApplicationRecord[]>;
  findApplication(appId: string): Promise<ApplicationRecord | undefined>;
  /** Returns false when the APPID is taken, by whichever tenant. */
  insertApplication(application: NewApplication): Promise<boolean>;
  /** Adds a secret, ends the live ones at `oldExpiresAtMs` and drops those that have ended. */
  addSecret(appId: string, sealed: Uint8Array, oldExpiresAtMs: number): Promise<void>;
  /** Returns whether the application was active. */
  revokeApplication(appId: string): Promise<boolean>;
  /** Keeps the later time of each secret, in milliseconds. */
  recordSecretsUsed(lastUsedAtMs: ReadonlyMap<bigint, number>): Promise<void>;
  listTenants(): Promise<TenantRecord[]>;
  findTenant(name: string): Promise<TenantRecord | undefined>;
  /** Returns `undefined` when the name is taken. */
  insertTenant(name: string): Promise<TenantRecord | undefined>;
  /** A value that the deployment keeps about itself, such as the proof of its master key. */
  readSetting(name: string): Promise<string | undefined>;
  /** Keeps the value unless there is one already; returns the one that is kept. */
  keepSetting(name: string, value: string): Promise<string>;
}
