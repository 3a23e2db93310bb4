import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, startTestServer, type TestServer } from '../../test/test-server.ts';

const viaProxies = { 'X-Forwarded-For': '198.51.100.9, 203.0.113.7' };

async function addressLogged(trustProxy: string, headers: Record<string, string>): Promise<unknown> {
  const server = await startTestServer({ settings: { trustProxy } });
  try {
    const refused = await server.call('GET', '/user?user_id=4711', undefined, { headers });
    await server.createUser('known');
    const answered = await server.call('GET', '/user?username=known', undefined, { headers });
    assert.equal(logged(server, answered), logged(server, refused), 'successes and refusals log the same');
    return logged(server, refused);
  } finally {
    await server.close();
  }
}

function logged({ logLines }: TestServer, { requestId }: Answer): unknown {
  const lines = logLines.map((line) => JSON.parse(line));
  return lines.find((line) => line.request_id === requestId)?.address;
}

test('without a setting, the address of a client is that of its connection', async () => {
  assert.equal(await addressLogged('', {}), '127.0.0.1');
});

test('without a setting, the address of a client behind a proxy is not known', async () => {
  assert.equal(await addressLogged('', viaProxies), null);
  assert.equal(await addressLogged('', { Forwarded: 'for=198.51.100.9' }), null);
});

test('without a proxy, a client’s own claim about its address is not believed', async () => {
  assert.equal(await addressLogged('0', viaProxies), '127.0.0.1');
});

test('only as many proxies as configured are believed', async () => {
  assert.equal(await addressLogged('1', viaProxies), '203.0.113.7');
  assert.equal(await addressLogged('2', viaProxies), '198.51.100.9');
});

test('proxies are believed by their addresses', async () => {
  assert.equal(await addressLogged('127.0.0.0/8', viaProxies), '203.0.113.7');
  assert.equal(await addressLogged('loopback,203.0.113.7', viaProxies), '198.51.100.9');
  assert.equal(await addressLogged('10.0.0.1', viaProxies), '127.0.0.1');
});

test('of a chain of proxies, the last sixteen are read', async () => {
  const through = (count: number) => ({
    'X-Forwarded-For': [
      '203.0.113.7',
      ...Array.from({ length: count }, (_, index) => `10.0.0.${index}`),
    ].join(', '),
  });
  assert.equal(await addressLogged('loopback,10.0.0.0/8', through(15)), '203.0.113.7');
  assert.equal(await addressLogged('loopback,10.0.0.0/8', through(16)), '10.0.0.0');
  assert.equal(await addressLogged('loopback,10.0.0.0/8', through(250)), '10.0.0.234');
});

test('the zone of a proxy counts: the same address on another network is another proxy', async () => {
  const viaLink = { 'X-Forwarded-For': '198.51.100.9, fe80::1%eth0' };
  assert.equal(await addressLogged('127.0.0.1,fe80::1%eth0', viaLink), '198.51.100.9');
  assert.equal(await addressLogged('127.0.0.1,fe80::1%eth1', viaLink), 'fe80::1%eth0');
});

test('text that is not an address is not logged as an address', async () => {
  assert.equal(await addressLogged('1', { 'X-Forwarded-For': '"},{"forged":"1' }), null);
});

test('a proxy that the setting does not name is warned of, once for many requests', async () => {
  const warnings = async (trustProxy: string, headers: Record<string, string>) => {
    const server = await startTestServer({ settings: { trustProxy } });
    try {
      for (let i = 0; i < 3; i++) await server.call('GET', '/user?user_id=4711', undefined, { headers });
      return server.logLines
        .filter((line) => line.includes('--trust-proxy does not name'))
        .map((line) => JSON.parse(line));
    } finally {
      await server.close();
    }
  };
  const [warning, ...more] = await warnings('10.0.0.1', viaProxies);
  assert.deepEqual(more, []);
  assert.equal(warning?.sender, '127.0.0.1');
  for (const trustProxy of ['', '0', '1', '127.0.0.1'])
    assert.deepEqual(await warnings(trustProxy, viaProxies), []);
  assert.deepEqual(await warnings('10.0.0.1', {}), []);
});
