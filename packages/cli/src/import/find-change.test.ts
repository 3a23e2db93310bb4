import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { type SeenRequest, UnreliableProxy } from '../../../client/test/unreliable-proxy.ts';
import { ImportBench } from '../../test/import-bench.ts';
import { type CommandResult, collect, startCommand } from '../../test/run-command.ts';

const bench = await ImportBench.open('changed');
const { env } = bench.tenant('changed');

/** Imports a file through a proxy that calls `change` once: when the first request for which `isMoment` is true arrives. */
async function importWhile(
  t: TestContext,
  words: readonly string[],
  change: () => void,
  isMoment: (request: SeenRequest) => boolean = () => true,
): Promise<CommandResult> {
  const proxy = await UnreliableProxy.start(Number(new URL(env.FIELDROSTER_URL).port));
  t.after(() => proxy.close());
  let isChanged = false;
  proxy.treat = (_count, request) => {
    if (!isChanged && isMoment(request)) {
      isChanged = true;
      change();
    }
    return 'deliver';
  };
  return collect(startCommand(['user', 'import', ...words], { env: { ...env, FIELDROSTER_URL: proxy.url } }));
}

const isBatch = ({ target }: SeenRequest): boolean => target.endsWith('/batch');

function toldOf(path: string): string {
  return `fieldroster: ${path} was changed while it was read, so the rows may be of either version; run the same command for the file as it is now\n`;
}

test('rows of another file are never reported as failed, with their passwords, for those that were sent', async (t) => {
  const path = bench.write(
    'replaced.csv',
    'username,role_id,password\nalice,7,Alice-Pass-1\nbob,404,Bob-Pass-1\n',
  );
  writeFileSync(`${path}.new`, 'username,role_id,password\ndave,7,Dave-Pass-1\nerin,8,Erin-Pass-1\n');
  const { exitCode, stdout, stderr } = await importWhile(
    t,
    [path],
    () => renameSync(`${path}.new`, path),
    isBatch,
  );
  assert.equal(exitCode, 1);
  assert.equal(stderr, `fieldroster: line 3: bob: no role has id 404\n${toldOf(path)}`);
  assert.equal(
    stdout,
    `imported 2 rows of replaced.csv: 1 created, 0 updated, 0 unchanged, 1 failed; each row is in ${path}.result.csv\n`,
  );
  assert(!existsSync(`${path}.failed.csv`));
  assert(!existsSync(`${path}.result.csv.state`));
});

test('a file that grew is reported, and the same command then imports all of it', async (t) => {
  const path = bench.write('grown.csv', 'username\ngrown.a\ngrown.b\n');
  // The first request follows the first reading.
  const first = await importWhile(t, [path], () => appendFileSync(path, 'grown.c\n'));
  assert.equal(first.exitCode, 1);
  assert.equal(first.stderr, toldOf(path));
  const second = await importWhile(t, [path], () => {});
  assert.deepEqual([second.exitCode, second.stderr], [0, '']);
  assert.match(second.stdout, /^imported 3 rows of grown\.csv: 0 created, 0 updated, 3 unchanged, 0 failed;/);
  assert.equal(readFileSync(`${path}.result.csv`, 'utf8').trimEnd().split('\n').length, 4);
});

test('a file that became shorter, even within a quote, is reported as changed', async (t) => {
  const path = bench.write('shorter.csv', 'username,phone\nshorter.a,1\nshorter.b,"2"\n');
  const cut = () => truncateSync(path, 'username,phone\nshorter.a,1\nshorter.b,"'.length);
  const { exitCode, stdout, stderr } = await importWhile(t, [path, '--json'], cut);
  assert.deepEqual([exitCode, stderr], [1, toldOf(path)]);
  assert.equal(JSON.parse(stdout).rows, 0);
  assert(!existsSync(`${path}.result.csv.state`));
});

test('a dry run of a file that lacks rows at its end fails', async (t) => {
  const path = bench.write('dry.csv', 'username\ndry.1\ndry.2\n');
  const shorten = () => writeFileSync(path, 'username\ndry.1\n');
  const { exitCode, stdout, stderr } = await importWhile(t, [path, '--dry-run'], shorten);
  assert.deepEqual([exitCode, stderr], [1, toldOf(path)]);
  assert.match(stdout, /would import 1 row of dry\.csv: .*; 1 row is left\n$/);
});
