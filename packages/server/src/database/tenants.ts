import type { Actor } from './actor.ts';
import type { ChangeOrigin } from './applications.ts';

export interface TenantRecord {
  readonly id: bigint;
  readonly name: string;
  readonly createdAtMs: number;
}

export interface Tenants {
  listTenants(): Promise<TenantRecord[]>;
  findTenant(name: string): Promise<TenantRecord | undefined>;
  /** Returns `undefined` when the name is taken, or another tenant's looks the same. */
  insertTenant(name: string, origin?: ChangeOrigin): Promise<TenantRecord | undefined>;
  /** Records in every tenant's audit that an operator ran these migrations. */
  recordMigration(migrations: readonly string[], actor?: Actor): Promise<void>;
}
