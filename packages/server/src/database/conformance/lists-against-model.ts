import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { atScale } from '../../../../../scripts/testing/full-scale.ts';
import type { DirectoryWriter, ListedUser, UserFilters, UserListRequest } from '../database.ts';
import { describe, listAll, newTenantWithTree, newUsers, parents, storeCodes } from './listed-tenant.ts';
import { type Subject, write } from './subject.ts';

interface ModelUser {
  readonly foreign: boolean;
  readonly texts: readonly string[];
  readonly department: string;
  readonly role: bigint | undefined;
  readonly org: bigint | undefined;
  readonly stores: readonly string[];
  readonly disabled: boolean;
  readonly moment: number;
}

/** SQLite compares these as if they were the same character. */
const confused = ['\ufffd', '\ufffe', '\uffff'];

/** Pieces of names: letters with and without case, and everything that could be syntax. */
const pieces = [
  'Ann',
  'anna',
  'NN',
  'é',
  'ÉM',
  'ß',
  'ẞ',
  'k',
  '\u212a',
  'ǆ',
  'ǅ',
  'Я',
  'ю',
  'İ',
  'ı',
  'Σ',
  'ς',
  '张伟',
  '张',
  '🦜',
  ' ',
  '\n',
  '\u{e000}',
  ...confused,
  '"',
  "'",
  '*',
  '?',
  '[',
  ']',
  '^',
  '-',
  '%',
  '_',
  '\\',
  '(',
  '|',
  '.',
  '$',
  ' AND ',
  'NEAR(',
  ' OR ',
  'x:',
  '1',
  '12',
  '123',
  '0',
];

const anyText = fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map((parts) => parts.join(''));

const anyUser: fc.Arbitrary<ModelUser> = fc.record({
  foreign: fc.boolean(),
  texts: fc.tuple(anyText, anyText, anyText, anyText, anyText),
  department: fc.constantFrom('', 'North', 'South'),
  role: fc.constantFrom(undefined, 1n, 2n),
  org: fc.constantFrom(undefined, 1n, 2n, 3n, 4n, 5n),
  stores: fc.subarray(storeCodes),
  disabled: fc.boolean(),
  moment: fc.nat(3),
});

const anySearch = fc.oneof(
  anyText.filter((text) => text !== ''),
  fc.constantFrom(
    'ann',
    'ANNA',
    'nna',
    'ém',
    'я',
    '张',
    '张伟',
    'user',
    '-1',
    '"',
    '*',
    'σ',
    'i',
    'k',
    'ß',
    'Ǆ',
    'straßen',
    'kelvin',
  ),
);

/** Each filter occurs now and then, and most lists have some. */
const anyFilters = fc.record(
  {
    search: anySearch,
    roleId: fc.constantFrom(1n, 2n),
    org: fc.record({ id: fc.constantFrom(1n, 2n, 3n, 5n), includeChildren: fc.boolean() }),
    storeCode: fc.constantFrom(...storeCodes),
    department: fc.constantFrom('North', 'South'),
    unbound: fc.constantFrom('role' as const, 'org' as const, 'store' as const),
    status: fc.constantFrom('active' as const, 'disabled' as const),
    updatedSinceMs: fc.bigInt(0n, 4n),
  },
  { requiredKeys: [] },
);

function fewOf(filters: UserFilters, kept: readonly boolean[]): UserFilters {
  return Object.fromEntries(Object.entries(filters).filter((_, index) => kept[index % kept.length]));
}

export function testListsAgainstModel(subject: Subject): void {
  testConfusedCharacters(subject);
  test('the pages of any list together equal a plain filter over all users', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyUser, { maxLength: 30 }),
        fc.array(
          fc.tuple(
            anyFilters,
            fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
            fc.integer({ min: 1, max: 9 }),
          ),
          { minLength: 8, maxLength: 8 },
        ),
        async (users, lists) => {
          const [tenant, foreign] = [await newTenantWithTree(subject), await newTenantWithTree(subject)];
          const startMs = subject.clock.nowMs;
          const made = await makeUsers(subject, tenant, foreign, users);
          for (const [all, kept, limit] of lists) {
            const filters = fromStart(fewOf(all, kept), startMs);
            const counted = await subject.under.database.directory(tenant).lists.countListed(filters);
            const matching = made.filter((user) => passes(user, filters)).length;
            assert.deepEqual(counted, { count: matching, isMore: false }, describe(filters));
            for (const order of ['id', 'change'] as const) {
              const request = { filters, order, limit };
              const listed = await listAll(subject, tenant, request, filters.search === undefined);
              assert.deepEqual(listed.map(summaryOf), expectedOf(made, request), describe(request));
            }
          }
          subject.clock.nowMs = startMs;
        },
      ),
      { numRuns: atScale({ bounded: 12, full: 25 }) },
    );
  });
}

function testConfusedCharacters(subject: Subject): void {
  test('a search tells characters apart that an engine may take for one another', async () => {
    const tenant = await newTenantWithTree(subject);
    const texts = confused.flatMap((one) => [
      `Jos${one}`,
      `${one}1${one}`,
      ...confused.map((two) => one + two),
    ]);
    const made = await newUsers(subject, tenant, texts);
    for (const searched of [...texts, ...confused, ...confused.map((one) => `jOS${one}`)]) {
      const request = { filters: { search: searched }, order: 'id', limit: 3 } as const;
      const found = (await listAll(subject, tenant, request)).map(({ id }) => id);
      const expected = made.filter((_, index) => fold(texts[index] ?? '').includes(fold(searched)));
      assert.deepEqual(found, expected, JSON.stringify(searched));
    }
  });
}

function fromStart(filters: UserFilters, startMs: number): UserFilters {
  const { updatedSinceMs, ...others } = filters;
  return updatedSinceMs === undefined
    ? filters
    : { ...others, updatedSinceMs: updatedSinceMs + BigInt(startMs) };
}

interface MadeUser extends ModelUser {
  readonly id: bigint;
  readonly username: string;
  readonly updatedAtMs: bigint;
}

/** Creates the users of both tenants, each at its moment, and returns those of the first. */
async function makeUsers(
  subject: Subject,
  tenant: bigint,
  foreign: bigint,
  users: readonly ModelUser[],
): Promise<MadeUser[]> {
  const startMs = subject.clock.nowMs;
  const made: MadeUser[] = [];
  for (const moment of [0, 1, 2, 3]) {
    subject.clock.nowMs = startMs + moment;
    for (const tenantId of [tenant, foreign]) {
      const now = users.filter((user) => user.moment === moment && user.foreign === (tenantId === foreign));
      await write(subject, tenantId, async (directory) => {
        for (const user of now) {
          const one = await makeUser(directory, user, `user-${users.indexOf(user)}`);
          if (!user.foreign) made.push({ ...one, updatedAtMs: BigInt(subject.clock.nowMs) });
        }
      });
    }
  }
  return made;
}

async function makeUser(directory: DirectoryWriter, user: ModelUser, username: string) {
  const [realName = '', nickname = '', phone = '', email = '', uniqueCode = ''] = user.texts;
  const { department } = user;
  const fields = { realName, nickname, phone, email, uniqueCode, department };
  const id = (await directory.insertUser(username, fields)) ?? 0n;
  if (user.role !== undefined) await directory.replaceUserRole(id, user.role);
  if (user.org !== undefined) await directory.replaceUserOrg(id, user.org);
  await directory.replaceUserStores(id, user.stores);
  if (user.disabled) await directory.users.setUserStatus(id, 'disabled');
  return { ...user, id, username };
}

function summaryOf(user: ListedUser) {
  const { id, username, role, org, status, updatedAtMs } = user;
  return { id, username, role: role?.id, org: org?.id, status, updatedAtMs };
}

function expectedOf(users: readonly MadeUser[], { filters, order }: Omit<UserListRequest, 'after'>) {
  return users
    .filter((user) => passes(user, filters))
    .toSorted((a, b) =>
      Number(order === 'change' ? a.updatedAtMs - b.updatedAtMs || a.id - b.id : a.id - b.id),
    )
    .map(({ id, username, role, org, disabled, updatedAtMs }) => {
      return { id, username, role, org, status: disabled ? 'disabled' : 'active', updatedAtMs };
    });
}

function passes(user: MadeUser, filters: UserFilters): boolean {
  const { search, roleId, org, storeCode, department, unbound, status, updatedSinceMs } = filters;
  return [
    search === undefined || [user.username, ...user.texts].some((text) => fold(text).includes(fold(search))),
    roleId === undefined || user.role === roleId,
    org === undefined || (user.org !== undefined && isWithin(user.org, org)),
    storeCode === undefined || user.stores.includes(storeCode),
    department === undefined || user.department === department,
    unbound === undefined || { role: user.role, org: user.org, store: user.stores[0] }[unbound] === undefined,
    status === undefined || user.disabled === (status === 'disabled'),
    updatedSinceMs === undefined || user.updatedAtMs >= updatedSinceMs,
  ].every(Boolean);
}

function fold(text: string): string {
  const letters = [...text].map((letter) => {
    const lower = letter.toLowerCase();
    return [...lower].length === 1 ? lower : letter;
  });
  return letters.join('').replaceAll('ς', 'σ');
}

function isWithin(org: bigint, { id, includeChildren }: { id: bigint; includeChildren: boolean }): boolean {
  if (org === id) return true;
  const parent = parents.get(org) ?? null;
  return includeChildren && parent !== null && isWithin(parent, { id, includeChildren });
}
