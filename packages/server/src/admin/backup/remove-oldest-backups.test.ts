import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { runWithoutRoot } from '../../../test/as-another-user.ts';

test('old backups that cannot be removed stay, each with the reason, and stop nothing', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-oldest-'));
  t.after(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  });
  const beginning = [
    { header: { format: 'fieldroster backup', at: '2026-01-01T00:00:00.000Z' } },
    { table: 'tenant', columns: ['id', 'name', 'created_at'] },
    [1, 'default', 1_700_000_000_000],
  ];
  const bytes = zstdCompressSync(beginning.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const files = [1, 2, 3].map((day) => join(folder, `fieldroster-2026010${day}T000000Z.backup`));
  for (const file of files) writeFileSync(file, bytes, { mode: 0o644 });
  chmodSync(folder, 0o555);
  const [first, second, made] = files;
  const printed = await runWithoutRoot(
    { removeOldestBackups: import.meta.resolve('./remove-oldest-backups.ts') },
    `const { removed, stayed } = await removeOldestBackups(${JSON.stringify({ file: made, atMs: 0 })}, 1);
    console.log(JSON.stringify({ removed, stayed: [...stayed] }));`,
  );
  const { removed, stayed } = JSON.parse(printed);
  assert.deepEqual(removed, []);
  assert.deepEqual(
    stayed.map(([file]: string[]) => file),
    [first, second],
  );
  assert.match(stayed[0][1], /^EACCES/);
});
