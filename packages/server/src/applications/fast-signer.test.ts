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

test('signs with secrets as long as a block, and longer ones, as createHmac does', () => {
  for (const length of [63, 64, 65, 128]) {
    const secret = 's'.repeat(length);
    assert.equal(new FastSigner(secret).sign('text'), expected(secret, 'text'));
  }
});

test('signs texts around the limit of its buffer as createHmac does', () => {
  for (const length of [1365, 1366, 4096, 4097]) {
    const text = '\u5f20'.repeat(length);
    assert.equal(new FastSigner('secret').sign(text), expected('secret', text));
  }
});

/** Collects the buffers that `Buffer.alloc` makes while `act` runs. */
async function buffersOf(t: TestContext, act: () => Promise<void>): Promise<Buffer[]> {
  const spy = t.mock.method(Buffer, 'alloc');
  await act();
  spy.mock.restore();
  return spy.mock.calls.map(({ result }) => result as Buffer);
}

const secret = 'secret-of-an-application';

/** Returns whether a buffer holds the secret or one of its pads. */
function reveals(buffer: Buffer): boolean {
  return [0, 0x36, 0x5c].some((mask) => buffer.includes(Buffer.from(secret).map((byte) => byte ^ mask)));
}

test('after a signature, only the buffer of the pads holds the secret; after a wipe, none does', async (t) => {
  const text = 'GET\n1700000000\nnonce\n/user';
  const fresh = `./fast-signer.ts?${Date.now()}`;
  let signer: FastSigner | undefined;
  const buffers = await buffersOf(t, async () => {
    const { FastSigner: Fresh } = (await import(fresh)) as typeof import('./fast-signer.ts');
    signer = new Fresh(secret);
    assert.equal(signer.sign(text), expected(secret, text));
  });
  assert(
    buffers.some((buffer) => buffer.includes(text)),
    'the text was signed in one of them',
  );
  assert.equal(buffers.filter(reveals).length, 1);
  signer?.wipe();
  assert.equal(buffers.filter(reveals).length, 0);
  assert.equal(signer?.sign(text), expected(secret, text));
  assert.equal(buffers.filter(reveals).length, 0);
});

test('printing a signer shows nothing of the secret', () => {
  const signer = new FastSigner('hunter2-hunter2');
  signer.sign('text');
  const printed = inspect(signer, { depth: 9, showHidden: true }) + JSON.stringify(signer);
  assert.doesNotMatch(printed, /hunter2|68756e74|104, 117/);
});
