import assert from 'node:assert/strict';
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { masterKeyFile, previousKeyFile } from './key-places.ts';
import { makeMasterKey } from './make-master-key.ts';
import { MasterKeyError } from './master-key-error.ts';
import { replaceKeyFile } from './replace-key-file.ts';

const key = `${Buffer.alloc(32, 7).toString('base64')}\n`;

/** Makes a folder with a key, and a file elsewhere that neither may be read nor changed. */
function makePlaces(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'fieldroster-replaced-key-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const [folder, secret] = [join(root, 'data'), join(root, 'shadow')];
  mkdirSync(folder);
  writeFileSync(secret, 'of root');
  chmodSync(secret, 0o644);
  writeFileSync(join(folder, masterKeyFile), key, { mode: 0o600 });
  return { folder, secret };
}

/** Does something once, as somebody else could, right after the next call of a function of the file system. */
function after(t: TestContext, name: 'readdirSync' | 'writeFileSync', disturb: () => void): void {
  const real = fs[name] as (...given: readonly unknown[]) => unknown;
  const spy = t.mock.method(fs, name, (...given: readonly unknown[]) => {
    const result = real(...given);
    spy.mock.restore();
    syncBuiltinESMExports();
    disturb();
    return result;
  });
  syncBuiltinESMExports();
}

function putLink(path: string, target: string): void {
  renameSync(path, `${path}-aside`);
  symlinkSync(target, path);
}

function draftIn(folder: string): string {
  const name = readdirSync(folder).find((each) => /^master\.key\.([a-z]+\.)?[0-9a-f]{12}$/.test(each));
  assert.ok(name);
  return join(folder, name);
}

test('a link that somebody puts in the place of the key file is not read', (t) => {
  const { folder, secret } = makePlaces(t);
  after(t, 'readdirSync', () => putLink(join(folder, masterKeyFile), secret));
  replaceKeyFile(folder);
  assert.equal(readFileSync(join(folder, previousKeyFile), 'utf8'), key);
  assert.equal(readFileSync(secret, 'utf8'), 'of root');
});

test('a key file that is a link is refused, and stays', (t) => {
  const { folder, secret } = makePlaces(t);
  putLink(join(folder, masterKeyFile), secret);
  assert.throws(
    () => replaceKeyFile(folder),
    (error) =>
      error instanceof MasterKeyError && error.message.includes('is a link, so the key is kept elsewhere'),
  );
  assert.ok(!existsSync(join(folder, previousKeyFile)));
});

test('a file that somebody puts in the place of a draft is not given away', (t) => {
  const { folder } = makePlaces(t);
  const own = statSync(folder).uid;
  if (own === 0) fs.chownSync(join(folder, masterKeyFile), 12_345, 12_345);
  const [other, aside] = [join(folder, 'of-root'), join(folder, 'aside')];
  writeFileSync(other, 'of root');
  after(t, 'writeFileSync', () => {
    const draft = draftIn(folder);
    renameSync(draft, aside);
    renameSync(other, draft);
  });
  replaceKeyFile(folder);
  assert.equal(readFileSync(join(folder, previousKeyFile), 'utf8'), 'of root');
  assert.equal(statSync(join(folder, previousKeyFile)).uid, own);
});

test('a link that somebody puts in the place of a new key leaves the mode of its target', (t) => {
  const { folder, secret } = makePlaces(t);
  rmSync(join(folder, masterKeyFile));
  after(t, 'writeFileSync', () => putLink(draftIn(folder), secret));
  assert.throws(() => makeMasterKey(folder), MasterKeyError);
  assert.equal(statSync(secret).mode & 0o777, 0o644);
});
