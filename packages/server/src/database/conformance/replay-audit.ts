import assert from 'node:assert/strict';
import type { Subject } from './subject.ts';

/** A user, as the tables or its audit rows describe it. */
export interface ReplayedUser {
  readonly username: string;
  phone: string;
  status: string;
  role: number | null;
  org: number | null;
  stores: ReadonlySet<string>;
  revision: bigint;
}

interface FromTo<Value> {
  readonly from?: Value;
  readonly to?: Value;
}

interface AuditedChanges {
  readonly username?: FromTo<string>;
  readonly phone?: FromTo<string>;
  readonly status?: FromTo<string>;
  readonly role_id?: FromTo<number | null>;
  readonly org_id?: FromTo<number | null>;
  readonly stores?: { readonly added?: readonly string[]; readonly removed?: readonly string[] };
}

interface AuditRow {
  readonly operation: string;
  readonly user_id: bigint;
  readonly changes: string;
}

/**
 * Applies the audit rows in their order, and asserts that each says what was true before it.
 *
 * @returns the users that must exist, by id
 */
export function replayAudit(rows: readonly AuditRow[]): Map<bigint, ReplayedUser> {
  const users = new Map<bigint, ReplayedUser>();
  // The values of an erased user are gone from its rows.
  const erased = new Set(
    rows.filter(({ operation }) => operation === 'user erase').map((row) => row.user_id),
  );
  for (const { operation, user_id: id, changes: text } of rows) {
    if (erased.has(id)) continue;
    const changes = JSON.parse(text) as AuditedChanges;
    const user = users.get(id);
    if (changes.username?.to !== undefined) {
      assert.equal(user, undefined, `user ${id} is created once`);
      users.set(id, createdUser(changes.username.to, changes, operation));
      continue;
    }
    assert(user !== undefined, `user ${id} exists when ${operation} changes it: ${text}`);
    if (changes.username !== undefined) {
      assertRemoved(user, changes);
      users.delete(id);
    } else {
      apply(user, changes);
      user.revision += revisionsOf(changes, operation);
    }
  }
  return users;
}

function createdUser(username: string, changes: AuditedChanges, operation: string): ReplayedUser {
  const user = { username, phone: '', status: 'active', role: null, org: null, stores: new Set<string>() };
  const created: ReplayedUser = { ...user, revision: 1n };
  const { username: _, ...others } = changes;
  apply(created, others);
  // This operation creates the user first, and then binds it.
  if (operation === 'batch-update-user-stores' && hasStores(changes)) created.revision += 1n;
  return created;
}

function apply(user: ReplayedUser, { phone, status, role_id, org_id, stores }: AuditedChanges): void {
  const before = { phone: user.phone, status: user.status, role: user.role, org: user.org };
  const said = {
    phone: phone?.from ?? user.phone,
    status: status?.from ?? user.status,
    role: role_id === undefined ? user.role : role_id.from,
    org: org_id === undefined ? user.org : org_id.from,
  };
  assert.deepEqual(said, before, `what ${user.username} was before`);
  user.phone = phone?.to ?? user.phone;
  user.status = status?.to ?? user.status;
  if (role_id !== undefined) user.role = role_id.to ?? null;
  if (org_id !== undefined) user.org = org_id.to ?? null;
  assert(stores === undefined || hasStores({ stores }), 'a row names stores only if they changed');
  const { added = [], removed = [] } = stores ?? {};
  assert.deepEqual([...user.stores.intersection(new Set(added))], [], 'only unbound stores are bound');
  assert.deepEqual([...new Set(removed).difference(user.stores)], [], 'only bound stores are unbound');
  user.stores = user.stores.difference(new Set(removed)).union(new Set(added));
}

function assertRemoved(user: ReplayedUser, { status, phone, role_id, org_id, stores }: AuditedChanges): void {
  const said = {
    username: user.username,
    phone: phone?.from ?? '',
    status: status?.from ?? '',
    role: role_id?.from ?? null,
    org: org_id?.from ?? null,
    stores: new Set(stores?.removed),
    revision: user.revision,
  };
  assert.deepEqual(said, user, 'what the removed user was');
}

/** Returns by how much a change raises the revision: by one for each statement that changes the user. */
function revisionsOf(changes: AuditedChanges, operation: string): bigint {
  const { phone, status, role_id, org_id } = changes;
  const stores = hasStores(changes);
  if (operation === 'batch-update-user-stores') return count(phone !== undefined, stores);
  if (operation !== 'change-users') return count(Object.keys(changes).length > 0);
  const lost = [role_id, org_id].map((change) => change !== undefined && change.to === null);
  const saved = [role_id, org_id].some((change) => typeof change?.to === 'number') || stores;
  return count(...lost, status !== undefined, saved);
}

function count(...happened: readonly boolean[]): bigint {
  return BigInt(happened.filter(Boolean).length);
}

function hasStores({ stores }: AuditedChanges): boolean {
  return (stores?.added?.length ?? 0) + (stores?.removed?.length ?? 0) > 0;
}

/** Reads the tenant's users as the tables have them, and asserts that each row says what it is not bound to. */
export async function readUsers({ under: { db } }: Subject, tenantId: bigint) {
  const rows = await db.selectFrom('user').selectAll().where('tenant_id', '=', tenantId).execute();
  const roles = await db.selectFrom('user_role').selectAll().where('tenant_id', '=', tenantId).execute();
  const orgs = await db.selectFrom('user_org').selectAll().where('tenant_id', '=', tenantId).execute();
  const stores = await db.selectFrom('user_store').selectAll().where('tenant_id', '=', tenantId).execute();
  const users = new Map<bigint, ReplayedUser>();
  for (const row of rows) {
    const user = {
      username: row.username,
      phone: row.phone ?? '',
      status: row.status,
      role: numberOf(roles.find(({ user_id }) => user_id === row.id)?.role_id),
      org: numberOf(orgs.find(({ user_id }) => user_id === row.id)?.org_id),
      stores: new Set(stores.filter(({ user_id }) => user_id === row.id).map((bound) => bound.store_code)),
      revision: row.revision,
    };
    users.set(row.id, user);
    assert.deepEqual(
      [row.without_role, row.without_org, row.without_store],
      [user.role === null, user.org === null, user.stores.size === 0].map((without) => (without ? 1n : 0n)),
      `what ${row.username} is not bound to`,
    );
  }
  for (const { user_id } of [...roles, ...orgs, ...stores]) assert(users.has(user_id), 'its user exists');
  return users;
}

function numberOf(id: bigint | undefined): number | null {
  return id === undefined ? null : Number(id);
}
