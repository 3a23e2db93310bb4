import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { applications, startTestServer } from '../../test/test-server.ts';
import { RateLimits } from './rate-limits.ts';

const server = await startTestServer({ settings: { rateLimit: 3 } });
after(() => server.close());

const target = '/user?username=nobody';

async function send(as: (typeof applications)[keyof typeof applications] = applications.main) {
  return (await server.call('GET', target, undefined, { as })).envelope.code;
}

test("an application may burst to one second's allowance; the next is 1429 with 429 and Retry-After", async () => {
  assert.deepEqual([await send(), await send(), await send()], [1101, 1101, 1101]);
  const answer = await server.call('GET', target);
  assert.equal(answer.envelope.code, 1429);
  assert.equal(answer.status, 429);
  assert.equal(answer.headers['retry-after'], '1');
  assert.match(answer.envelope.message, /^app-main may make 3 requests a second/);
});

test('one application does not use up another’s allowance', async () => {
  assert.equal(await send(), 1429);
  assert.equal(await send(applications.other), 1101);
});

test('the allowance refills evenly with time, up to a second', async () => {
  server.nowMs += 334;
  assert.deepEqual([await send(), await send()], [1101, 1429]);
  server.nowMs += 60_000;
  assert.deepEqual([await send(), await send(), await send(), await send()], [1101, 1101, 1101, 1429]);
});

test('a clock that is set back neither reduces nor adds to the allowance', async () => {
  server.nowMs -= 5000;
  assert.equal(await send(), 1429);
  server.nowMs += 334;
  assert.equal(await send(), 1101);
});

test('wrongly signed requests do not use up the allowance', async () => {
  server.nowMs += 1000;
  const forger = { appId: applications.main.appId, appSecret: 'wrong' };
  for (let count = 0; count < 10; count += 1) {
    await server.call('GET', target, undefined, { as: forger });
  }
  assert.equal(await send(), 1101);
});

test('a limit of 0 means no limit', () => {
  const limits = new RateLimits(() => 0);
  for (let request = 0; request < 10_000; request += 1) {
    limits.count({ appId: 'app', tenantId: 1n, scope: 'read' }, 0);
  }
});

test('an APPID that names a property of every object has the shares of any other', () => {
  for (const appId of ['constructor', '__proto__', 'toString']) {
    const application = { appId, tenantId: 1n, scope: 'read' } as const;
    const [own, other] = [new RateLimits(() => 3), new RateLimits(() => 3)];
    own.count(application, 0);
    // Nothing is known of the other process's use yet.
    own.learn({ other: {} }, 0);
    assert.throws(() => countFour(own, application), { code: 1429 });
    other.count(application, 0);
    assert.deepEqual(Object.keys(other.report(0)), [appId]);
  }
});

function countFour(limits: RateLimits, application: Parameters<RateLimits['count']>[0]): void {
  for (let request = 0; request < 4; request += 1) limits.count(application, 0);
}
