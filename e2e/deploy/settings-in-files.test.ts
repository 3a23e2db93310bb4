import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSettings, settingDefinitions } from '@fieldroster/server/admin';
import { expectFieldroster, repositoryRoot } from '../fieldroster-command.ts';

const files = [
  'Dockerfile',
  ...globSync('deploy/**/*.{yaml,service,conf,timer,sh,sql}', { cwd: repositoryRoot }).filter(
    (file) => !file.startsWith('deploy/secrets/'),
  ),
];

const secrets = [
  'FIELDROSTER_DATABASE_URL',
  'FIELDROSTER_DATABASE_REPLICA_URL',
  'FIELDROSTER_MASTER_KEY',
  'FIELDROSTER_MASTER_KEY_PREVIOUS',
];
const known = new Set([
  ...settingDefinitions.map(({ environment }) => environment),
  'FIELDROSTER_CONFIG',
  // Not a setting of the server: the command that deploy/backup.sh runs.
  'FIELDROSTER_COMMAND',
  ...secrets,
  ...secrets.map((name) => `${name}_FILE`),
]);

test('the deployment files name only settings that exist', () => {
  assert.ok(files.length > 8, String(files));
  const unknown = files.flatMap((file) => {
    const text = readFileSync(join(repositoryRoot, file), 'utf8');
    const names = text.match(/\bFIELDROSTER_[A-Z_]+\b/g) ?? [];
    return names.filter((name) => !known.has(name)).map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(unknown, []);
});

test('the deployment files give every setting an accepted value, and no secret as a value', () => {
  const given = /\b(FIELDROSTER_[A-Z_]+)(?:=|: |, value: )"?([^\s"}\\]+)/g;
  let found = 0;
  for (const file of files) {
    const text = readFileSync(join(repositoryRoot, file), 'utf8').replaceAll(/^\s*#.*$/gm, '');
    for (const [, name = '', value = ''] of text.matchAll(given)) {
      assert.equal(secrets.includes(name), false, `${file} gives ${name} itself`);
      readSettings({}, { [name]: value });
      found += 1;
    }
  }
  assert.ok(found > 20, `only ${found} were found`);
});

test('the addresses for clusters with IPv6, which only comments name, are accepted', () => {
  for (const [file, name, value] of [
    ['deploy/kubernetes.yaml', 'FIELDROSTER_HOST', '::'],
    ['docs/monitoring.md', 'FIELDROSTER_METRICS', '[::]:9464'],
  ] as const) {
    assert.match(
      readFileSync(join(repositoryRoot, file), 'utf8'),
      new RegExp(`^ *# .*"${RegExp.escape(value)}"`, 'm'),
    );
    readSettings({}, { [name]: value });
  }
});

test('every deployment that mounts a master key can mount the previous one beside it, for a rotation', () => {
  const of = (file: string, name: string) =>
    readFileSync(join(repositoryRoot, file), 'utf8').match(new RegExp(`\\b${name}\\b(?=[:=,])`, 'g'))
      ?.length ?? 0;
  const mounting = files.filter((file) => of(file, 'FIELDROSTER_MASTER_KEY_FILE') > 0);
  assert.equal(mounting.length, 4, String(mounting));
  for (const file of mounting) {
    assert.equal(
      of(file, 'FIELDROSTER_MASTER_KEY_PREVIOUS_FILE'),
      of(file, 'FIELDROSTER_MASTER_KEY_FILE'),
      file,
    );
  }
});

test('every setting of the configuration file is accepted', async () => {
  const path = join(repositoryRoot, 'deploy/fieldroster.toml');
  const printed = JSON.parse(await expectFieldroster('config', 'check', '--config', path, '--json'));
  const fromFile = printed.filter(({ origin }: { origin: string }) => origin.endsWith(path));
  assert.equal(fromFile.length, readFileSync(path, 'utf8').match(/^[a-z-]+ = /gm)?.length);
});
