import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type {
  AuditFilters,
  DirectoryWriter,
  ListedUser,
  ListPlace,
  Page,
  UserFilters,
  UserListRequest,
} from './store.ts';
import type { StoreUnderTest } from './store-conformance.ts';
import { testUnboundLists } from './unbound-lists-conformance.ts';

interface Subject {
  readonly under: StoreUnderTest;
  readonly clock: { nowMs: number };
}

/** Organizations with their parents: 1 is above 2 and 4, 2 above 3, and 5 stands alone. */
const parents = new Map([
  [1n, null],
  [2n, 1n],
  [3n, 2n],
  [4n, 1n],
  [5n, null],
]);

const storeCodes = ['A', 'B', 'C'];

/** Tests the lists for one engine, as part of the tests that every engine passes. */
export function testLists(subject: Subject): void {
  testAgainstModel(subject);
  testOrgs(subject);
  testChanges(subject);
  testBounds(subject);
  testUnboundLists(subject);
  testAuditList(subject);
}

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

/** Pieces that names are made of: letters with a case, letters without, and all that could be syntax. */
const pieces = [
  ...[
    'Ann',
    'anna',
    'NN',
    'é',
    'ÉM',
    'ß',
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
  ],
  ...[
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
  ],
  ...['1', '12', '123', '0'],
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
  fc.constantFrom('ann', 'ANNA', 'nna', 'ém', 'я', '张', '张伟', 'user', '-1', '"', '*', 'σ', 'i'),
);

/** Each filter is given now and then, and most lists have some. */
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

function testAgainstModel(subject: Subject): void {
  test('the pages of any list, joined, are what a plain filter over all users leaves', async () => {
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
          const [tenant, foreign] = [await newTenant(subject), await newTenant(subject)];
          const startMs = subject.clock.nowMs;
          const made = await makeUsers(subject, tenant, foreign, users);
          for (const [all, kept, limit] of lists) {
            const filters = fromStart(fewOf(all, kept), startMs);
            for (const order of ['id', 'change'] as const) {
              const request = { filters, order, limit };
              const listed = await listAll(subject, tenant, request, filters.search === undefined);
              assert.deepEqual(listed.map(summaryOf), expectedOf(made, request), describe(request));
            }
          }
          subject.clock.nowMs = startMs;
        },
      ),
      { numRuns: 25 },
    );
  });
}

function describe(request: unknown): string {
  return JSON.stringify(request, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
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

/** Makes the users, moment by moment; those of the other tenant are not returned. */
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
  return letters.join('');
}

function isWithin(org: bigint, { id, includeChildren }: { id: bigint; includeChildren: boolean }): boolean {
  if (org === id) return true;
  const parent = parents.get(org) ?? null;
  return includeChildren && parent !== null && isWithin(parent, { id, includeChildren });
}

function testOrgs(subject: Subject): void {
  test('the users of a tree are listed by id, however unevenly they are spread over it', async () => {
    const tenant = await newTenant(subject);
    const ids = await newUsers(subject, tenant, Array(40).fill('Spread'));
    const orgOf = (index: number) => (index % 13 === 12 ? 2n : index % 7 === 6 ? 4n : 3n);
    await write(subject, tenant, async (directory) => {
      for (const [index, id] of ids.entries()) await directory.replaceUserOrg(id, orgOf(index));
    });
    for (const limit of [1, 5, 9, 12, 39, 40]) {
      const filters = { org: { id: 1n, includeChildren: true } };
      const found = await listAll(subject, tenant, { filters, order: 'id', limit }, true);
      assert.deepEqual(idsOf({ entries: found }), ids, `limit ${limit}`);
    }
  });
}

function testChanges(subject: Subject): void {
  test('a search finds what a user is called now, and nobody who is gone', async () => {
    const tenant = await newTenant(subject);
    const [kept, renamed, removed] = await newUsers(subject, tenant, [
      'Kim Before',
      'Lee Before',
      'Max Before',
    ]);
    assert.deepEqual(await search(subject, tenant, 'before'), [kept, renamed, removed]);
    await write(subject, tenant, async (directory) => {
      await directory.updateUser(renamed ?? 0n, { realName: 'Lee After' });
      await directory.users.deleteUser(removed ?? 0n);
      await directory.replaceUserRole(kept ?? 0n, 1n);
    });
    assert.deepEqual(await search(subject, tenant, 'before'), [kept]);
    assert.deepEqual(await search(subject, tenant, 'after'), [renamed]);
    assert.deepEqual(await search(subject, tenant, 'max'), []);
  });

  test('a change of any field that is searched is found at once', async () => {
    const tenant = await newTenant(subject);
    const [id = 0n] = await newUsers(subject, tenant, ['Unchanged']);
    for (const field of ['realName', 'nickname', 'phone', 'email', 'uniqueCode'] as const) {
      const text = `new ${field} 张伟明`;
      await write(subject, tenant, (directory) => directory.updateUser(id, { [field]: text }));
      assert.deepEqual(await search(subject, tenant, text), [id], field);
    }
  });

  test('a change that is rolled back changes no search', async () => {
    const tenant = await newTenant(subject);
    const [id] = await newUsers(subject, tenant, ['Kim Before']);
    const undone = write(subject, tenant, async (directory) => {
      await directory.updateUser(id ?? 0n, { realName: 'Kim After' });
      throw new RangeError('on purpose');
    });
    await assert.rejects(undone, RangeError);
    assert.deepEqual(await search(subject, tenant, 'before'), [id]);
    assert.deepEqual(await search(subject, tenant, 'after'), []);
  });

  test('who is there from the first page to the last is listed once, whatever else changes', async () => {
    const tenant = await newTenant(subject);
    const names = Array.from({ length: 12 }, (_, index) => `Steady ${index}`);
    const ids = await newUsers(subject, tenant, names);
    const gone = new Set([ids[3], ids[8]]);
    const seen: bigint[] = [];
    let after: ListPlace | undefined;
    for (let page = 0; page === 0 || after !== undefined; page++) {
      const listed = await list(subject, tenant, {
        filters: { search: 'steady' },
        order: 'id',
        limit: 2,
        after,
      });
      seen.push(...listed.entries.map(({ id }) => id));
      after = listed.next;
      await write(subject, tenant, async (directory) => {
        if (page === 0) for (const id of gone) await directory.users.deleteUser(id ?? 0n);
        await directory.updateUser(ids[0] ?? 0n, { nickname: `N${page}` });
        if (page < 3) await directory.insertUser(`new-${page}`, { realName: 'Newcomer' });
      });
    }
    assert.deepEqual(
      seen,
      ids.filter((id) => !gone.has(id)),
    );
  });

  test('an entry has everything that one user has, and its times', async () => {
    const tenant = await newTenant(subject);
    const [id = 0n] = await newUsers(subject, tenant, ['Complete']);
    const createdAtMs = BigInt(subject.clock.nowMs);
    subject.clock.nowMs += 5;
    await write(subject, tenant, async (directory) => {
      await directory.replaceUserRole(id, 2n);
      await directory.replaceUserOrg(id, 3n);
    });
    const [entry] = await listAll(subject, tenant, { filters: {}, order: 'id', limit: 10 });
    const user = await subject.under.store.directory(tenant).findUser({ id });
    assert.deepEqual(entry, { ...user, createdAtMs, updatedAtMs: createdAtMs + 5n });
  });
}

function testBounds(subject: Subject): void {
  const count = 20_500;

  test('a list that few pass looks at so many users at once, says where to go on, and finds them all', async () => {
    const tenant = await newTenant(subject);
    const [early] = await newUsers(subject, tenant, ['the first of those planted']);
    const last = await plantUsers(subject, tenant, farFrom(tenant), count);
    const filters = { unbound: 'org', updatedSinceMs: 1n } as const;
    const request = { filters, order: 'id', limit: 3 } as const;
    const first = await list(subject, tenant, { ...request, after: undefined });
    assert.deepEqual(idsOf(first), [early]);
    assert(first.next !== undefined && first.next.id < last);
    const rest = await list(subject, tenant, { ...request, after: first.next });
    assert.deepEqual(idsOf(rest), [last]);
    assert.equal(rest.next, undefined);
    for (const search of ['z', 'zz', 'of those planted', 'planted', 'e']) {
      const found = await listAll(subject, tenant, { ...request, filters: { ...filters, search } });
      const expected = search.startsWith('z') ? [] : search.startsWith('of') ? [early] : [early, last];
      assert.deepEqual(idsOf({ entries: found }), expected, search);
    }
  });

  test('those bound to nothing are found at once among many that are bound', async () => {
    const tenant = await newTenant(subject);
    const [early = 0n] = await newUsers(subject, tenant, ['early']);
    const last = await plantUsers(subject, tenant, farFrom(tenant), count);
    const request = { filters: { unbound: 'role' }, order: 'id', limit: 3, after: undefined } as const;
    const found = await list(subject, tenant, request);
    assert.deepEqual([idsOf(found), found.next], [[early, last], undefined]);
  });

  test('a search looks at nobody of another tenant, so that it ends at once where its own users do', async () => {
    const [tenant, foreign] = [await newTenant(subject), await newTenant(subject)];
    const start = farFrom(tenant);
    const before = await plantUsers(subject, tenant, start, 1);
    await plantUsers(subject, foreign, start + 1n, count);
    const behind = await plantUsers(subject, tenant, start + 50_000n, 1);
    const request = { filters: { search: 'planted' }, order: 'id', limit: 3, after: undefined } as const;
    const found = await list(subject, tenant, request);
    assert.deepEqual(idsOf(found), [before, behind]);
    assert.equal(found.next, undefined);
  });
}

/** Ids that no user is given meanwhile, so far away that a search has to hurry there. */
function farFrom(tenantId: bigint): bigint {
  return 5_000_000_000n + tenantId * 100_000n;
}

function idsOf({ entries }: Pick<Page<ListedUser>, 'entries'>): bigint[] {
  return entries.map(({ id }) => id);
}

/** Plants users beside the store, all but the last with a role and never changed; returns the id of the last one. */
async function plantUsers(
  { under }: Subject,
  tenant_id: bigint,
  first: bigint,
  count: number,
): Promise<bigint> {
  const unset = {
    nickname: '',
    email: '',
    phone: '',
    department: '',
    avatar: '',
    unique_code: '',
    ext_info: '',
  };
  const rest = { gender: 0n, password_hash: null, revision: 1n, created_at: 0n };
  const without = { without_org: 1n, without_store: 1n };
  for (let start = 0; start < count; start += 500) {
    const rows = Array.from({ length: Math.min(500, count - start) }, (_, index) => {
      const id = first + BigInt(start + index);
      const isLast = start + index === count - 1;
      const real_name = isLast ? 'the last planted' : 'planted';
      const without_role = isLast ? 1n : 0n;
      const updated_at = isLast ? 1n : 0n;
      const own = {
        tenant_id,
        id,
        username: `p${id}`,
        real_name,
        updated_at,
        status: 'active' as const,
        without_role,
      };
      return { ...unset, ...rest, ...without, ...own };
    });
    await under.db.insertInto('user').values(rows).execute();
    const bindings = rows.map(({ id }) => ({ tenant_id, user_id: id, role_id: 1n }));
    await under.db.insertInto('user_role').values(bindings).execute();
  }
  const last = first + BigInt(count - 1);
  await under.db.deleteFrom('user_role').where('user_id', '=', last).execute();
  return last;
}

function testAuditList(subject: Subject): void {
  test('audit rows are listed newest first, by every filter, page by page, and never another tenant’s', async () => {
    const [tenant, foreign] = [await newTenant(subject), await newTenant(subject)];
    const startMs = subject.clock.nowMs;
    for (let index = 0; index < 24; index++) {
      subject.clock.nowMs = startMs + Math.floor(index / 3);
      await record(subject, index % 5 === 0 ? foreign : tenant, index);
    }
    const listed = (filters: AuditFilters, limit: number) => listAudit(subject, tenant, filters, limit);
    const all = await listed({}, 100);
    assert.deepEqual(
      all.map(({ changes }) => changes),
      mine().map((index) => ({ index })),
    );
    for (const limit of [1, 2, 5, 19]) assert.deepEqual(await listed({}, limit), all);
    const at = (moment: number) => BigInt(startMs + moment);
    const cases: readonly (readonly [AuditFilters, (index: number) => boolean])[] = [
      [{ userId: 1n }, (index) => index % 3 === 1],
      [{ appId: 'app-1' }, (index) => index % 2 === 1],
      [{ operation: 'operation-2' }, (index) => index % 4 === 2],
      [{ sinceMs: at(3) }, (index) => Math.floor(index / 3) >= 3],
      [{ untilMs: at(3) }, (index) => Math.floor(index / 3) < 3],
      [
        { userId: 1n, appId: 'app-1', sinceMs: at(1), untilMs: at(6) },
        (index) => index % 6 === 1 && index >= 3 && index < 18,
      ],
      [{ appId: 'nobody' }, () => false],
    ];
    for (const [filters, passes] of cases) {
      const expected = mine()
        .filter(passes)
        .map((index) => ({ index }));
      for (const limit of [1, 4])
        assert.deepEqual(
          (await listed(filters, limit)).map(({ changes }) => changes),
          expected,
        );
    }
    subject.clock.nowMs = startMs;
  });
}

/** The numbers of the rows of the first tenant, newest first. */
function mine(): number[] {
  return Array.from({ length: 24 }, (_, index) => 23 - index).filter((index) => index % 5 !== 0);
}

function record({ under }: Subject, tenantId: bigint, index: number): Promise<void> {
  return under.store.write(tenantId, undefined, async () => ({
    result: undefined,
    audit: {
      appId: `app-${index % 2}`,
      operation: `operation-${index % 4}`,
      userId: BigInt(index % 3),
      changes: { index },
    },
  }));
}

async function listAudit({ under }: Subject, tenantId: bigint, filters: AuditFilters, limit: number) {
  const { lists } = under.store.directory(tenantId);
  const entries = await joinPages(limit, (after) => lists.listAuditEvents({ filters, limit, after }), true);
  // That the tenant was made is a row as well.
  return entries.filter(({ appId }) => appId !== undefined);
}

function list({ under }: Subject, tenantId: bigint, request: UserListRequest): Promise<Page<ListedUser>> {
  return under.store.directory(tenantId).lists.listUsers(request);
}

function listAll(
  subject: Subject,
  tenantId: bigint,
  request: Omit<UserListRequest, 'after'>,
  full = false,
): Promise<ListedUser[]> {
  const read = (after: ListPlace | undefined) => list(subject, tenantId, { ...request, after });
  return joinPages(request.limit, read, full);
}

/**
 * Reads to the end, and holds every page to its promises.
 *
 * @param full whether few enough are looked at that no page but the last one has a reason to be short
 */
async function joinPages<Entry>(
  limit: number,
  read: (after: ListPlace | undefined) => Promise<Page<Entry>>,
  full: boolean,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let after: ListPlace | undefined;
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

async function search(subject: Subject, tenantId: bigint, text: string): Promise<bigint[]> {
  const users = await listAll(subject, tenantId, { filters: { search: text }, order: 'id', limit: 2 });
  return users.map(({ id }) => id);
}

async function newUsers(subject: Subject, tenantId: bigint, names: readonly string[]): Promise<bigint[]> {
  return write(subject, tenantId, async (directory) => {
    const ids: bigint[] = [];
    for (const realName of names) ids.push((await directory.insertUser(randomUUID(), { realName })) ?? 0n);
    return ids;
  });
}

async function newTenant({ under }: Subject): Promise<bigint> {
  const tenant_id = (await under.store.applications.insertTenant(randomUUID()))?.id ?? 0n;
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

function write<T>(
  { under }: Subject,
  tenantId: bigint,
  work: (directory: DirectoryWriter) => Promise<T>,
): Promise<T> {
  return under.store.write(tenantId, undefined, async (directory) => ({
    result: await work(directory),
    audit: { operation: 'test', changes: {} },
  }));
}
