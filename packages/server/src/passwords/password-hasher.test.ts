import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { PasswordHasher } from './password-hasher.ts';

const owner = { owner: 'app' };

test('a hash is a PHC string with the stated cost, a salt of 16 bytes and a tag of 32', async () => {
  const hash = await new PasswordHasher().hash(owner, 'p');
  const [, cost, salt, tag] = /^\$argon2id\$v=19\$(m=\d+,t=\d+,p=\d+)\$([^$=]+)\$([^$=]+)$/.exec(hash) ?? [];
  assert.equal(cost, 'm=19456,t=2,p=1');
  assert.equal(Buffer.from(salt ?? '', 'base64').length, 16);
  assert.equal(Buffer.from(tag ?? '', 'base64').length, 32);
});

test('a password is verified against its hash; without a hash the answer is no, and there is nothing to upgrade', async () => {
  const hasher = new PasswordHasher();
  const hash = await hasher.hash(owner, 'right');
  assert.deepEqual(await hasher.verify(owner, 'right', hash), { matches: true, outdated: false });
  assert.deepEqual(await hasher.verify(owner, 'wrong', hash), { matches: false, outdated: false });
  assert.deepEqual(await hasher.verify(owner, 'right', undefined), { matches: false, outdated: false });
});

test('a hasher told another cost makes hashes of it, and replaces only cheaper ones', async () => {
  const cheap = { memory: 8, passes: 1, parallelism: 1 };
  const dearer = new PasswordHasher(undefined, { ...cheap, memory: 16 });
  const hash = await dearer.hash(owner, 'p');
  assert.match(hash, /^\$argon2id\$v=19\$m=16,t=1,p=1\$/);
  assert.deepEqual(await dearer.verify(owner, 'p', hash), { matches: true, outdated: false });
  const cheaper = await new PasswordHasher(undefined, cheap).hash(owner, 'p');
  assert.deepEqual(await dearer.verify(owner, 'p', cheaper), { matches: true, outdated: true });
  assert.deepEqual(await new PasswordHasher().verify(owner, 'p', hash), { matches: true, outdated: true });
  const dearest = new PasswordHasher(undefined, { memory: 20_000, passes: 2, parallelism: 1 });
  assert.deepEqual(await dearest.verify(owner, 'p', undefined), { matches: false, outdated: false }, 'decoy');
});

/** Made by the C library's crypt for 72 letters. */
const bcryptOf72 = '$2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i';

test('a bcrypt hash is outdated, unless it covers only the beginning of the password', async () => {
  const hasher = new PasswordHasher();
  const verify = (password: string) => hasher.verify(owner, password, bcryptOf72);
  assert.deepEqual(await verify('x'.repeat(72)), { matches: true, outdated: true });
  assert.deepEqual(await verify('x'.repeat(73)), { matches: true, outdated: false });
  assert.deepEqual(await verify(`${'x'.repeat(72)}é`), { matches: true, outdated: false });
});

/** Runs in a separate process, which exits without hashing the hundreds of passwords still waiting. */
const fillQueue = `
  const { PasswordHasher } = await import(process.argv[1]);
  const hasher = new PasswordHasher();
  const failures = [];
  for (let count = 0; count < 600; count += 1) hasher.hash({ owner: 'app' }, 'p').catch((error) => failures.push(error));
  await new Promise((resume) => setImmediate(resume));
  process.stdout.write(JSON.stringify([failures.length, failures[0]?.name]));
  process.exit();
`;

test('when too many passwords of an application are waiting, one more is refused as busy', async () => {
  const hasher = new URL('./password-hasher.ts', import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...process.execArgv.filter((argument) => argument.startsWith('--conditions')),
    '--input-type=module',
    '-e',
    fillQueue,
    hasher,
  ]);
  const [refused, name] = JSON.parse(stdout);
  assert.equal(name, 'BusyError');
  assert(refused > 0 && refused <= 100, String(refused));
});
