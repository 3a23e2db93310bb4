import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { ensurePackages } from './ensure-packages.ts';

test('the packages are built again only after a source, the lock file or a built file has changed', async (t) => {
  const root = temporaryFolder(t, { 'packages/a/src/index.ts': '1', 'package-lock.json': '{}' });
  const built = join(root, 'packages/a/dist');
  let builds = 0;
  const ensure = () =>
    ensurePackages(root, async () => {
      builds += 1;
      mkdirSync(built, { recursive: true });
      writeFileSync(join(built, 'index.js'), '1');
    });
  const changes = {
    'the first time': () => {},
    'a changed source': () => writeFileSync(join(root, 'packages/a/src/index.ts'), '2'),
    'a new source': () => writeFileSync(join(root, 'packages/a/src/more.ts'), ''),
    'a changed lock file': () => writeFileSync(join(root, 'package-lock.json'), '{ }'),
    'a changed built file': () => writeFileSync(join(built, 'index.js'), '2'),
    'no built file': () => rmSync(built, { recursive: true }),
  };
  for (const [index, [name, change]] of Object.entries(changes).entries()) {
    change();
    await ensure();
    await ensure();
    assert.equal(builds, index + 1, name);
  }
});
