import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findMasterKey, findPreviousKey } from './find-master-key.ts';
import { masterKeyFile, masterKeyVariable, previousKeyVariable } from './key-places.ts';
import { makeMasterKey } from './make-master-key.ts';
import { MasterKeyError } from './master-key-error.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-key-'));
after(() => rmSync(parent, { recursive: true }));

const key = randomBytes(32);

test('a key in the environment is Base64 or hexadecimal, and then no file is created', () => {
  const folder = join(parent, 'none');
  const forms = [
    key.toString('base64'),
    key.toString('base64url'),
    key.toString('hex'),
    key.toString('hex').toUpperCase(),
    ` ${key.toString('base64')}\n`,
  ];
  for (const form of forms) {
    const loaded = findMasterKey(folder, { [masterKeyVariable]: form });
    assert.deepEqual(loaded && Buffer.from(loaded), key, form);
  }
  assert.equal(existsSync(folder), false);
});

test('without a key in the environment, a key file is created once, readable only by its owner, and used from then on', () => {
  const folder = join(parent, 'made');
  assert.equal(findMasterKey(folder, {}), undefined);
  const made = makeMasterKey(folder);
  assert.equal(made.length, 32);
  const path = join(folder, masterKeyFile);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(folder), [masterKeyFile], 'no draft is left behind');
  assert.equal(readFileSync(path, 'utf8'), `${Buffer.from(made).toString('base64')}\n`);
  assert.deepEqual(findMasterKey(folder, {}), made);
  assert.deepEqual(makeMasterKey(folder), made);
  assert.deepEqual(findMasterKey(folder, { [masterKeyVariable]: '' }), made);
});

test('two folders have different keys', () => {
  const [one, two] = [makeMasterKey(join(parent, 'one')), makeMasterKey(join(parent, 'two'))];
  assert.notDeepEqual(one, two);
});

test('a key of another length is refused, and the message says where, what and how to make one', () => {
  for (const given of ['short', key.toString('hex').slice(1), randomBytes(33).toString('base64')]) {
    assert.throws(
      () => findMasterKey(parent, { [masterKeyVariable]: given }),
      (error: unknown) =>
        error instanceof MasterKeyError &&
        error.message.includes(`the environment variable ${masterKeyVariable}`) &&
        error.message.includes('32 bytes in Base64 or 64 hexadecimal digits') &&
        error.message.includes('openssl rand -base64 32') &&
        !error.message.includes(given),
    );
  }
});

test('a folder in the place of the key file is refused, and the message says where it may come from', () => {
  const folder = mkdtempSync(join(parent, 'mounted-'));
  mkdirSync(join(folder, masterKeyFile));
  assert.throws(() => findMasterKey(folder, {}), {
    name: 'MasterKeyError',
    message: `the key file ${join(folder, masterKeyFile)} is a folder, which container engines make where a mounted file is missing: remove it, and put the key file there`,
  });
});

test('a pipe in the place of the key file is refused instead of waited for', () => {
  const folder = join(parent, 'pipe');
  mkdirSync(folder);
  const path = join(folder, masterKeyFile);
  execFileSync('mkfifo', ['-m', '600', path]);
  const refused = new MasterKeyError(
    `the key file ${path} is a pipe or a device, and a server reads the key more than once: put the key into a file`,
  );
  assert.throws(() => findMasterKey(folder, {}), refused);
  assert.throws(() => findMasterKey(folder, { [`${masterKeyVariable}_FILE`]: path }), refused);
});

test('a blank file of the previous key holds none, as before and after a rotation', () => {
  const folder = mkdtempSync(join(parent, 'blank-'));
  const path = join(folder, 'previous');
  const environment = { [`${previousKeyVariable}_FILE`]: path };
  for (const content of ['', '\n', '\r\n', '\n\n\n', '   ', ' \n ', '\uFEFF', '\uFEFF\n']) {
    writeFileSync(path, content);
    assert.equal(findPreviousKey(folder, environment), undefined);
  }
  writeFileSync(path, 'x');
  assert.throws(() => findPreviousKey(folder, environment), MasterKeyError);
});

test('a damaged or empty key file is refused; the message names it, and puts the lost key before a new one', () => {
  const folder = mkdtempSync(join(parent, 'damaged-'));
  const file = join(folder, masterKeyFile);
  for (const content of ['damaged', '']) {
    writeFileSync(file, content);
    assert.throws(() => findMasterKey(folder, {}), {
      name: 'MasterKeyError',
      message: new RegExp(
        `the key file ${RegExp.escape(file)} must.*; restore it .*; only .* make a new one`,
      ),
    });
  }
});
