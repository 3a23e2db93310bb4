import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openTestPostgres, type TestPostgres } from '../../packages/server/test/test-postgres.ts';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { runFieldroster } from '../fieldroster-command.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';

const rounds = atScale({ bounded: 1, full: 20 });
const copies = atScale({ bounded: 2, full: 4 });
const stores = atScale({ bounded: 2_000, full: 20_000 });

let postgres: TestPostgres;
let directory: Provisioned;

before(async () => {
  postgres = await openTestPostgres();
  directory = await provisionDirectory(stores);
});

after(async () => {
  await directory?.remove();
  await postgres.stop();
});

const refused =
  /^fieldroster: [^\n]*(another process is writing to|already holds (a directory|data))[^\n]*\n$/;

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  test(`one of ${copies} simultaneous copies into one ${engine} database succeeds, and the others say why they fail`, async () => {
    for (let round = 0; round < rounds; round++) {
      const target =
        engine === 'SQLite' ? join(directory.folder, `copy-${round}`) : await postgres.createDatabase();
      const copy = () => runFieldroster('copy', '--from', directory.data, '--to', target, '--json');
      const results = await Promise.all(Array.from({ length: copies }, copy));
      const succeeded = results.filter(({ exitCode }) => exitCode === 0);
      assert.equal(succeeded.length, 1, results.map(({ stderr }) => stderr).join(''));
      for (const { exitCode, stderr } of results) if (exitCode !== 0) assert.match(stderr, refused);
      const { tables } = JSON.parse(succeeded[0]?.stdout ?? '');
      const copied = tables.find(({ table }: { table: string }) => table === 'store');
      assert.equal(copied.rows, stores);
    }
  });
}
