import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { repositoryRoot } from '../fieldroster-command.ts';
import { deploymentPath, readDeploymentFile, sizeInBytes } from './deployment-file.ts';

const unit = readDeploymentFile('fieldroster.service');
const files = [
  'fieldroster.service',
  'fieldroster.service.d/config-file.conf',
  'fieldroster.service.d/postgresql.conf',
  'fieldroster-backup.service',
  'fieldroster-backup.service.d/postgresql.conf',
  'fieldroster-backup.timer',
];

if (spawnSync('systemd-analyze', ['--version']).error === undefined) {
  const folder = copyUnits(files);
  const embedded = copyUnits(files.filter((file) => !file.startsWith('fieldroster-backup.service.d/')));
  after(() => {
    for (const each of [folder, embedded]) rmSync(each, { recursive: true });
  });

  test('systemd accepts the units, with and without PostgreSQL', () => {
    const units = files.filter((file) => !file.endsWith('.conf')).map((file) => join(folder, file));
    assert.deepEqual(analyze('verify', '--man=no', ...units), [0, '']);
    writeFileSync(join(folder, 'fieldroster.service.d/misspelt.conf'), '[Service]\nLoadCredentials=a:/b\n');
    assert.match(analyze('verify', '--man=no', ...units)[1], /Unknown key .*LoadCredentials/);
    rmSync(join(folder, 'fieldroster.service.d/misspelt.conf'));
  });

  test('systemd rates the exposure of the units at 1.5 of 10 at most, of a backup without network at 1.0', (t) => {
    for (const [units, name, most] of [
      [folder, 'fieldroster.service', 15],
      [folder, 'fieldroster-backup.service', 15],
      [embedded, 'fieldroster-backup.service', 10],
    ] as const) {
      const file = join(units, name);
      const [status, text] = analyze('security', '--offline=true', `--threshold=${most}`, '--no-pager', file);
      assert.equal(status, 0, text);
      t.diagnostic(`figure: ${/exposure level for .*?: ([\d.]+)/.exec(text)?.[0]}`);
    }
  });
} else {
  console.error('NOT TESTED: the systemd units, because there is no systemd-analyze');
}

test('the server is restarted however often it fails', () => {
  assert.deepEqual(valuesOf('StartLimitIntervalSec'), ['0']);
  assert.deepEqual(valuesOf('Restart'), ['always']);
});

test('if the kernel kills one worker for its memory, the others go on', () => {
  assert.deepEqual(valuesOf('OOMPolicy'), ['continue']);
});

test('memory and tasks have limits: 1 GiB for each worker', () => {
  const workers = Number(/--workers (\d+)/.exec(unit)?.[1]);
  assert.equal(sizeInBytes(valuesOf('MemoryMax')[0]), workers * 2 ** 30);
  assert.equal(valuesOf('TasksMax').length, 1);
});

test('the server has more time to stop than its drain and its longest request take', () => {
  assert.match(unit, /^Environment=.*FIELDROSTER_DRAIN=5$/m);
  assert.ok(Number(valuesOf('TimeoutStopSec')[0]) > 5 + 30);
});

test('the server reaches this machine only, and with PostgreSQL private networks too', () => {
  assert.deepEqual(valuesOf('IPAddressDeny'), ['any']);
  assert.deepEqual(valuesOf('IPAddressAllow'), ['localhost']);
  const postgres = readDeploymentFile('fieldroster.service.d/postgresql.conf');
  assert.match(postgres, /^IPAddressAllow=10\.0\.0\.0\/8 172\.16\.0\.0\/12 192\.168\.0\.0\/16 fc00::\/7$/m);
});

test('the backup of PostgreSQL reaches what the server reaches, and nothing else', () => {
  const allowed = (text: string) =>
    [...text.matchAll(/^IPAddressAllow=(.*)$/gm)].flatMap(([, value = '']) => value.split(' ')).sort();
  const backup = readDeploymentFile('fieldroster-backup.service.d/postgresql.conf');
  assert.match(backup, /^IPAddressDeny=any$/m);
  const ofServer = unit + readDeploymentFile('fieldroster.service.d/postgresql.conf');
  assert.deepEqual(allowed(backup), allowed(ofServer));
});

test('the backup has the settings of the server, such as FIELDROSTER_DATABASE_INSECURE', () => {
  const [settings = ''] = valuesOf('EnvironmentFile');
  assert.ok(readDeploymentFile('fieldroster-backup.service').includes(`\nEnvironmentFile=${settings}\n`));
});

test('the server and its backup run as the same user', () => {
  const backup = readDeploymentFile('fieldroster-backup.service');
  for (const setting of ['User=fieldroster', 'DynamicUser=yes']) {
    assert.ok(unit.includes(`\n${setting}\n`) && backup.includes(`\n${setting}\n`), setting);
  }
});

test('all units and the documented commands run the same Node.js, and the documented change reaches every unit', (t) => {
  const program = '/opt/fieldroster/packages/cli/dist/main.js';
  const pages = ['deploying.md', 'runbook.md', 'keys.md', 'operating.md', 'backup.md', 'monitoring.md'];
  const texts = [
    ...files.map(readDeploymentFile),
    ...pages.map((page) => readFileSync(join(repositoryRoot, 'docs', page), 'utf8')),
  ];
  const nodes = texts.flatMap((text) =>
    [...text.matchAll(new RegExp(`(\\S+) ${program}`, 'g'))].map(([, node = '']) =>
      node.replace(/^.*[="`]/, ''),
    ),
  );
  assert.ok(nodes.length >= 6, String(nodes));
  assert.deepEqual([...new Set(nodes)], ['/usr/bin/node']);

  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-node-'));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(deploymentPath(''), join(folder, 'deploy'), {
    recursive: true,
    filter: (path) => !path.endsWith('secrets'),
  });
  const [change = ''] =
    /^ *sed -i .*$/m.exec(readFileSync(join(repositoryRoot, 'docs/deploying.md'), 'utf8')) ?? [];
  assert.equal(spawnSync('sh', ['-c', change], { cwd: folder }).status, 0, change);
  const changed = files.map((file) => readFileSync(join(folder, 'deploy', file), 'utf8')).join('');
  assert.equal(changed.includes('/usr/bin/node'), false);
  assert.equal(changed.match(/\/opt\/fieldroster\/node_modules\/\.bin\/node /g)?.length, 3);
});

function valuesOf(name: string): readonly string[] {
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

/** Copies the units, with the paths that their programs have on this machine. */
function copyUnits(files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-unit-'));
  for (const file of files) {
    const text = readFileSync(deploymentPath(file), 'utf8')
      .replace('ExecStart=/usr/bin/node ', `ExecStart=${process.execPath} `)
      .replace('ExecStart=/opt/fieldroster/deploy/', `ExecStart=${deploymentPath('')}/`);
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

function analyze(...words: readonly string[]): readonly [number | null, string] {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
  return [status, stdout + stderr];
}
