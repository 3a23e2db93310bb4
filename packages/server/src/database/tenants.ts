import type { Actor } from './actor.ts';
import type { AcceptanceClaim } from './claims.ts';

export interface TenantRecord {
  readonly id: bigint;
  readonly name: string;
  readonly createdAtMs: number;
}

export interface Tenants {
  listTenants(): Promise<TenantRecord[]>;
  findTenant(name: string): Promise<TenantRecord | undefined>;
  /**
   * Returns `undefined` when the name is taken. The `actor` is recorded in the audit row, and the `claim` is made in the
   * same transaction, unless nothing is done.
   */
  insertTenant(name: string, actor?: Actor, claim?: AcceptanceClaim): Promise<TenantRecord | undefined>;
  /** Records in every tenant's audit that an operator ran these migrations. */
  recordMigration(migrations: readonly string[], actor?: Actor): Promise<void>;
}
