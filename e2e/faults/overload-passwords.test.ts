import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashByArgon2 } from '../../packages/server/src/passwords/hashes/argon2.ts';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { signCall } from '../signed-client.ts';
import { assertWithinLimits, loadAfterwards } from './overload-limits.ts';
import { runClosedLoop, runOpenLoop } from './overload-load.ts';
import { serveUsers } from './serve-users.ts';

const peakConnections = 4;
const seconds = atScale({ bounded: { usual: 1, overload: 3 }, full: { usual: 10, overload: 60 } });
const connections = 400;
/** More users than connections, because the checks of one user take turns. */
const users = 2_000;

test('password checks at ten times the peak rate are done or refused within the limits of overload', async (t) => {
  const password = 'the right password';
  const password_hash = await hashByArgon2(password);
  const { server, memory, credentials } = await serveUsers(t, users, { password_hash });
  const { port } = server;
  let sent = 0;
  const next = () =>
    signCall(credentials, 'POST', '/user/password/check', {
      username: `user-${sent++ % users}`,
      password,
    });
  const unloaded = await runClosedLoop({ port, connections: 1, seconds: seconds.usual, next });
  const peak = await runClosedLoop({ port, connections: peakConnections, seconds: seconds.usual, next });
  const perSecond = 10 * peak.acceptedPerSecond;
  const overload = await runOpenLoop({ port, connections, seconds: seconds.overload, perSecond, next });
  const afterwards = await loadAfterwards(() =>
    runClosedLoop({ port, connections: 1, seconds: Math.min(4, seconds.usual), next }),
  );
  for (const code of overload.codes.keys()) assert.ok(code === 0 || code === 1503, `answered with ${code}`);
  assertWithinLimits(t, { unloaded, peak, overload, afterwards });
  memory.assertBounded(t);
});
