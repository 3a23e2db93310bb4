import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, linkSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ImportBench } from '../../test/import-bench.ts';
import { type CommandResult, runCommand } from '../../test/run-command.ts';

const bench = await ImportBench.open('paths');

function importFile(path: string, ...flags: readonly string[]): Promise<CommandResult> {
  return runCommand(['user', 'import', path, ...flags], { env: bench.tenant('paths').env });
}

test('an import never overwrites the file that it imports, under whatever name', async () => {
  const content = 'username,role_id\nself.a,7\n';
  const source = bench.write('self.csv', content);
  const twin = bench.write('twin.csv', content);
  const other = join(bench.folder, 'other');
  linkSync(twin, `${other}.failed.csv`);
  const linked = join(bench.folder, 'linked.csv');
  symlinkSync(source, linked);
  for (const [path, result, overwritten] of [
    [source, source, source],
    [linked, source, source],
    [twin, other, `${other}.failed.csv`],
  ] as const) {
    const { exitCode, stderr } = await importFile(path, '--result', result);
    assert.equal(exitCode, 2, stderr);
    assert.equal(
      stderr,
      `fieldroster: ${overwritten} is the file to import, and this import would overwrite it; give another --result\n`,
    );
    assert.equal(readFileSync(path, 'utf8'), content);
  }
  assert.deepEqual(bench.readUsers('paths'), [], 'nothing was sent');
});

test('corrected rows are not lost if they are imported with the same --result', async () => {
  const result = join(bench.folder, 'corrected.csv');
  const path = bench.write('faulty.csv', 'username,role_id\nfaulty,404\n');
  assert.equal((await importFile(path, '--result', result)).exitCode, 1);
  const failed = `${result}.failed.csv`;
  const corrected = readFileSync(failed, 'utf8').replace(',404', ',7');
  bench.write('corrected.csv.failed.csv', corrected);
  assert.match((await importFile(failed, '--result', result)).stderr, /is the file to import/);
  assert.equal(readFileSync(failed, 'utf8'), corrected);
  const { exitCode, stderr } = await importFile(failed);
  assert.equal(exitCode, 0, stderr);
});

test('an import replaces only a result file that an import has written, even one without rows', async () => {
  const path = bench.write('result.csv', 'username\nresult\n');
  for (const content of ['payroll, the only copy\n', 'line,username,outcome,code\n']) {
    const result = bench.write('payroll.csv', content);
    chmodSync(result, 0o644);
    const { exitCode, stderr } = await importFile(path, '--result', result, '--restart');
    assert.equal(exitCode, 2, stderr);
    assert.equal(
      stderr,
      `fieldroster: ${result} is not the result file of an import, and would be overwritten; move it away, or give another --result\n`,
    );
    assert.equal(readFileSync(result, 'utf8'), content);
    assert.equal(statSync(result).mode & 0o777, 0o644);
    assert(!existsSync(`${result}.state`));
  }
  const earlier = join(bench.folder, 'earlier.csv');
  assert.equal((await importFile(path, '--result', earlier)).exitCode, 0);
  const written = join(bench.folder, 'written.csv');
  for (const begin of [() => copyFileSync(earlier, written), () => bench.write('written.csv', 'line,user')]) {
    begin();
    const { exitCode, stderr } = await importFile(path, '--result', written);
    assert.equal(exitCode, 0, stderr);
    assert.equal(readFileSync(written, 'utf8').split('\n')[1], '2,result,unchanged,0,');
  }
});
