import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { readCompressedLines, writeCompressed } from './compressed-lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-lines-'));
after(() => rmSync(folder, { recursive: true }));

const pieceCharacters = 64 * 1024;

async function* inPieces(text: string): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += pieceCharacters)
    yield text.slice(start, start + pieceCharacters);
}

const line = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  // Longer than one chunk of reading, or of decompression.
  fc.integer({ min: 1, max: 200_000 }).map((characters) => 'wörd '.repeat(characters)),
);

test('lines of any length are read as they were written', async () => {
  let files = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 20 }), async (given) => {
      const lines = given.map((text) => text.replaceAll('\n', ' '));
      const path = join(folder, `${files++}`);
      await writeCompressed(path, inPieces(`${lines.join('\n')}\n`));
      const read: string[] = [];
      for await (const some of readCompressedLines(path)) read.push(...some);
      assert.deepEqual(read, lines);
    }),
    { numRuns: 30 },
  );
});

test('a line that is too long or incomplete is refused', async () => {
  const read = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeCompressed(path, inPieces(text));
    for await (const _ of readCompressedLines(path, 100_000));
  };
  await read('allowed', `${'x'.repeat(100_000)}\n`);
  await assert.rejects(read('long', `a\n${'x'.repeat(300_000)}\n`), /longer than any/);
  await assert.rejects(read('incomplete', `a\n${'x'.repeat(1_000)}`), /incomplete/);
});
