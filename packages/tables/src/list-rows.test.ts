import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ColumnField,
  fieldOfColumn,
  fieldOfNamesColumn,
  listFieldOfColumn,
  readListRows,
  SheetNumber,
  type SourceRow,
} from './index.ts';

describe('the rows of stores, organizations and roles', () => {
  const names = ['a', 'b', 'c'];
  const rowsOf = (...rows: unknown[][]): SourceRow[] =>
    rows.map((values, index) => ({ line: index + 2, names, values }));

  test('columns are known by their names in both languages', () => {
    assert.equal(listFieldOfColumn('stores', 'Store_Code'), 'code');
    assert.equal(listFieldOfColumn('orgs', '上级组织'), 'parent_id');
    assert.equal(listFieldOfColumn('roles', 'Parent'), undefined);
  });

  test('the British spelling of a column names the same field', () => {
    assert.equal(listFieldOfColumn('orgs', 'Organisation ID'), 'id');
    assert.equal(fieldOfColumn('Organisation'), 'org_id');
    assert.equal(fieldOfNamesColumn('organisation_name', new Set<ColumnField>(['org_id'])), 'org_name');
  });

  test('an empty cell keeps what is there, and the guard of an export is taken off', () => {
    const [row] = readListRows('stores', rowsOf(['S-1', "'=Shop", '']), ['code', 'name', 'address']);
    assert.deepEqual(row, { line: 2, key: 'S-1', label: 'S-1', values: { code: 'S-1', name: '=Shop' } });
  });

  test('every wrong row says why', () => {
    const rows = rowsOf(
      ['S-1', 'One'],
      ['S-1', 'Again'],
      ['', 'No code'],
      ['1E+05', 'Shortened'],
      [' S-2', 'Space'],
      ['S-3', 'x'.repeat(256)],
      ['S-4', new Date()],
    );
    const problems = readListRows('stores', rows, ['code', 'name']).map(({ problem = '' }) => problem);
    const expected = [
      /^$/,
      /^line 2 already has this entry;/,
      /code is missing/,
      /shortened/,
      /white space/,
      /name must be at most 255 characters; it has 256/,
      /date/,
    ];
    for (const [index, pattern] of expected.entries()) assert.match(problems[index] ?? '', pattern);
  });

  test('a wrong row is identified by what was read: by its name only if it has no code', () => {
    const faulty = { problem: 'too few values' };
    const rows = rowsOf(['', 'No code'], ['S-5', '']).concat({ line: 4, names, values: ['S-6'], ...faulty });
    const read = readListRows('stores', rows, ['code', 'name']).map(({ key, label, name }) => [
      key,
      label,
      name,
    ]);
    assert.deepEqual(read, [
      ['', '', 'No code'],
      ['', 'S-5', undefined],
      ['', 'S-6', undefined],
    ]);
    const [role] = readListRows('roles', rowsOf(['x'.repeat(999), 'Boss']), ['code', 'name']);
    assert.equal(role?.label, 'Boss');
  });

  test('an entry that appears again is refused, even if its first row is wrong in another way', () => {
    const rows = rowsOf(['S-1', 'x'.repeat(256)], ['S-1', 'Good'], [' S-2', 'Space'], ['S-2', 'Good']);
    const faulty = { line: 6, names, values: ['S-3', 'N'], problem: 'too many values' };
    const all = [...rows, faulty, { line: 7, names, values: ['S-3', 'Good'] }];
    const problems = readListRows('stores', all, ['code', 'name']).map(({ problem = '' }) => problem);
    const expected = [
      /^name must be at most/,
      /^line 2 already has this entry;/,
      /white space/,
      /^$/,
      /^too many/,
      /^line 6 already has this entry;/,
    ];
    for (const [index, pattern] of expected.entries()) assert.match(problems[index] ?? '', pattern);
    const nameless = readListRows('roles', rowsOf(['7', ''], ['7', 'Good'], ['', 'New'], ['', 'New']), [
      'id',
      'name',
    ]);
    assert.deepEqual(
      nameless.map(({ problem }) => problem !== undefined),
      [true, true, false, false],
    );
  });

  test('numbers keep their digits and their limits', () => {
    const rows = rowsOf(
      ['9223372036854775807', 'Far'],
      ['9223372036854775808', 'Too far'],
      [new SheetNumber('7'), 'Seven'],
      [new SheetNumber('00000000000000000008'), 'Eight'],
    );
    const [far, tooFar, seven, eight] = readListRows('orgs', rows, ['id', 'name']);
    assert.equal(far?.key, '9223372036854775807');
    assert.match(tooFar?.problem ?? '', /id must be from 1 to 9223372036854775807/);
    assert.equal(seven?.key, '7');
    assert.equal(eight?.key, '8');
  });
});
