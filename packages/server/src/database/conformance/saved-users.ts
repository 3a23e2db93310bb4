import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { UserToSave } from '../database.ts';
import { int64Max, type Subject } from './subject.ts';

/** Creates a tenant with roles and organizations 1 and int64's maximum, and the stores A to D. */
export async function newTenantWithTargets({ under: { database, db } }: Subject): Promise<bigint> {
  const tenant = await database.tenants.insertTenant(randomUUID());
  assert(tenant !== undefined);
  const tenant_id = tenant.id;
  const role = { name: 'R', system_id: 0n, position: 0n, description: '', code: null };
  for (const id of [1n, int64Max]) {
    await db
      .insertInto('role')
      .values({ tenant_id, id, ...role })
      .execute();
    await db.insertInto('org').values({ tenant_id, id, name: 'O', parent_id: null }).execute();
  }
  for (const code of ['A', 'B', 'C', 'D'])
    await db.insertInto('store').values({ tenant_id, code, name: '', address: '' }).execute();
  return tenant_id;
}

/** Returns a user to save without changes, except for those given. */
export function save(username: string, given: Partial<UserToSave> = {}): UserToSave {
  return { username, fields: {}, storesAdded: [], storesRemoved: [], ...given };
}

export async function timesOf({ under }: Subject, id: bigint | undefined): Promise<number[]> {
  const row = await under.db
    .selectFrom('user')
    .select(['created_at', 'updated_at'])
    .where('id', '=', id ?? 0n)
    .executeTakeFirstOrThrow();
  return [Number(row.created_at), Number(row.updated_at)];
}
