import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSql, startPostgres } from '../../../server/test/test-postgres.ts';
import { runCommand, startCommand, temporaryFolder } from '../../test/run-command.ts';

test('calls --follow goes on after a restart of PostgreSQL, and says once that it was away', async (t) => {
  const postgres = await startPostgres({ durable: false });
  t.after(() => postgres.stop());
  const database = await postgres.createMigratedDatabase();
  const place = ['--data', temporaryFolder(), '--database', database];
  assert.equal((await runCommand(['tenant', 'create', 'a', ...place])).exitCode, 0);
  const fail = (requestId: string) =>
    runSql(
      database,
      "insert into failed_call (request_id, at, verified, code, message, duration_us, method, target) values ($1, $2, 0, 1101, 'no such user', 1, 'GET', '/user')",
      [requestId, Date.now()],
    );
  await fail('before');
  const following = startCommand(['calls', '--follow', ...place]);
  t.after(() => following.kill());
  assert(following.stdout !== null && following.stderr !== null);
  const shown = following.stdout.setEncoding('utf8')[Symbol.asyncIterator]();
  const untilShown = async (requestId: string) => {
    for (let all = ''; !all.includes(requestId); ) {
      const { done, value } = await shown.next();
      assert.ok(done !== true, 'the command ended');
      all += value;
    }
  };
  const { promise: isAway, resolve: noteAway } = Promise.withResolvers<void>();
  let told = '';
  following.stderr.setEncoding('utf8').on('data', (part: string) => {
    told += part;
    noteAway();
  });
  await untilShown('before');
  await postgres.kill();
  await isAway;
  await postgres.start();
  await fail('after');
  await untilShown('after');
  assert.match(told, /^fieldroster: .*; failed calls show again once it answers\n$/);
});
