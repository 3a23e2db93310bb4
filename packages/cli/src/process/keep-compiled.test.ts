import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { commandPath } from '../../../../scripts/testing/command-under-test.ts';
import { temporaryFolder } from '../../test/run-command.ts';

const folder = temporaryFolder();

function run(environment: NodeJS.ProcessEnv, cwd = folder) {
  const {
    XDG_CACHE_HOME: _,
    NODE_COMPILE_CACHE: __,
    NODE_DISABLE_COMPILE_CACHE: ___,
    ...inherited
  } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [...commandPath, 'explain', '--help'], {
    env: { ...inherited, ...environment },
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stderr };
}

const nobody = 65534;

const done = { status: 0, stderr: '' };

function filesIn(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
}

test("compiled code is kept in the user's cache folder, unless the cache is turned off", () => {
  const [kept, homeCaches, off] = ['caches', 'home/.cache', 'off'].map((name) => join(folder, name));
  assert.deepEqual(run({ XDG_CACHE_HOME: kept }), done);
  assert(filesIn(join(kept ?? '', 'fieldroster')) > 0);
  assert.deepEqual(run({ HOME: join(folder, 'home') }), done);
  assert(filesIn(join(homeCaches ?? '', 'fieldroster')) > 0);
  mkdirSync(off ?? '');
  assert.deepEqual(run({ XDG_CACHE_HOME: off, NODE_DISABLE_COMPILE_CACHE: '1' }), done);
  assert.equal(filesIn(off ?? ''), 0);
});

describe('no compiled code is kept where another user could plant some:', () => {
  const homeOf = (name: string) => {
    const home = join(folder, name);
    mkdirSync(join(home, '.cache/fieldroster'), { recursive: true });
    return home;
  };
  const assertNotKept = (home: string) => {
    assert.deepEqual(run({ HOME: home }), done);
    assert.equal(filesIn(join(home, '.cache/fieldroster')), 0);
  };

  test('in a folder that everybody may change', () => {
    const home = homeOf('shared');
    chmodSync(join(home, '.cache'), 0o777);
    assertNotKept(home);
  });

  test('in a folder that a group may change', () => {
    for (const part of ['', '.cache', '.cache/fieldroster']) {
      const home = homeOf(`of a group ${part.replaceAll('/', ' ')}`);
      chmodSync(join(home, part), 0o775);
      assertNotKept(home);
    }
  });

  test('in the folder that Node.js makes there, if a group may change it, or if it is a link', () => {
    const home = join(folder, 'changed below');
    assert.deepEqual(run({ HOME: home }), done);
    const cache = join(home, '.cache/fieldroster');
    const [own] = readdirSync(cache);
    assert(own !== undefined);
    const emptied = join(folder, 'emptied');
    renameSync(join(cache, own), join(folder, 'filled'));
    mkdirSync(emptied);
    symlinkSync(emptied, join(cache, own));
    assertNotKept(home);
    assert.equal(filesIn(emptied), 0);
    rmSync(join(cache, own));
    mkdirSync(join(cache, own));
    chmodSync(join(cache, own), 0o775);
    assertNotKept(home);
  });

  test('behind a link in such a folder', () => {
    const [home, elsewhere] = [homeOf('linking'), homeOf('elsewhere')];
    chmodSync(home, 0o777);
    symlinkSync(join(elsewhere, '.cache'), join(home, 'caches'));
    assert.deepEqual(run({ XDG_CACHE_HOME: join(home, 'caches') }), done);
    assert.equal(filesIn(elsewhere), 0);
  });

  test('in the home of another user', (t) => {
    if (process.getuid?.() !== 0) {
      t.diagnostic('NOT TESTED: only root can give a folder away');
      return;
    }
    for (const part of ['', '.cache', '.cache/fieldroster']) {
      const home = homeOf(`given ${part.replaceAll('/', ' ')}`);
      chownSync(join(home, part), nobody, nobody);
      assertNotKept(home);
    }
  });
});

test('nobody else may enter the folders of the cache, even where a group may by default', () => {
  const home = join(folder, 'generous');
  const before = process.umask(0o002);
  try {
    for (const _ of ['makes them', 'uses them']) {
      assert.deepEqual(run({ HOME: home }), done);
      const cache = join(home, '.cache/fieldroster');
      assert(filesIn(cache) > 0);
      for (const path of [cache, ...readdirSync(cache).map((name) => join(cache, name))]) {
        assert.equal(statSync(path).mode & 0o077, 0, path);
        for (const name of readdirSync(path).filter((name) => statSync(join(path, name)).isFile()))
          rmSync(join(path, name));
      }
    }
  } finally {
    process.umask(before);
  }
});

test('a command works without a writable cache folder', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  assert.deepEqual(run({ XDG_CACHE_HOME: file }), done);
  const caches = join(folder, 'with a file');
  mkdirSync(caches);
  writeFileSync(join(caches, 'fieldroster'), '');
  assert.deepEqual(run({ XDG_CACHE_HOME: caches }), done);
  assert.deepEqual(run({ HOME: '', USERPROFILE: '' }), done);
});

test('a command starts where the system makes no folder in a home that exists', (t) => {
  if (!existsSync('/proc/self')) {
    t.diagnostic('NOT TESTED: this system has no /proc');
    return;
  }
  for (const environment of [{ HOME: '/proc' }, { XDG_CACHE_HOME: '/proc/caches' }])
    assert.deepEqual(run(environment), done);
});

test('no cache is put into the working folder when the home or the cache folder is a relative path', () => {
  const cwd = join(folder, 'working');
  mkdirSync(cwd);
  for (const environment of [{ HOME: 'home' }, { XDG_CACHE_HOME: 'caches' }])
    assert.deepEqual(run(environment, cwd), done);
  assert.deepEqual(readdirSync(cwd), []);
});
