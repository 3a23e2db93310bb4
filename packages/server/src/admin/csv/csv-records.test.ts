import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type CsvRecord, readCsvRecords } from './csv-records.ts';

async function* inChunks(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function read(content: string | Uint8Array, chunkSize = 1_000_000): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  for await (const chunk of readCsvRecords(inChunks(Buffer.from(content as string), chunkSize)))
    records.push(...chunk);
  return records;
}

describe('the records of a CSV file', () => {
  test('are the same with and without a byte order mark', async () => {
    const expected = [{ line: 1, fields: ['code', 'name'] }];
    assert.deepEqual(await read('code,name\n'), expected);
    assert.deepEqual(await read('\ufeffcode,name\n'), expected);
  });

  test('name the line on which they begin, and count blank lines and quoted line ends once', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = ['a,b', '', '1,"two', 'lines"', '', '', '3,"', '"', '5,6'].join(end);
      const records = await read(text);
      assert.deepEqual(
        records.map(({ line }) => line),
        [1, 3, 7, 9],
        JSON.stringify(end),
      );
      assert.deepEqual(records[1]?.fields, ['1', `two${end}lines`]);
    }
  });

  test('may end in several ways within one file', async () => {
    const records = await read('a\r\n1\n2\r3\r\n\n4');
    assert.deepEqual(
      records.map(({ line, fields }) => [line, ...fields]),
      [
        [1, 'a'],
        [2, '1'],
        [3, '2'],
        [4, '3'],
        [6, '4'],
      ],
    );
  });

  test('do not depend on where a chunk ends', async () => {
    const field = fc.string({
      unit: fc.constantFrom('a', 'é', '漢', '😀', '"', ',', '\n', '\r', ' '),
      maxLength: 8,
    });
    const rows = fc.array(fc.tuple(field, field, field), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 7 }),
        async (values, end, size) => {
          const quoted = values.map((row) =>
            row.map((value) => `"${value.replaceAll('"', '""')}"`).join(','),
          );
          const records = await read(quoted.join(end), size);
          assert.deepEqual(
            records.map(({ fields }) => fields),
            values,
          );
          assert.deepEqual(
            records.map(({ line }) => line),
            lineNumbers(quoted, end),
          );
        },
      ),
    );
  });

  test('end at an unclosed or undoubled quote, with its line', async () => {
    const cases = [
      ['a\n1\n"open\n', 3, /not closed/],
      ['a\n1\n"x"y\n', 3, /must be doubled/],
      ['a\n1\nx"y\n', 3, /quoted as a whole/],
      [`a\n1\n\n"${'x'.repeat(100_000)}`, 4, /longer than 65536 bytes/],
    ] as const;
    for (const [text, line, message] of cases)
      await assert.rejects(read(text, 1000), { name: 'CsvError', line, message });
  });

  test('must be UTF-8, wherever a chunk ends', async () => {
    const good = Buffer.from('a\né漢😀\n');
    const invalid = [
      [0xff],
      [0xc3, 0x28],
      [0xe6, 0xbc],
      [0xed, 0xa0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
      [0xc0, 0xaf],
      [0x80],
    ];
    for (const bytes of invalid) {
      const text = Buffer.concat([good, Buffer.from(bytes), Buffer.from('\nend\n')]);
      for (const size of [1, 2, 3, 5, 100]) {
        await assert.rejects(read(text, size), { name: 'CsvError', line: 3, message: 'must be UTF-8 text' });
      }
    }
    await assert.rejects(read(Buffer.concat([good, Buffer.of(0xe6, 0xbc)])), { line: 3 });
    assert.equal((await read(good, 1)).length, 2);
  });
});

function lineNumbers(quoted: readonly string[], end: string): number[] {
  let text = '';
  return quoted.map((row) => {
    const line = text.split(/\r\n|\r|\n/).length;
    text += row + end;
    return line;
  });
}
