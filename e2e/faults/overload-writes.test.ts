import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OwnPostgres, runSql, startPostgres } from '../../packages/server/test/test-postgres.ts';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { signCall } from '../signed-client.ts';
import { asByDefault, assertWithinLimits, loadAfterwards, MemoryWatch } from './overload-limits.ts';
import { runClosedLoop, runOpenLoop } from './overload-load.ts';

const peakConnections = 32;
const seconds = atScale({ bounded: { usual: 1, overload: 2 }, full: { usual: 10, overload: 60 } });
/** Enough that requests seldom lack one; a request is answered or refused within a fraction of a second. */
const connections = atScale({ bounded: 400, full: 2_000 });

let postgres: OwnPostgres;
let directory: Provisioned;

before(async () => {
  postgres = await startPostgres();
  directory = await provisionDirectory(1, await postgres.createDatabase());
});

after(async () => {
  await directory?.remove();
  await postgres.stop();
});

test('writes on PostgreSQL at ten times the peak rate stay within the limits of overload, and a refused one did nothing', async (t) => {
  const server = await ServerProcess.start(directory, '--log-level', 'error', ...asByDefault);
  t.after(() => server.kill());
  const memory = new MemoryWatch(server);
  const { port } = server;
  let sent = 0;
  const next = () => signCall(directory.credentials, 'POST', '/user/stores', { username: `user-${sent++}` });
  await runClosedLoop({ port, connections: peakConnections, seconds: seconds.usual, next });
  await runSql(directory.database ?? '', 'delete from audit_event');
  const before = await countUsers();
  const unloaded = await runClosedLoop({ port, connections: 1, seconds: seconds.usual, next });
  const peak = await runClosedLoop({ port, connections: peakConnections, seconds: seconds.usual, next });
  const perSecond = 10 * peak.acceptedPerSecond;
  const overload = await runOpenLoop({ port, connections, seconds: seconds.overload, perSecond, next });
  const afterwards = await loadAfterwards(() =>
    runClosedLoop({ port, connections: 1, seconds: Math.min(4, seconds.usual), next }),
  );
  const outcomes = [unloaded, peak, overload, ...afterwards];
  const acknowledged = outcomes.reduce((sum, outcome) => sum + outcome.count(0), 0);
  assert.equal((await countUsers()) - before, acknowledged, 'users made, and writes answered with 0');
  for (const code of overload.codes.keys()) assert.ok(code === 0 || code === 1503, `answered with ${code}`);
  assertWithinLimits(t, { unloaded, peak, overload, afterwards });
  memory.assertBounded(t);
});

async function countUsers(): Promise<number> {
  const [row] = await runSql(directory.database ?? '', 'select count(*) as count from "user"');
  return Number(row?.count);
}
