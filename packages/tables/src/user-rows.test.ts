import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits, operations } from '@fieldroster/contract';
import { charactersMax, SheetNumber, type SourceRow, UserRows, userFields } from './index.ts';

interface Schema {
  readonly maxLength?: number;
}

const read = (values: readonly unknown[], fields: Parameters<UserRows['next']>[1]) => {
  const users = new UserRows({ storeSeparator: ';', clearEmpty: false, mayBeGuarded: true });
  return users.next({ line: 2, names: [], values } satisfies SourceRow, fields);
};

test('a value fails its row at the limit that the interface has for it', () => {
  const { users } = operations.batchUsers.body.properties;
  const { properties } = (users as unknown as { items: { properties: Record<string, Schema> } }).items;
  for (const field of userFields) {
    const { maxLength } = properties[field] ?? {};
    assert.equal(charactersMax[field], maxLength, field);
    if (maxLength === undefined) continue;
    const fields = field === 'username' ? [field] : (['username', field] as const);
    const row = (length: number) =>
      read([...(fields.length > 1 ? ['ada'] : []), '😀'.repeat(length)], fields);
    assert.equal(row(maxLength).problem, undefined, field);
    const { problem } = row(maxLength + 1);
    assert.equal(problem, `${field} must be at most ${maxLength} characters; it has ${maxLength + 1}`);
  }
});

test('a file can set every field of a user that the interface has', () => {
  const { users } = operations.batchUsers.body.properties;
  const { properties } = (users as unknown as { items: { properties: Record<string, Schema> } }).items;
  assert.deepEqual([...userFields].toSorted(), Object.keys(properties).toSorted());
  const profile = Object.keys(operations.updateUser.body.properties);
  const notOfFiles = ['id', 'user_id', 'if_revision'];
  const missing = new Set(profile).difference(new Set<string>([...userFields, ...notOfFiles]));
  assert.deepEqual([...missing], []);
});

test('a gender is a number of the interface or its word, and nothing else', () => {
  const genderOf = (value: unknown) => read(['ada', value], ['username', 'gender']);
  const cells = ['2', 2, 2n, 'Female', ' 女 ', new SheetNumber('2'), new SheetNumber('02')];
  for (const cell of cells) assert.equal(genderOf(cell).entry?.gender, 2, String(cell));
  assert.match(genderOf(true).problem ?? '', /^gender is "true"; it must be male or female, or 0 for/);
  assert.equal(genderOf('').entry?.gender, undefined);
  assert.equal(
    genderOf('x').problem,
    'gender is "x"; it must be male or female, or 0 for not given, 1 for male, 2 for female',
  );
});

test('a store code that is longer than any fails its row, and so does a row that is larger than a request', () => {
  const max = limits.storeCodeCharactersMax;
  const fields = ['username', 'store_codes'] as const;
  assert.equal(read(['ada', `S1;${'x'.repeat(max)}`], fields).problem, undefined);
  assert.equal(
    read(['ada', `S1;${'x'.repeat(max + 1)}`], fields).problem,
    `store_codes has a code of ${max + 1} characters; a store code has at most ${max}`,
  );
  const codes = Array.from({ length: 90_000 }, () => 'x'.repeat(max));
  assert.match(
    read(['ada', codes.join(';')], fields).problem ?? '',
    /^the row has 9270\d\d\d bytes as JSON; at most 8388608 fit into a request: give the user fewer stores$/,
  );
});

test('a problem quotes only the beginning of a huge value', () => {
  const { problem = '' } = read(['ada', '7'.repeat(3_000_000)], ['username', 'role_id']);
  assert.equal(problem, `role_id is "${'7'.repeat(100)}…"; it must be a whole number`);
  const mangled = read(['ada', `1.${'3'.repeat(3_000_000)}E+5`], ['username', 'phone']);
  assert.match(mangled.problem ?? '', /^phone is 1\.3{98}…, a number that a spreadsheet has shortened;/);
});

test('a username that appears again fails its row, even if the first row fails for another reason', () => {
  const users = new UserRows({ storeSeparator: ';', clearEmpty: false, mayBeGuarded: true });
  let line = 1;
  const problemOf = (values: readonly unknown[], fault = {}) =>
    users.next({ line: ++line, names: [], values, ...fault }, ['username', 'gender']).problem;
  assert.match(problemOf(['ada', 'x']) ?? '', /^gender is "x"/);
  assert.match(problemOf(['ada', '1']) ?? '', /line 2/);
  assert.match(
    problemOf(['ada', 'x']) ?? '',
    /^\(1\) gender is "x"; .*; \(2\) the username is already in line 2;/,
  );
  assert.match(problemOf(["'=bea", 'x']) ?? '', /^gender is "x"/);
  assert.match(problemOf(["'=bea", '1']) ?? '', /line 5/);
  assert.equal(
    problemOf(['cyd', '1'], { problem: 'the row has too many values' }),
    'the row has too many values',
  );
  assert.match(problemOf(['cyd', '1']) ?? '', /line 7/);
  const longest = 'x'.repeat(limits.usernameCharactersMax);
  assert.match(problemOf([`${longest}x`, '1']) ?? '', /^username must be at most/);
  assert.equal(problemOf([longest, '1']), undefined, 'another username that begins alike');
  assert.match(problemOf(['', '1']) ?? '', /username/);
  assert.match(problemOf(['', '1']) ?? '', /^username is missing/);
});

test('a row says each of its mistakes that the file alone shows, up to five and how many follow', () => {
  const fields = ['username', 'phone', 'gender', 'role_id', 'role_name', 'nickname', 'store_codes'] as const;
  const {
    problem,
    faults = [],
    entry,
  } = read(
    [
      'ada ',
      '1.38E+10',
      'x',
      '7.5',
      '#N/A',
      'x'.repeat(101),
      `S1;${'x'.repeat(limits.storeCodeCharactersMax + 1)}`,
    ],
    fields,
  );
  assert.equal(entry, undefined);
  assert.equal(
    problem,
    [
      '(1) username must be free of control characters, and of white space at either end; it ends with U+0020',
      '(2) phone is 1.38E+10, a number that a spreadsheet has shortened; format the column as text there, and enter the value again',
      '(3) gender is "x"; it must be male or female, or 0 for not given, 1 for male, 2 for female',
      '(4) role_id is "7.5"; it must be a whole number',
      '(5) nickname must be at most 100 characters; it has 101',
      'and 2 more mistakes in this row',
    ].join('; '),
  );
  assert.deepEqual(
    faults.map(({ key }) => key),
    ['endsWith', 'shortened', 'notGender', 'notWhole', 'tooLong', 'moreMistakes'],
  );
  const five = read(['ada ', '1.38E+10', 'x', '7.5', '', 'x'.repeat(101), ''], fields);
  assert.equal(five.faults?.length, 5);
  const six = read(['ada ', '1.38E+10', 'x', '7.5', '#N/A', 'x'.repeat(101), ''], fields);
  assert.match(six.problem ?? '', /; and 1 more mistake in this row$/);
});

test('what the server refuses in any entry is found with the other mistakes of the row', () => {
  const fields = ['username', 'password', 'password_hash', 'org_id', 'department'] as const;
  const problemOf = (...values: readonly unknown[]) => read(values, fields).problem;
  const of = 'must be free of control characters, and of white space at either end';
  assert.equal(problemOf('a\u0007da'), `username ${of}; it has U+0007`);
  assert.equal(problemOf('\u3000ada'), `username ${of}; it begins with U+3000`);
  assert.equal(
    problemOf('ada', 'secret', '$2b$10$x'),
    'the row must have a password or a password_hash, not both',
  );
  const range = 'must be an integer from -9223372036854775808 to 9223372036854775807';
  assert.equal(problemOf('ada', '', '', '9223372036854775808'), `org_id ${range}; it is 9223372036854775808`);
  assert.equal(problemOf('ada', '', '', '9223372036854775807'), undefined);
  assert.equal(problemOf('ada', '', '', '', 'a\0b'), 'department must be free of NUL characters');
  assert.equal(
    problemOf('ada', '\ud800', '', '', 'a\udc00'),
    '(1) password must be valid Unicode; it has half of a surrogate pair; (2) department must be valid Unicode; it has half of a surrogate pair',
  );
});
