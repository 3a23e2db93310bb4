import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { decodeText, encodingOfStart, readCsvRows, type SourceRow } from '../index.ts';

async function* inChunks(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function read(
  content: string | Uint8Array,
  chunkSize = 1_000_000,
  delimiter?: string,
): Promise<SourceRow[]> {
  const rows: SourceRow[] = [];
  const chunks = inChunks(Buffer.from(content as string), chunkSize);
  for await (const piece of readCsvRows(decodeText(chunks), delimiter)) rows.push(...piece);
  return rows;
}

const textOfUtf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('the rows of a CSV file', () => {
  test('are the same in UTF-8 with and without a mark, and in UTF-16, wherever a chunk ends', async () => {
    const text = 'code,name\nÄ,漢😀\n';
    const expected = await read(text);
    assert.deepEqual(expected[1], { line: 2, names: ['code', 'name'], values: ['Ä', '漢😀'] });
    const files = [Buffer.from(`\ufeff${text}`), textOfUtf16(text), Buffer.from(textOfUtf16(text)).swap16()];
    for (const bytes of files)
      for (const size of [1, 2, 3, 100]) assert.deepEqual(await read(bytes, size), expected);
  });

  test('are the same in UTF-16 without a mark, in letters of every kind', async () => {
    for (const text of [
      'code,name\nÄ,漢😀\n',
      '上级;名称\r\n一;二\r\n',
      'Код\tИмя\nА\tБ\n',
      'code\r\nS1\r\n',
      'code\nS1',
      'sep=|\na|b',
    ]) {
      const expected = await read(text);
      const bytes = Buffer.from(text, 'utf16le');
      for (const size of [1, 1_000]) {
        assert.deepEqual(await read(bytes, size), expected, text);
        assert.deepEqual(await read(Buffer.from(bytes).swap16(), size), expected, text);
      }
    }
  });

  test('are taken for UTF-16 only if their first bytes are text in it', () => {
    const zips = ['504b030414000600080000002100', '504b03040a0000000000'].map((hex) =>
      Buffer.from(hex, 'hex'),
    );
    for (const start of [
      '',
      'a',
      'code,name\n',
      '编号,名称\n',
      'a\0b,c\n',
      ...zips,
      Buffer.of(0x63, 0xf6, 0x2c),
    ])
      assert.equal(encodingOfStart(Buffer.from(start as string)), 'utf-8', String(start));
  });

  test('are separated as a first line of sep= says, which is no row but counts as a line', async () => {
    for (const end of ['\n', '\r\n', '\r'])
      for (const [line, delimiter] of [
        ['sep=;', ';'],
        ['SEP=|', '|'],
        ['sep=\t', '\t'],
        ['"sep=,"', ','],
      ] as const)
        for (const size of [1, 100]) {
          const text = [line, `code${delimiter}name`, `S9${delimiter}"Nine"`, ''].join(end);
          const expected = [
            { line: 2, names: ['code', 'name'], values: [] },
            { line: 3, names: ['code', 'name'], values: ['S9', 'Nine'] },
          ];
          assert.deepEqual(await read(text, size), expected, line);
          assert.deepEqual(await read(textOfUtf16(text), size), expected, line);
        }
    const [header] = await read('sep=;\na,b;c', 100, ',');
    assert.deepEqual(header?.names, ['a', 'b;c'], 'a named delimiter goes before');
    assert.deepEqual((await read('sep=;;\n'))[0]?.names, ['sep=', '', '']);
  });

  test('name the line on which they begin, and count blank lines and quoted line ends once', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = ['a,b', '', '1,"two', 'lines"', '', '', '3,"', '"', '5,6'].join(end);
      for (const size of [1, 100]) {
        const rows = await read(text, size);
        assert.deepEqual(
          rows.map(({ line }) => line),
          [1, 3, 7, 9],
          JSON.stringify(end),
        );
        assert.deepEqual(rows[1]?.values, ['1', `two${end}lines`]);
      }
    }
  });

  test('are separated as in the first line that is not blank', async () => {
    const rows = await read('\n\r\ncode;name\nS9;Nine\n');
    assert.deepEqual(rows.at(-1), { line: 4, names: ['code', 'name'], values: ['S9', 'Nine'] });
  });

  test('name a separator other than those that are recognized', async () => {
    const files = ['code|name\nS9|Nine, Ltd\n', '\r\n\r\n"a;b"|name\n', '|code|name\n'];
    for (const file of files) {
      const message =
        /: the values seem to be separated by '\|'; only ',', ';' and a tab are recognized: save the file with one of these, or name it with --delimiter '\|'$/;
      await assert.rejects(read(file), { name: 'FileFault', message });
    }
    await assert.rejects(read('\r\n\r\na|b\r\n1|2'), { line: 3 });
    for (const file of ['a|b;c\n', '"a|b"\n', 'a\nb|c\n'])
      assert.equal((await read(file))[0]?.values.length, 0);
  });

  test('may end in several ways within one file', async () => {
    const rows = await read('a\r\n1\n2\r3\r\n\n4');
    assert.deepEqual(
      rows.map(({ line, values }) => [line, ...values]),
      [[1], [2, '1'], [3, '2'], [4, '3'], [6, '4']],
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
          const quoted = [['a', 'b', 'c'], ...values].map((row) =>
            row.map((value) => `"${value.replaceAll('"', '""')}"`).join(','),
          );
          const [, ...found] = await read(quoted.join(end), size);
          const [, ...lines] = lineNumbers(quoted, end);
          const isBlank = (row: readonly string[]) => row.every((value) => value === '');
          assert.deepEqual(
            found.map((row) => row.values),
            values.filter((row) => !isBlank(row)),
          );
          assert.deepEqual(
            found.map(({ line }) => line),
            lines.filter((_, index) => !isBlank(values[index] ?? [])),
          );
        },
      ),
    );
  });

  test('end at an unclosed or undoubled quote, with its line', async () => {
    const cases = [
      ['a\n1\n"open\n', 3, /never closed/],
      ['a\n1\n"x"y\n', 3, /must be doubled/],
      ['a\n1\nx"y\n', 3, /quoted as a whole/],
      [`a\n1\n\n"${'x'.repeat(17_000_000)}`, 4, /longer than 16777216 bytes/],
    ] as const;
    for (const [text, line, message] of cases)
      await assert.rejects(read(text, 10_000), { name: 'FileFault', line, message });
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
      for (const size of [1, 2, 3, 5, 100])
        await assert.rejects(read(text, size), { line: 3, message: /the text is not UTF-8/ });
    }
    await assert.rejects(read(Buffer.concat([good, Buffer.of(0xe6, 0xbc)])), { line: 3 });
    assert.equal((await read(good, 1)).length, 2);
  });

  test('of a file without line ends are refused before the whole file is in memory', async () => {
    let megabytes = 0;
    async function* endless(): AsyncIterable<Uint8Array> {
      for (; megabytes < 64; megabytes++) yield new Uint8Array(1_000_000).fill(0x78);
    }
    const reading = async () => {
      for await (const rows of readCsvRows(decodeText(endless()), undefined)) assert.deepEqual(rows, []);
    };
    await assert.rejects(reading(), { line: 1, message: /longer than 16777216 bytes/ });
    assert.ok(megabytes < 24, `read ${megabytes} MB`);
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
