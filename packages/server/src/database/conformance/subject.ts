import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type {
  AcceptanceClaim,
  AuditEvent,
  Database,
  DirectoryReader,
  DirectoryWriter,
  StoreRecord,
  UserProfile,
} from '../database.ts';
import type { Schema } from '../queries/schema.ts';
import { emptyValue, userFieldList } from '../user-columns.ts';

/** An empty database, with the access to its tables that the tests need. */
export interface DatabaseUnderTest {
  readonly database: Database;
  /** The same database, opened as by a second process. */
  readonly second: Database;
  /** A separate connection, to insert rows and to see what was written. */
  readonly db: Kysely<Schema>;
  /** A separate connection to the bookkeeping. */
  readonly bookkeeping: Kysely<Schema>;
  /** Closes everything that was opened, and deletes the database. */
  close(): Promise<void>;
}

/** The object of the database tests; each test uses its own tenant. */
export interface Subject {
  readonly under: DatabaseUnderTest;
  readonly clock: { nowMs: number };
}

export const int64Max = 9223372036854775807n;
export const int64Min = -9223372036854775808n;

/** A value for every field of a user, with characters of several scripts. */
export const everyField = profileOf((field) =>
  field.type === 'text' ? `${field.property} 张 "伟"\\ 🦜\n` : 2,
);

export const noField = profileOf(emptyValue);

function profileOf(choose: (field: (typeof userFieldList)[number]) => string | number): UserProfile {
  const entries = userFieldList.map((field) => [field.property, choose(field)]);
  return Object.fromEntries(entries) as unknown as UserProfile;
}

/** The fields of a new user that the database sets. */
export const asInserted = { status: 'active', revision: 1n } as const;

export async function newTenant({ under }: Subject): Promise<bigint> {
  const tenant = await under.database.tenants.insertTenant(randomUUID());
  assert(tenant !== undefined);
  return tenant.id;
}

/** Creates a tenant with two roles, two organizations and the stores A to E. */
export async function newFilledTenant(subject: Subject): Promise<bigint> {
  const tenant_id = await newTenant(subject);
  const { db } = subject.under;
  await db
    .insertInto('role')
    .values([
      { tenant_id, id: 1n, name: 'R1', system_id: 9n, position: 3n, description: 'first', code: 'C1' },
      { tenant_id, id: 2n, name: 'R2', system_id: 0n, position: 0n, description: '', code: null },
    ])
    .execute();
  await db
    .insertInto('org')
    .values([
      { tenant_id, id: 1n, name: 'O1', parent_id: null },
      { tenant_id, id: 2n, name: 'O2', parent_id: 1n },
    ])
    .execute();
  await db
    .insertInto('store')
    .values(storeCodes.map((code) => ({ tenant_id, code, name: `Store ${code}`, address: `At ${code}` })))
    .execute();
  return tenant_id;
}

export const storeCodes = ['A', 'B', 'C', 'D', 'E'];

export const audit: AuditEvent = { operation: 'test', changes: {} };

/** Writes with a generic audit row. */
export function writeTo<T>(
  database: Database,
  tenantId: bigint,
  work: (directory: DirectoryWriter) => Promise<T>,
  claim?: AcceptanceClaim,
): Promise<T> {
  return database.write(tenantId, claim, async (directory) => ({ result: await work(directory), audit }));
}

/** Writes to the database under test. */
export function write<T>(
  { under }: Subject,
  tenantId: bigint,
  work: (directory: DirectoryWriter) => Promise<T>,
  claim?: AcceptanceClaim,
): Promise<T> {
  return writeTo(under.database, tenantId, work, claim);
}

export async function newUser(
  subject: Subject,
  tenantId: bigint,
  username: string = randomUUID(),
): Promise<bigint> {
  const id = await write(subject, tenantId, (directory) => directory.insertUser(username, {}));
  assert(id !== undefined);
  return id;
}

export function newClaim({ clock }: Subject): AcceptanceClaim {
  const expiresAtSeconds = Math.floor(clock.nowMs / 1000) + 60;
  return { signature: randomBytes(32), requestId: randomUUID(), expiresAtSeconds };
}

/** Returns the stores of a user by code, however many they are. */
export async function listStoresOfUser(reader: DirectoryReader, userId: bigint): Promise<StoreRecord[]> {
  const few = await reader.listFewStoresOfUser(userId);
  return few ?? listStoresInSlices(reader, userId);
}

/** Reads the stores of a user as those of a user with very many are read. */
export async function listStoresInSlices(reader: DirectoryReader, userId: bigint): Promise<StoreRecord[]> {
  const stores: StoreRecord[] = [];
  const { slices } = await reader.openStoresOfUser(userId);
  for await (const slice of slices) stores.push(...slice);
  return stores;
}

/** Returns a user with all its bindings. */
export async function wholeUser({ under }: Subject, tenantId: bigint, id: bigint): Promise<unknown> {
  const directory = under.database.directory(tenantId);
  return [await directory.findUser({ id }), await listStoresOfUser(directory, id)];
}

/** Returns the tenant's audit rows, oldest first. */
export async function auditRows({ under }: Subject, tenantId: bigint) {
  return under.db
    .selectFrom('audit_event')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .execute();
}

/** Thrown by work that must be rolled back. */
export class Refusal extends Error {}
