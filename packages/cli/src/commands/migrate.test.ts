import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const data = join(temporaryFolder(), 'new');
const run = (...words: string[]) => runCommand(['migrate', ...words, '--data', data]);

test('a dry run names the migrations and makes nothing; a run does them once', async () => {
  assert.match((await run('--dry-run')).stdout, /^would run: 001-initial/);
  assert.equal(existsSync(data), false);
  const refused = await runCommand(['serve', '--no-migrate', '--port', '0', '--data', data]);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /run: fieldroster migrate/);
  assert.match((await run()).stdout, /^ran: 001-initial/);
  assert.equal((await run()).stdout, 'the tables are up to date\n');
  const { migrations, dry_run } = JSON.parse((await run('--dry-run', '--json')).stdout);
  assert.deepEqual([migrations, dry_run], [[], true]);
});
