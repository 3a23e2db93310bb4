import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const unit = readFileSync(new URL('../../deploy/fieldroster.service', import.meta.url), 'utf8');

if (spawnSync('systemd-analyze', ['--version']).error === undefined) {
  test('systemd has nothing to say against deploy/fieldroster.service', verifyUnit);
} else {
  console.error('NOT TESTED: deploy/fieldroster.service, because there is no systemd-analyze');
}

function verifyUnit(): void {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-unit-'));
  const file = join(folder, 'fieldroster.service');
  // Node.js may be elsewhere than on the machine that the unit is for.
  writeFileSync(file, unit.replace('ExecStart=/usr/bin/node ', `ExecStart=${process.execPath} `));
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true, force: true });
  assert.deepEqual([status, stdout + stderr], [0, '']);
}
