import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { FastSigner } from './fast-signer.ts';

function expected(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text, 'utf8').digest('base64');
}

test('signs any text with any secret as createHmac does, whatever was signed before', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  const longText = fc.tuple(text, fc.integer({ min: 1, max: 40 })).map(([each, times]) => each.repeat(times));
  fc.assert(
    fc.property(text, longText, longText, (secret, first, second) => {
      const signer = new FastSigner(secret);
      assert.equal(signer.sign(first), expected(secret, first));
      assert.equal(signer.sign(second), expected(secret, second));
    }),
  );
});

test('a text at the limit of the buffer is signed as createHmac does', () => {
  for (const length of [1365, 1366, 4096, 4097]) {
    const text = '\u5f20'.repeat(length);
    assert.equal(new FastSigner('secret').sign(text), expected('secret', text));
  }
});

/** Returns the buffers made by `Buffer.alloc` while `act` runs. */
async function buffersOf(t: TestContext, act: () => Promise<void>): Promise<Buffer[]> {
  const spy = t.mock.method(Buffer, 'alloc');
  await act();
  return spy.mock.calls.map(({ result }) => result as Buffer);
}

test('no buffer holds a pad of the secret after a signature', async (t) => {
  const secret = 'secret-of-an-application';
  const text = 'GET\n1700000000\nnonce\n/user';
  const fresh = `./fast-signer.ts?${Date.now()}`;
  const buffers = await buffersOf(t, async () => {
    const { FastSigner: Fresh } = (await import(fresh)) as typeof import('./fast-signer.ts');
    assert.equal(new Fresh(secret).sign(text), expected(secret, text));
  });
  assert.ok(
    buffers.some((buffer) => buffer.includes(text)),
    'the text was signed in one of them',
  );
  for (const mask of [0x36, 0x5c]) {
    const pad = Buffer.from(secret).map((byte) => byte ^ mask);
    for (const buffer of buffers) assert.ok(!buffer.includes(pad.subarray(0, 4)));
  }
});

test('a signer that was wiped signs neither as before nor as with an empty secret', () => {
  const signer = new FastSigner('secret');
  const before = signer.sign('text');
  signer.wipe();
  assert.ok(![before, expected('', 'text')].includes(signer.sign('text')));
});

test('a signer printed by mistake shows nothing of the secret', () => {
  const signer = new FastSigner('hunter2-hunter2');
  signer.sign('text');
  const printed = inspect(signer, { depth: 9, showHidden: true }) + JSON.stringify(signer);
  assert.doesNotMatch(printed, /hunter2|68756e74|104, 117/);
});
