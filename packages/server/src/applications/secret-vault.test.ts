import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { namedKeyId } from '../database/database.ts';
import { SecretVault, UnknownKeyError } from './secret-vault.ts';

const vault = new SecretVault(randomBytes(32));

test('every sealed secret opens again for its own application', () => {
  const wellFormed = fc.string({ unit: 'grapheme', minLength: 1 });
  fc.assert(
    fc.property(wellFormed, wellFormed, (appId, secret) => {
      assert.equal(vault.open(appId, vault.seal(appId, secret)), secret);
    }),
  );
});

test('the sealed form shows no part of the secret and is different each time', () => {
  const sealed = Buffer.from(vault.seal('app', 'a secret that is long enough'));
  assert(!sealed.includes('a secret'));
  assert.notDeepEqual(Buffer.from(vault.seal('app', 'a secret that is long enough')), sealed);
});

test('a sealed secret is opened by AES-256-GCM with a nonce of 96 bits and a tag of 128', () => {
  const key = randomBytes(32);
  const sealed = Buffer.from(new SecretVault(key).seal('app', 'secret'));
  const [header, rest] = [sealed.subarray(0, 9), sealed.subarray(9)];
  const decipher = createDecipheriv('aes-256-gcm', key, rest.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.concat([header, Buffer.from('app')])).setAuthTag(rest.subarray(12, 28));
  assert.equal(decipher.update(rest.subarray(28), undefined, 'utf8') + decipher.final('utf8'), 'secret');
});

test('a secret that an earlier release sealed, without the id of its key, still opens', () => {
  const key = randomBytes(32);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('app'));
  const ciphertext = Buffer.concat([cipher.update('secret', 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), ciphertext]);
  assert.equal(new SecretVault(key).open('app', sealed), 'secret');
  // While the key is being replaced, a process tries both.
  const both = new SecretVault(randomBytes(32), key);
  assert.deepEqual(both.openBy('app', sealed), {
    secret: 'secret',
    keyId: new SecretVault(key).keyIds[0],
  });
  assert.throws(() => new SecretVault(randomBytes(32)).open('app', sealed), /no master key of this process/);
});

test('a sealed secret names its key: a vault that has the key opens it, and another vault reports the missing key', () => {
  const [one, two] = [randomBytes(32), randomBytes(32)];
  const both = new SecretVault(one, two);
  const sealed = new SecretVault(two).seal('app', 'secret');
  const [keyId = ''] = new SecretVault(two).keyIds;
  assert.match(keyId, /^[0-9a-f]{16}$/);
  assert.deepEqual(both.openBy('app', sealed), { secret: 'secret', keyId });
  assert.throws(
    () => new SecretVault(one).open('app', sealed),
    (error: Error) => error instanceof UnknownKeyError && error.message.includes(keyId),
  );
});

test('a vault seals with the key that the database names, and refuses keys that do not include it', () => {
  const [one, two, three] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const proof = new SecretVault(two).proofOfKey();
  const held = new SecretVault(one, two);
  assert.equal(held.sealWith(new SecretVault(three).proofOfKey()), false);
  assert.equal(held.sealWith(proof), true);
  assert.deepEqual([namedKeyId(held.seal('app', 'secret'))], new SecretVault(two).keyIds);
  assert.equal(held.hold([one, three], proof), false);
  assert.deepEqual(held.keyIds, new SecretVault(one, two).keyIds);
  assert.equal(held.hold([three, two], proof), true);
  assert.deepEqual(held.keyIds, new SecretVault(three, two).keyIds);
});

test('another key, another application and any changed byte do not open it', () => {
  const sealed = vault.seal('app', 'secret');
  assert.throws(() => new SecretVault(randomBytes(32)).open('app', sealed));
  assert.throws(() => vault.open('other', sealed));
  for (const index of sealed.keys()) {
    const changed = Uint8Array.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    assert.throws(() => vault.open('app', changed), `byte ${index}`);
  }
  assert.throws(() => vault.open('app', sealed.subarray(0, 10)));
  assert.throws(() => vault.open('app', new Uint8Array()));
});

test('the proof of a key is accepted only by that key and does not reveal it', () => {
  const key = randomBytes(32);
  const proof = new SecretVault(key).proofOfKey();
  assert.equal(new SecretVault(key).accepts(proof), true);
  assert.equal(vault.accepts(proof), false);
  assert.equal(vault.accepts(''), false);
  assert(!proof.includes(key.toString('base64').slice(0, 8)));
});

test('a keyed hash is equal only for the same string and key', () => {
  const [key, other] = [new SecretVault(Buffer.alloc(32, 1)), new SecretVault(Buffer.alloc(32, 2))];
  assert.match(key.keyedHash('li.wei'), /^[0-9a-f]{32}$/);
  assert.equal(new SecretVault(Buffer.alloc(32, 1)).keyedHash('li.wei'), key.keyedHash('li.wei'));
  assert.notEqual(key.keyedHash('li.we'), key.keyedHash('li.wei'));
  assert.notEqual(other.keyedHash('li.wei'), key.keyedHash('li.wei'));
});

test('a key of the wrong length is an error', () => {
  for (const length of [0, 16, 31, 33]) {
    assert.throws(() => new SecretVault(randomBytes(length)), TypeError);
  }
});

test('a printed vault shows no key', async () => {
  const key = randomBytes(32);
  const { inspect } = await import('node:util');
  const printed = inspect(new SecretVault(key), { depth: 9, showHidden: true });
  const bytes = [...key.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0'));
  assert(!printed.includes(bytes.join(' ')));
});
