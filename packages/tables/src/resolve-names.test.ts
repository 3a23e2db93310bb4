import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ColumnField,
  describeNames,
  NamesInFile,
  resolveNames,
  SheetNumber,
  UserRows,
} from './index.ts';
import type { Target } from './resolve-names.ts';

const fields: readonly ColumnField[] = ['username', 'role_id', 'org_id', 'role_name', 'org_name'];

const roles: readonly Target[] = [
  { id: 1n, name: 'Sales representative' },
  { id: 2n, name: 'Équipe' },
  { id: 3n, name: '2024' },
  { id: 4n, name: 'Auditor' },
  { id: 5n, name: 'auditor' },
];

const orgs: readonly Target[] = [
  { id: 1n, name: 'Company', parent_id: 0n },
  { id: 10n, name: 'North', parent_id: 1n },
  { id: 11n, name: 'Sales', parent_id: 10n },
  { id: 20n, name: 'Export', parent_id: 1n },
  { id: 21n, name: 'North', parent_id: 20n },
  { id: 22n, name: 'Sales/Marketing', parent_id: 20n },
  { id: 23n, name: 'Marketing', parent_id: 11n },
  { id: 9_223_372_036_854_775_807n, name: '北区', parent_id: 1n },
];

/** Resolves the rows of a file, each a role and an organization, and counts how often each list is read. */
async function resolve(cells: readonly (readonly unknown[])[], lists = { role_id: roles, org_id: orgs }) {
  const reads = { role_id: 0, org_id: 0 };
  const rows = cells.map((values, index) => ({
    line: index + 2,
    names: [],
    values: [`u${index}`, ...values],
  }));
  const given = new NamesInFile({ mayBeGuarded: true });
  for (const row of rows) given.add(row, fields);
  const listOf = (field: 'role_id' | 'org_id') => async () => {
    reads[field] += 1;
    return lists[field];
  };
  const names = await resolveNames(given, { role_id: listOf('role_id'), org_id: listOf('org_id') });
  const users = new UserRows({ storeSeparator: ';', clearEmpty: false, mayBeGuarded: true, names });
  const read = rows.map((row) => users.next(row, fields));
  return { read, reads, names };
}

async function roleOf(value: unknown) {
  const { read } = await resolve([[value, '']]);
  return read[0]?.entry?.role_id ?? read[0]?.problem;
}

async function orgOf(value: unknown) {
  const { read } = await resolve([['', value]]);
  return read[0]?.entry?.org_id ?? read[0]?.problem;
}

test('a name matches a role or an organization whatever its case, the spaces around it and its Unicode form', async () => {
  for (const name of ['Sales representative', ' SALES Representative\u00a0', "'\tSales representative"])
    assert.equal(await roleOf(name), 1n, name);
  assert.equal(await roleOf('e\u0301QUIPE'), 2n);
  assert.equal(await roleOf('E\u0301quipe'), 2n);
  assert.equal(await orgOf('export'), 20n);
  assert.equal(await orgOf('北区'), 9_223_372_036_854_775_807n);
  const no = 'no role is called "Equipe"; enter the name of a role, or its id';
  assert.equal(await roleOf('Equipe'), no, 'an accent makes a difference');
});

test('a whole number is always an id, even if a role has that name', async () => {
  for (const id of ['2024', ' 2024 ', 2024, 2024n, new SheetNumber('2024')])
    assert.equal(await roleOf(id), 2024n, String(id));
  const { reads } = await resolve([
    ['1', '-5'],
    ['', ' '],
  ]);
  assert.deepEqual(reads, { role_id: 0, org_id: 0 }, 'a file of ids reads no list');
});

test('a name may have full-width characters, other spaces and characters that nobody sees', async () => {
  for (const name of [
    'Ｓales　representative',
    'Sales\u00a0representative',
    '\ufeffSales  \u200brepresentative\u202c',
  ])
    assert.equal(await roleOf(name), 1n, JSON.stringify(name));
  const wide = [{ id: 6n, name: '销售（北区）' }];
  const { read } = await resolve([['销售(北区)', '公司']], {
    role_id: wide,
    org_id: [{ id: 1n, name: '公司' }],
  });
  assert.equal(read[0]?.entry?.role_id, 6n);
  assert.equal(await roleOf('２０２４'), 2024n, 'a full-width number is an id too');
  for (const path of ['Company／Export／North', 'Company＞Export＞North', 'Company\\Export\\North'])
    assert.equal(await orgOf(path), 21n, path);
});

test('beside an id, a name must be one of its own, and counts only where the id is empty', async () => {
  const { read, reads } = await resolve([
    ['1', '', 'sales Representative', ''],
    ['', '', 'Sales representative', 'Export / North'],
    ['4', '10', 'Auditor', 'North'],
    ['3', '20', '2024', 'What the branch calls it'],
    ['', '10', 'Nobody', ''],
    ['1', '', '2024', '7'],
    ['1', '', 'Auditor', ''],
    ['', '20', '', 'North'],
    ['1', '', '#N/A', ''],
    ['1', '', '', ''],
  ]);
  assert.deepEqual(reads, { role_id: 1, org_id: 1 });
  assert.deepEqual(
    read.map(({ entry, problem }) => problem ?? [entry?.role_id, entry?.org_id]),
    [
      [1n, undefined],
      [1n, 21n],
      [4n, 10n],
      [3n, 20n],
      'no role is called "Nobody"; enter the name of a role, or its id',
      [1n, 7n],
      'the id of the role is 1, but "Auditor" is the name of 4, 5; correct the id or the name, or leave one of them empty',
      'the id of the organization is 20, but "North" is the name of 10 (Company / North), 21 (Company / Export / North); correct the id or the name, or leave one of them empty',
      'role_name is the error #N/A; correct the formula in the spreadsheet, or enter the value itself',
      [1n, undefined],
    ],
  );
});

test('a name that no entry has, or several, fails its row alone, and says what to enter', async () => {
  const { read } = await resolve([
    ['Nobody', ''],
    ['AUDITOR', ''],
    ['', 'Nowhere'],
    ['', 'north'],
    ['Sales representative', 'Export'],
  ]);
  assert.deepEqual(
    read.map(({ problem }) => problem),
    [
      'no role is called "Nobody"; enter the name of a role, or its id',
      '2 roles are called "AUDITOR"; enter the id of one: 4, 5',
      'no organization is called "Nowhere"; enter the name of an organization, its path, such as Company / North, or its id',
      '2 organizations are called "north"; enter the id or the path of one: 10 (Company / North), 21 (Company / Export / North)',
      undefined,
    ],
  );
});

test('the end of a path distinguishes organizations with the same name, and a name may contain a separator', async () => {
  for (const [path, id] of [
    ['Company / North', 10n],
    ['company/north', 10n],
    ['Export › North', 21n],
    ['Company > Export > North', 21n],
    ['North / Sales / Marketing', 23n],
    ['Sales/Marketing', 22n],
    ['Export / Sales/Marketing', 22n],
  ] as const)
    assert.equal(await orgOf(path), id, path);
  for (const path of ['Company / Sales', 'North /', '/', 'orth / Sales'])
    assert.match(String(await orgOf(path)), /^no organization is called/, path);
});

test('a separator before a path says that it begins at the top, which tells a root from another of its name', async () => {
  const lists = { role_id: roles, org_id: [...orgs, { id: 30n, name: 'Export', parent_id: 0n }] };
  const idOf = async (value: string) => {
    const { read } = await resolve([['', value]], lists);
    return read[0]?.entry?.org_id ?? read[0]?.problem;
  };
  for (const root of ['/Export', '/ export', '> Export', '\\Export', '／Ｅxport', '› EXPORT'])
    assert.equal(await idOf(root), 30n, root);
  assert.equal(await idOf('/Company/Export'), 20n);
  assert.equal(await idOf('Company / Export'), 20n);
  assert.match(String(await idOf('/North')), /^no organization is called "\/North"/);
  assert.match(String(await idOf('Export')), /20 \(Company \/ Export\).*30 \(\/ Export\)/);
});

test('a problem lists at most ten of the matching entries, and shows only the beginning of a huge name', async () => {
  const many = Array.from({ length: 300 }, (_, index) => ({ id: index + 1, name: 'Team', parent_id: 0 }));
  const { read } = await resolve([['x'.repeat(3_000_000), 'Team']], { role_id: many, org_id: many });
  assert.match(read[0]?.problem ?? '', /^\(1\) no role is called "x{100}…"; .*; \(2\) 300 organizations /);
  const { read: several } = await resolve([['', 'Team']], { role_id: many, org_id: many });
  assert.match(several[0]?.problem ?? '', /^300 organizations .*, 10 \(\/ Team\) and 290 more$/);
});

test('a text that is too long to be a name is not kept, however many rows have one', async () => {
  const given = new NamesInFile({ mayBeGuarded: true });
  const add = (role: string, org: string) =>
    given.add({ line: 2, names: [], values: ['a', role, org] }, fields);
  add('x'.repeat(10_000), 'x'.repeat(10_000));
  add('/x'.repeat(1000), '／x'.repeat(1000));
  assert.deepEqual([...given.role_id, ...given.org_id], []);
  const longest = '\u{20000}'.repeat(255);
  const path = Array.from({ length: 64 }, () => longest).join(' / ');
  add(longest, path);
  assert.deepEqual([...given.role_id, ...given.org_id], [longest, path]);
});

test('each list is read once for any number of rows and names', async () => {
  const tree = Array.from({ length: 100_000 }, (_, index) => ({
    id: index + 1,
    name: index % 2 === 0 ? 'Team' : `Region ${index + 1}`,
    parent_id: index % 2 === 0 ? index + 2 : 0,
  }));
  const rows = Array.from({ length: 20_000 }, (_, index) => ['équipe', `Region ${2 * index + 2} / Team`]);
  const { read, reads } = await resolve(rows, { role_id: roles, org_id: tree });
  assert.deepEqual(reads, { role_id: 1, org_id: 1 });
  assert(read.every(({ entry }, index) => entry?.org_id === BigInt(2 * index + 1)));
});

test('organizations that are listed as each other’s parents do not keep a search from ending', async () => {
  const circle = [
    { id: 1, name: 'A', parent_id: 2 },
    { id: 2, name: 'B', parent_id: 1 },
  ];
  const { read } = await resolve([['', 'B / A']], { role_id: roles, org_id: circle });
  assert.equal(read[0]?.entry?.org_id, 1n);
});

test('a value that a spreadsheet has changed is reported as such, unless it is a name', async () => {
  assert.match(
    String(await roleOf('1E+18')),
    /^role_id is 1E\+18, a number that a spreadsheet has shortened/,
  );
  assert.match(String(await roleOf(new Date(0))), /^role_id is a date/);
  assert.match(String(await roleOf('#N/A')), /^role_id is the error #N\/A/);
  assert.match(String(await roleOf(['Auditor'])), /^role_id must be one whole number, not a list/);
});

test('the description of the names stays the same until one of them stands for something else', async () => {
  const rows = [
    ['Auditor', 'Export'],
    ['', 'South'],
  ];
  const first = describeNames((await resolve(rows)).names);
  const change = async (org_id: readonly Target[]) =>
    describeNames((await resolve(rows, { role_id: roles, org_id })).names);
  assert.equal(await change([...orgs, { id: 30, name: 'East', parent_id: 1 }]), first);
  assert.notEqual(await change([...orgs, { id: 30, name: 'South', parent_id: 1 }]), first);
  assert.notEqual(await change([...orgs, { id: 30, name: 'Export', parent_id: 1 }]), first);
  const without = orgs.filter(({ id }) => id !== 20n);
  assert.notEqual(await change(without), first);
  assert.notEqual(await change([...without, { id: 30, name: 'Export', parent_id: 1 }]), first);
});
