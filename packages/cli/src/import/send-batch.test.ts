import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { UnreliableProxy } from '../../../client/test/unreliable-proxy.ts';
import { ImportBench, readResults } from '../../test/import-bench.ts';
import { collect, startCommand } from '../../test/run-command.ts';

const bench = await ImportBench.open('lost');
const busy = {
  status: 503,
  headers: { 'Retry-After': '1' },
  body: JSON.stringify({ code: 1503, message: 'busy' }),
};

test('a row that failed in a lost answer is imported if it no longer fails, and never only reported as done', async (t) => {
  const { env, client } = bench.tenant('lost');
  await client.batchUpdateUserStores({ username: 'lost.old', phone: '1' });
  const proxy = await UnreliableProxy.start(Number(new URL(env.FIELDROSTER_URL).port));
  t.after(() => proxy.close());
  let batches = 0;
  let changed = false;
  proxy.treat = (_count, { target }) => {
    if (!target.endsWith('/batch')) return 'deliver';
    batches += 1;
    if (batches === 1) return 'drop';
    // Between the lost answer and the next attempt, an operator adds the missing role and changes another user.
    if (batches === 2)
      void client
        .createRole({ id: 77n, name: 'Added late' })
        .then(() => client.batchUpdateUserStores({ username: 'lost.changed', phone: '3' }))
        .then(() => {
          changed = true;
        });
    return changed ? 'deliver' : busy;
  };
  const path = bench.write(
    'lost.csv',
    [
      'username,role_id,phone,password',
      'lost.new,77,,',
      'lost.old,77,2,',
      'lost.kept,7,,',
      'lost.changed,7,2,',
      'lost.none,404,,',
      'lost.secret,7,,Long-Enough-1',
      '',
    ].join('\n'),
  );
  const { exitCode, stderr } = await collect(
    startCommand(['user', 'import', path], { env: { ...env, FIELDROSTER_URL: proxy.url } }),
  );
  assert.equal(exitCode, 1, stderr);
  assert(batches > 2, 'no answer was lost: the test has shown nothing');
  assert.deepEqual(
    readResults(`${path}.result.csv`).map(([line, username, outcome, code]) => [
      line,
      username,
      outcome,
      code,
    ]),
    [
      ['2', 'lost.new', 'created', '0'],
      ['3', 'lost.old', 'updated', '0'],
      ['4', 'lost.kept', 'applied', '0'],
      ['5', 'lost.changed', 'updated', '0'],
      ['6', 'lost.none', 'failed', '1201'],
      ['7', 'lost.secret', 'applied', '0'],
    ],
  );
  assert.equal((await client.queryUser({ username: 'lost.new' })).roles[0]?.id, 77n);
  assert.equal((await client.queryUser({ username: 'lost.old' })).phone, '2');
  assert.equal((await client.queryUser({ username: 'lost.changed' })).phone, '2');
  assert.match(readFileSync(`${path}.failed.csv`, 'utf8'), /,lost\.none,404,/);
});
