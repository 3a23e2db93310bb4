import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { constants, zstdCompressSync } from 'node:zlib';
import { writeCompressed } from './compressed-lines.ts';
import { isCompleteStream } from './is-complete-stream.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-stream-'));
after(() => rmSync(folder, { recursive: true }));

function isComplete(bytes: Uint8Array): Promise<boolean> {
  const file = join(folder, 'x');
  writeFileSync(file, bytes);
  return isCompleteStream(file);
}

const checksum = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

test('a complete stream is told from one with a part missing, or with something after it', async () => {
  const random = crypto.getRandomValues(new Uint8Array(65_536));
  for (const content of [
    Buffer.alloc(0),
    Buffer.from('x'),
    Buffer.alloc(300_000, 'abc'),
    Buffer.alloc(70_000),
    random,
  ]) {
    for (const options of [{}, checksum]) {
      const whole = zstdCompressSync(content, options);
      assert.equal(await isComplete(whole), true, `${content.length} bytes`);
      assert.equal(await isComplete(Buffer.concat([whole, whole])), true, 'a stream of two frames');
      for (const part of [whole.subarray(0, -1), whole.subarray(0, 4), Buffer.concat([whole, Buffer.of(0)])])
        assert.equal(await isComplete(part), false, `${part.length} of ${whole.length} bytes`);
    }
  }
});

test('a file that a backup has written is complete', async () => {
  const file = join(folder, 'written');
  await writeCompressed(
    file,
    (async function* () {
      for (let line = 0; line < 20; line++) yield `${line.toString().repeat(20_000)}\n`;
    })(),
  );
  assert.equal(await isCompleteStream(file), true);
});

test('an empty file and one of another kind are no streams', async () => {
  assert.equal(await isComplete(Buffer.alloc(0)), false);
  assert.equal(await isComplete(Buffer.from('username,name\n')), false);
});
