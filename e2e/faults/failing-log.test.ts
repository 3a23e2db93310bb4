import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { type OwnPostgres, runSql, startPostgres } from '../../packages/server/test/test-postgres.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { readRows } from '../read-database.ts';
import { ServerProcess } from '../server-process.ts';
import { type Answer, SignedClient } from '../signed-client.ts';
import { canTrace } from './can-trace.ts';

// PostgreSQL cannot sync or write its log, reports that to the client that commits, and crashes. Where only the sync
// failed, it finds the commit in its log when it starts again.

const writes = 6;

/** What strace makes of the system calls with which a process of PostgreSQL writes its log. */
const faults = {
  'the sync of the log fails': 'fdatasync:error=EIO',
  'the disk has no room for the log': 'pwrite64:error=ENOSPC',
};

if (!canTrace())
  console.error(
    'NOT TESTED: a PostgreSQL whose log cannot be written, because strace cannot follow processes',
  );
else testFaults();

function testFaults(): void {
  let postgres: OwnPostgres;
  let directory: Provisioned;
  let server: ServerProcess;
  let client: SignedClient;

  before(async () => {
    postgres = await startPostgres();
    directory = await provisionDirectory(1, await postgres.createMigratedDatabase());
    server = await ServerProcess.start(directory);
    client = new SignedClient(server.url, directory.credentials);
  });
  after(async () => {
    client?.close();
    await server?.kill();
    await directory?.remove();
    await postgres.stop();
  });

  for (const [fault, injection] of Object.entries(faults)) {
    test(`of ${writes} writes, none that took effect is reported as refused when ${fault}`, async (t) => {
      await server.untilReady();
      const calls = Array.from({ length: writes }, (_, index) => {
        const username = `${fault} ${index}`;
        return { username, call: client.sign('POST', '/user/stores', { username }) };
      });
      const tracers = await traceSessions(injection);
      assert.ok(tracers.length > 0, 'the server has sessions');
      const sent = calls.map(async ({ username, call }) => ({
        username,
        call,
        answer: await client.exchange(call),
      }));
      const answers = await Promise.all(sent);
      for (const tracer of tracers) tracer.kill();
      await server.until(recovered);
      await server.untilReady();
      const pids = new Set((await listSessions()).map(({ pid }) => String(pid)));
      const ended = tracers.filter(({ spawnargs }) => !pids.has(spawnargs[2] ?? ''));
      assert.equal(ended.length, tracers.length, 'PostgreSQL has crashed');
      for (const { username, call, answer } of answers)
        await verify(username, answer, (await client.send(call)).code);
      const codes = answers.map(({ answer }) => answer.envelope.code);
      t.diagnostic(`figure: when ${fault}, ${writes} writes were answered ${codes.join(', ')}`);
    });
  }

  /** Returns whether PostgreSQL has started again; `/readyz` may say so a second too early. */
  const recovered = () =>
    runSql(postgres.url, 'select 1').then(
      () => true,
      () => false,
    );

  const listSessions = () =>
    runSql(postgres.url, "select pid from pg_stat_activity where application_name = 'fieldroster'");

  /** Lets the calls fail in each session of the server. */
  async function traceSessions(injection: string): Promise<ChildProcess[]> {
    return Promise.all(
      (await listSessions()).map(async ({ pid }) => {
        const tracer = spawn('strace', ['-p', String(pid), '-o', '/dev/null', '-e', `inject=${injection}`]);
        const [line] = await once(tracer.stderr, 'data');
        assert.match(String(line), /attached/);
        return tracer;
      }),
    );
  }

  /** @param replayed the code with which the same request was answered later */
  async function verify(username: string, { envelope }: Answer, replayed: number): Promise<void> {
    const { code, message } = envelope;
    const rows = await readRows(
      directory,
      `select (select count(*) from audit_event where user_id = "user".id) as events from "user" where username = ?`,
      username,
    );
    assert.deepEqual(
      rows.map(({ events }) => Number(events)),
      [1],
      username,
    );
    if (code === 1503) assert.equal(replayed, 0, `${username}: refused, but had taken effect`);
    else if (code === 0) assert.equal(replayed, 1015, username);
    else assert.match(`${code} ${message}`, /^1500 the outcome is unknown/);
  }
}
