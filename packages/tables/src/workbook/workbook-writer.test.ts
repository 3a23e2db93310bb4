import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWorkbookRows } from './workbook-rows.ts';
import { WorkbookWriter, workbookRowsMax } from './workbook-writer.ts';

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}

test('rows written in pieces are read back unchanged, formulas and odd characters as texts', async () => {
  const writer = new WorkbookWriter(['username', 'note']);
  writer.add([['a', '=HYPERLINK("http://evil.example")']]);
  writer.add([
    ['b', ' <b>&amp; "李伟" 🦜\nnext '],
    ['c', '_x0041_ and \u0001'],
  ]);
  const rows = await readWorkbookRows(joined(writer.end()));
  assert.deepEqual(rows[0]?.names, ['username', 'note']);
  assert.deepEqual(
    rows.slice(1).map(({ values }) => values),
    [
      ['a', '=HYPERLINK("http://evil.example")'],
      ['b', ' <b>&amp; "李伟" 🦜\nnext '],
      ['c', '_x0041_ and \u0001'],
    ],
  );
});

test('more rows than spreadsheet programs read are refused', () => {
  const writer = new WorkbookWriter(['n']);
  const rows = Array.from({ length: workbookRowsMax }, () => ['']);
  assert.throws(() => writer.add(rows), { name: 'RangeError', message: /at most 1048576 rows.*CSV/ });
});
