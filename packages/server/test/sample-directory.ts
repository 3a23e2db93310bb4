import type { Kysely } from 'kysely';
import type { Schema } from '../src/database/queries/schema.ts';

/** Roles, organizations and stores that only the sample's first tenant has, some with ids beyond 2^53. */
export const role = { id: 7n, text: '7' };
export const bigRole = { id: 9007199254740993n, text: '9007199254740993' };
export const org = { id: 1n, text: '1' };
export const bigOrg = { id: 9223372036854775807n, text: '9223372036854775807' };
export const storeCodes = ['S001', 'S002', 'S003'] as const;

/** Entries that only the other tenant has. */
export const foreign = { roleId: 800n, orgId: 900n, storeCode: 'X001' };

export const roleEntry = {
  id: 7,
  name: 'Sales representative',
  system_id: 3,
  order: 2,
  description: 'Visits stores',
  code: 'SR',
};

export const orgEntry = { id: 1, name: 'Head office', parent_id: 0 };

export function storeEntry(code: string) {
  return { code, name: `Store ${code}`, address: `${code} Main Street` };
}

export async function fillFirstTenant(db: Kysely<Schema>, tenant_id: bigint): Promise<void> {
  await db
    .insertInto('role')
    .values([
      {
        tenant_id,
        id: role.id,
        name: 'Sales representative',
        system_id: 3n,
        position: 2n,
        description: 'Visits stores',
        code: 'SR',
      },
      {
        tenant_id,
        id: bigRole.id,
        name: 'Manager',
        system_id: 9223372036854775807n,
        position: 0n,
        description: '',
        code: null,
      },
    ])
    .execute();
  await db
    .insertInto('org')
    .values([
      { tenant_id, id: org.id, name: 'Head office', parent_id: null },
      { tenant_id, id: bigOrg.id, name: 'North', parent_id: org.id },
    ])
    .execute();
  await fillStores(db, tenant_id, storeCodes);
}

export async function fillOtherTenant(db: Kysely<Schema>, tenant_id: bigint): Promise<void> {
  await db
    .insertInto('role')
    .values({
      tenant_id,
      id: foreign.roleId,
      name: 'Foreign role',
      system_id: 1n,
      position: 0n,
      description: '',
      code: null,
    })
    .execute();
  await db
    .insertInto('org')
    .values({ tenant_id, id: foreign.orgId, name: 'Foreign organization', parent_id: null })
    .execute();
  await fillStores(db, tenant_id, [foreign.storeCode]);
}

export async function fillStores(
  db: Kysely<Schema>,
  tenant_id: bigint,
  codes: readonly string[],
): Promise<void> {
  await db
    .insertInto('store')
    .values(codes.map((code) => ({ tenant_id, ...storeEntry(code) })))
    .execute();
}
