import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { after, describe, type TestContext, test } from 'node:test';
import { runSql, startPostgres } from '../../../server/test/test-postgres.ts';
import { runCommand, startCommand, temporaryFolder } from '../../test/run-command.ts';

const postgres = await startPostgres({ durable: false });
after(() => postgres.stop());

/** Starts to follow the calls of a new database. */
async function startFollowing(t: TestContext) {
  const database = await postgres.createMigratedDatabase();
  const place = ['--data', temporaryFolder(), '--database', database];
  assert.equal((await runCommand(['tenant', 'create', 'a', ...place])).exitCode, 0);
  const fail = (requestId: string, atMs = Date.now()) =>
    runSql(
      database,
      "insert into failed_call (request_id, at, verified, code, message, duration_us, method, target) values ($1, $2, 0, 1101, 'no such user', 1, 'GET', '/user')",
      [requestId, atMs],
    );
  return { database, fail, ...follow(t, place) };
}

/** Follows the calls of a database. */
function follow(t: TestContext, place: readonly string[]) {
  const child = startCommand(['calls', '--follow', ...place]);
  t.after(() => child.kill('SIGKILL'));
  assert(child.stdout !== null && child.stderr !== null);
  const printed = { shown: '', told: '' };
  const printing = new EventEmitter();
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    printed.shown += part;
    printing.emit('more');
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    printed.told += part;
    printing.emit('more');
  });
  const ended = once(child, 'close').finally(() => printing.emit('more'));
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) {
      assert.equal(child.exitCode, null, `the command ended: ${printed.told}`);
      await once(printing, 'more');
    }
  };
  return { printed, ended, until };
}

describe('calls --follow', () => {
  test('goes on after a restart of PostgreSQL, and says once each that it is away and that it answers again', async (t) => {
    const { fail, printed, until } = await startFollowing(t);
    const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;
    await fail('before', minutesAgo(5));
    await until(() => printed.shown.includes('before'));
    await postgres.kill();
    await until(() => printed.told !== '');
    await postgres.start();
    await fail('of-one-server');
    await until(() => printed.shown.includes('of-one-server'));
    // Another server writes only now what failed in the meantime.
    await fail('of-another-server', minutesAgo(4));
    await until(() => printed.shown.includes('of-another-server'));
    const ids = printed.shown.match(/before|of-one-server|of-another-server/g);
    assert.deepEqual(ids, ['before', 'of-one-server', 'of-another-server'], 'each call is shown once');
    assert.match(
      printed.told,
      /^fieldroster: .*; failed calls show again once it answers\nfieldroster: the database answers again\n$/,
    );
  });

  test('ends once its database no longer exists', async (t) => {
    const { database, fail, printed, ended, until } = await startFollowing(t);
    await fail('before');
    await until(() => printed.shown.includes('before'));
    const name = new URL(database).pathname.slice(1);
    await runSql(postgres.url, `drop database ${name} with (force)`);
    const [exitCode] = await ended;
    assert.equal(exitCode, 1);
    assert.match(printed.told, /does not exist; correct the user, password or name in the database URL\n$/);
  });
});
