import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { DirectoryWriter, ListPosition, UserFilters, UserListRequest } from '../database.ts';
import { describe, list, newTenantWithTree } from './listed-tenant.ts';
import { type Subject, write } from './subject.ts';

/** Lists of users who match all of these, but for the store, to which nobody is bound. */
const requests: readonly (readonly [UserFilters, UserListRequest['order']])[] = [
  [{}, 'id'],
  [{ search: 'steady' }, 'id'],
  [{ search: 'ea', org: { id: 1n, includeChildren: true } }, 'id'],
  [{ org: { id: 1n, includeChildren: true } }, 'id'],
  [{ roleId: 1n }, 'id'],
  [{ department: 'D' }, 'id'],
  [{ unbound: 'store' }, 'id'],
  [{ status: 'active', roleId: 1n, department: 'D' }, 'id'],
  [{ updatedSinceMs: 0n }, 'change'],
  [{ updatedSinceMs: 0n, unbound: 'store' }, 'change'],
];

/** Tests that lists lose and repeat nobody while other writes happen between their pages. */
export function testListsDuringChanges(subject: Subject): void {
  for (const [filters, order] of requests) {
    test(`users who match ${describe(filters)} throughout are listed once by ${order}, whatever others do between the pages`, async () => {
      const tenant = await newTenantWithTree(subject);
      const stay = await write(subject, tenant, (directory) => addMatching(directory, 24));
      const seen: bigint[] = [];
      let after: ListPosition | undefined;
      for (let page = 0; page === 0 || after !== undefined; page++) {
        assert(page < 100, 'the list ends');
        const found = await list(subject, tenant, { filters, order, limit: 3, after });
        seen.push(...found.entries.map(({ id }) => id));
        after = found.next;
        subject.clock.nowMs += 1;
        await write(subject, tenant, (directory) => change(directory, stay, { seen, page, order }));
      }
      const once = new Map(stay.map((id) => [id, seen.filter((other) => other === id).length]));
      assert.deepEqual(
        [...once.values()],
        stay.map(() => 1),
      );
      if (order === 'id')
        assert.deepEqual(
          seen,
          [...new Set(seen)].toSorted((a, b) => (a < b ? -1 : 1)),
        );
    });
  }
}

interface Progress {
  readonly seen: readonly bigint[];
  readonly page: number;
  readonly order: UserListRequest['order'];
}

/** Removes the user at the cursor and one that is still to come, adds others, and changes some without a difference. */
async function change(directory: DirectoryWriter, stay: bigint[], { seen, page, order }: Progress) {
  const last = seen.at(-1) ?? 0n;
  const gone = [last, stay[stay.indexOf(last) + 2] ?? 0n].filter((id) => stay.includes(id));
  for (const id of page < 3 ? gone : []) {
    await directory.users.deleteUser(id);
    stay.splice(stay.indexOf(id), 1);
  }
  if (page < 6) await addMatching(directory, 2);
  if (order === 'change') return;
  for (const [index, id] of stay.entries()) {
    if (index % 5 !== page % 5) continue;
    await directory.updateUser(id, { nickname: `N${page}`, realName: `Steady of page ${page}` });
    await directory.replaceUserOrg(id, [1n, 2n, 3n, 4n][(index + page) % 4] ?? 1n);
  }
}

async function addMatching(directory: DirectoryWriter, count: number): Promise<bigint[]> {
  const ids: bigint[] = [];
  for (let index = 0; index < count; index++) {
    const fields = { realName: 'Steady', department: 'D' };
    const id = (await directory.insertUser(randomUUID(), fields)) ?? 0n;
    await directory.replaceUserRole(id, 1n);
    await directory.replaceUserOrg(id, [1n, 3n, 4n][index % 3] ?? 1n);
    ids.push(id);
  }
  return ids;
}
