import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type OwnPostgres, startPostgres } from '../../packages/server/test/test-postgres.ts';
import { runFieldroster, spawnFieldroster } from '../fieldroster-command.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';

let postgres: OwnPostgres;
let directory: Provisioned;

before(async () => {
  postgres = await startPostgres();
  directory = await provisionDirectory(5, await postgres.createMigratedDatabase());
});

after(async () => {
  await directory?.remove();
  await postgres.stop();
});

for (const workers of [1, 2]) {
  test(`serve with --workers ${workers} waits for a PostgreSQL that starts after it, and says so`, async () => {
    await postgres.kill();
    const flags = ['--port', '0', '--workers', String(workers)];
    const child = spawnFieldroster(['serve', ...directory.flags, ...flags]);
    try {
      const output = readOutput(child);
      const waiting = await output.until(/[^\n]*waiting for the database[^\n]*(?=\n)/);
      const { database, at_most_s, cause } = JSON.parse(waiting);
      assert.equal(
        database,
        new URL(directory.database ?? '').host + new URL(directory.database ?? '').pathname,
      );
      assert.equal(at_most_s, 60);
      assert.match(cause, /ECONNREFUSED/);
      await postgres.start();
      await output.until(/listens on/);
    } finally {
      await endProcess(child);
    }
  });
}

/** Collects the output of a process. */
function readOutput(child: ChildProcess) {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const ended = once(child, 'close').then(() => {
    throw new Error(`the server has ended: ${text}`);
  });
  // A kill at the end of the test is expected.
  ended.catch(() => {});
  return {
    async until(pattern: RegExp): Promise<string> {
      for (;;) {
        const [found] = pattern.exec(text) ?? [];
        if (found !== undefined) return found;
        const output = [child.stdout, child.stderr].flatMap((stream) =>
          stream ? [once(stream, 'data')] : [],
        );
        await Promise.race([...output, ended]);
      }
    },
  };
}

test('serve and migrate say which session holds the lock that they wait for, and go on when it ends', async () => {
  const holder = new pg.Client({ connectionString: directory.database, application_name: 'night job' });
  await holder.connect();
  await holder.query('begin; lock table kysely_migration in access exclusive mode');
  const children = [
    spawnFieldroster(['serve', ...directory.flags, '--port', '0']),
    spawnFieldroster(['migrate', ...directory.flags]),
  ];
  try {
    const outputs = children.map(readOutput);
    const waiting =
      /waiting for a lock: session \d+ \(application night job, role postgres, from \S+\) has been idle in a transaction since \S+ after begin, and holds locks on kysely_migration; unless that is another node migrating the tables, let its owner end the transaction, or end it: select pg_terminate_backend\(\d+\)/;
    await Promise.all(outputs.map((output) => output.until(waiting)));
    await holder.end();
    await Promise.all([outputs[0]?.until(/listens on/), outputs[1]?.until(/the tables are up to date/)]);
  } finally {
    await holder.end();
    await Promise.all(children.map(endProcess));
  }
});

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'close');
}

test('serve does not wait for a database that refuses its login, and says what to correct', async () => {
  const wrongPassword = Object.assign(new URL(directory.database ?? ''), { password: 'geheim' }).href;
  const missing = Object.assign(new URL(directory.database ?? ''), { pathname: '/missing' }).href;
  const cases = [
    [wrongPassword, /refuses the connection: password authentication failed/],
    [missing, /refuses the connection: database \\?"missing\\?" does not exist/],
  ] as const;
  for (const [url, reason] of cases) {
    const { exitCode, stderr } = await runFieldroster(
      'serve',
      '--data',
      directory.data,
      '--database',
      url,
      '--port',
      '0',
    );
    assert.equal(exitCode, 1);
    assert.match(stderr, reason);
    assert.match(stderr, /correct the user, password or name in the database URL/);
    assert.doesNotMatch(stderr, /geheim/);
  }
});

test('serve ends with the reason when the wait is over', async () => {
  await postgres.kill();
  const flags = [...directory.flags, '--port', '0', '--wait-for-database', '0'];
  const { exitCode, stderr, stdout } = await runFieldroster('serve', ...flags);
  assert.equal(exitCode, 1);
  assert.match(stderr, /is unavailable: .*ECONNREFUSED/);
  assert.doesNotMatch(stdout, /waiting for the database/);
  await postgres.start();
});
