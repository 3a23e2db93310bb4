import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { DirectoryWriter, ListedUser, ListPosition, UserFilters, UserListRequest } from '../database.ts';
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

/** What each of these lists must show of a user. */
const shown: readonly (readonly [UserFilters, (user: ListedUser) => boolean])[] = [
  [{ status: 'disabled' }, ({ status }) => status === 'disabled'],
  [{ roleId: 1n }, ({ role }) => role?.id === 1n],
  [{ unbound: 'role' }, ({ role }) => role === undefined],
  [{ org: { id: 1n, includeChildren: true } }, ({ org }) => org?.id !== 5n],
  [{ department: 'D' }, ({ department }) => department === 'D'],
  [{ search: 'steady' }, ({ realName }) => realName === 'Steady'],
];

const listsOfEach = 40;

/** Tests that a page never shows a user as it was after it had ceased to match. */
export function testListsShowMatches(subject: Subject): void {
  test('lists show only users who match as they are shown, while another process changes them', async () => {
    const tenant = await newTenantWithTree(subject);
    const ids = await write(subject, tenant, (directory) => addMatching(directory, 12));
    let going = true;
    const changing = (async () => {
      for (let turn = 1; going; turn++) await turnUsers(subject, tenant, ids, turn);
    })();
    try {
      for (let count = 0; count < listsOfEach; count++) {
        for (const [filters, matches] of shown) {
          const page = await list(subject, tenant, { filters, order: 'id', limit: 50, after: undefined });
          assert.deepEqual(
            page.entries.filter((user) => !matches(user)),
            [],
            describe(filters),
          );
        }
      }
    } finally {
      going = false;
      await changing;
    }
  });
}

/** Makes all users match every list in one turn, and none in the next. */
async function turnUsers({ under, clock }: Subject, tenant: bigint, ids: readonly bigint[], turn: number) {
  const matches = turn % 2 === 0;
  await write({ under: { ...under, database: under.second }, clock }, tenant, async (directory) => {
    for (const id of ids) {
      await directory.users.setUserStatus(id, matches ? 'disabled' : 'active');
      await directory.updateUser(id, {
        department: matches ? 'D' : 'E',
        realName: matches ? 'Steady' : 'Other',
      });
      await directory.replaceUserOrg(id, matches ? 1n : 5n);
      if (matches) await directory.replaceUserRole(id, 1n);
      else await directory.deleteUserRole(id);
    }
  });
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
