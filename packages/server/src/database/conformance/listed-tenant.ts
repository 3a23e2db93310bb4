import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ListedUser, ListPosition, Page, UserListRequest } from '../database.ts';
import { type Subject, write } from './subject.ts';

/** Organizations with their parents: 1 is above 2 and 4, 2 is above 3, and 5 stands alone. */
export const parents = new Map([
  [1n, null],
  [2n, 1n],
  [3n, 2n],
  [4n, 1n],
  [5n, null],
]);

export const storeCodes = ['A', 'B', 'C'];

export function list(
  { under }: Subject,
  tenantId: bigint,
  request: UserListRequest,
): Promise<Page<ListedUser>> {
  return under.database.directory(tenantId).lists.listUsers(request);
}

export function listAll(
  subject: Subject,
  tenantId: bigint,
  request: Omit<UserListRequest, 'after'>,
  full = false,
): Promise<ListedUser[]> {
  const read = (after: ListPosition | undefined) => list(subject, tenantId, { ...request, after });
  return joinPages(request.limit, read, full);
}

/**
 * Reads a list to its end, checking the limits of every page.
 *
 * @param full whether so few rows are examined that only the last page may be short
 */
export async function joinPages<Entry>(
  limit: number,
  read: (after: ListPosition | undefined) => Promise<Page<Entry>>,
  full: boolean,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let after: ListPosition | undefined;
  do {
    const page = await read(after);
    assert(page.entries.length <= limit);
    assert(!full || page.next === undefined || page.entries.length === limit, 'the page is full');
    assert(page.next === undefined || describe(page.next) !== describe(after), 'every page goes on');
    entries.push(...page.entries);
    after = page.next;
  } while (after !== undefined);
  return entries;
}

export function describe(request: unknown): string {
  return JSON.stringify(request, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
}

export async function newUsers(
  subject: Subject,
  tenantId: bigint,
  names: readonly string[],
): Promise<bigint[]> {
  return write(subject, tenantId, async (directory) => {
    const ids: bigint[] = [];
    for (const realName of names) ids.push((await directory.insertUser(randomUUID(), { realName })) ?? 0n);
    return ids;
  });
}

export async function newTenantWithTree({ under }: Subject): Promise<bigint> {
  const tenant_id = (await under.database.tenants.insertTenant(randomUUID()))?.id ?? 0n;
  const role = { tenant_id, name: '', system_id: 0n, position: 0n, description: '', code: null };
  await under.db
    .insertInto('role')
    .values([1n, 2n].map((id) => ({ ...role, id })))
    .execute();
  const orgs = [...parents].map(([id, parent_id]) => ({ tenant_id, id, parent_id, name: '' }));
  await under.db.insertInto('org').values(orgs).execute();
  const stores = storeCodes.map((code) => ({ tenant_id, code, name: '', address: '' }));
  await under.db.insertInto('store').values(stores).execute();
  return tenant_id;
}
