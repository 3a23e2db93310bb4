import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '@fieldroster/contract';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { type Provisioned, storeCodeOf } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient, signCall } from '../signed-client.ts';
import { issueManager } from './issue-manager.ts';
import { LongestWait, restUnlessFull, type Waits, wordsOf } from './longest-wait.ts';
import { forgetPeak, mappedMemoryOf, mebibyte, peakMemoryOf } from './process-memory.ts';

const storeCount = atScale({ bounded: 10_000, full: limits.storeCodesMax });

/** The longest address, of characters that take six bytes each in JSON: a list of 50,000 stores takes 300 MB. */
const address = '\u0001'.repeat(1_000);

/** A body of this many stores stays below its limit. */
const storesAtOnce = 1_000;

const timesAtOnce = 4;
const grownBytesMax = atScale({ bounded: 200, full: 300 }) * mebibyte;

/** Connections on which nobody reads the answer. */
const silentConnections = atScale({ bounded: 40, full: 200 });

/** A list of this many stores takes 7 MB. This many connections wait for one: together, far more than is allowed. */
const someStores = 1_000;
const silentForSome = 100;

/** How long the server has to begin answers on them: it lets a few begin in a second. */
const silentMs = 4_000;

describeOnEachEngine((provision, engine) => {
  test('the stores of a user who has as many as it may have are answered in bounded memory, to several callers at once and to clients that read nothing', async (t) => {
    const directory = await provision(1);
    const codes = Array.from({ length: storeCount }, (_, index) => storeCodeOf(index));
    const users = { many: codes, some: codes.slice(0, someStores) };
    const [target = '', ofSome = ''] = await createUsersWith(users, directory);
    const server = await ServerProcess.start(directory);
    const waits = new LongestWait(server, restUnlessFull);
    const expected = digestOf(codes);
    const call = () => digestOfAnswer(server, directory, target);
    const silent: Socket[] = [];
    try {
      const client = new SignedClient(server.url, directory.credentials);
      assert.equal((await client.call('GET', '/user?username=many')).code, 0);
      client.close();
      const usual = ownPeakOf(server);
      await waits.learnIdle();
      const assertBounded = (label: string, longest: Waits) => {
        const grown = ownPeakOf(server) - usual;
        const figure = `${wordsOf(longest)}, ${Math.round(grown / mebibyte)} MiB more at the peak`;
        t.diagnostic(`figure: ${engine}: ${storeCount} stores, ${label}: ${figure}`);
        assert.ok(grown < grownBytesMax, `${label}: ${grown} bytes more`);
        if (fullScale) assert.ok(!waits.isTooLong(longest), `${label}: ${wordsOf(longest)}`);
      };
      for (const times of [1, timesAtOnce]) {
        forgetPeak(server.pid);
        const digests = Promise.all(Array.from({ length: times }, call));
        const waited = await waits.during(digests);
        for (const digest of await digests) assert.equal(digest, expected);
        assertBounded(`${times} at once`, waited);
      }
      forgetPeak(server.pid);
      while (silent.length < silentConnections) silent.push(await askSilently(server, directory, target));
      assertBounded(`${silentConnections} that read nothing`, await waits.during(delay(silentMs)));
      for (const socket of silent.splice(0)) socket.resetAndDestroy();
      forgetPeak(server.pid);
      while (silent.length < silentForSome) silent.push(await askSilently(server, directory, ofSome));
      const waited = await waits.during(delay(silentMs));
      assertBounded(`${silentForSome} that read nothing of ${someStores}`, waited);
    } finally {
      for (const socket of silent) socket.resetAndDestroy();
      waits.close();
      await server.kill();
      await directory.remove();
    }
  });
});

/** Returns the peak without the mapped files: SQLite maps its own, so what was read of it counts as memory. */
function ownPeakOf({ pid }: ServerProcess): number {
  return peakMemoryOf(pid) - mappedMemoryOf(pid);
}

/**
 * Makes users with these stores by a server of its own, whose memory grows with the bodies. Returns the targets of their
 * stores.
 */
async function createUsersWith(
  users: { readonly many: readonly string[]; readonly some: readonly string[] },
  directory: Provisioned,
): Promise<readonly string[]> {
  const { many: codes } = users;
  const manager = await issueManager(directory);
  const server = await ServerProcess.start(directory);
  const client = new SignedClient(server.url, manager);
  try {
    for (let start = 0; start < codes.length; start += storesAtOnce) {
      const stores = codes.slice(start, start + storesAtOnce).map(storeOf);
      assert.equal((await client.call('POST', '/stores', { stores })).code, 0);
    }
    const targets: string[] = [];
    for (const [username, store_codes] of Object.entries(users)) {
      const { data } = await client.call('POST', '/user/stores', { username, store_codes });
      targets.push(`/user/store?user_id=${data?.id}`);
    }
    return targets;
  } finally {
    client.close();
    await server.kill();
  }
}

function storeOf(code: string) {
  return { code, name: 'n', address };
}

/** Returns the digest of the whole envelope, without holding it. */
function digestOf(codes: readonly string[]): string {
  const hash = createHash('sha256').update('{"code":0,"message":"","data":{"stores":[');
  for (const [index, code] of codes.entries())
    hash.update(`${index === 0 ? '' : ','}${JSON.stringify(storeOf(code))}`);
  return hash.update(']}}').digest('hex');
}

async function digestOfAnswer(server: ServerProcess, { credentials }: Provisioned, target: string) {
  const { headers } = signCall(credentials, 'GET', target);
  const asked = request(new URL(target, server.url), { headers }).end();
  const [response]: IncomingMessage[] = await once(asked, 'response');
  const hash = createHash('sha256');
  for await (const chunk of response ?? []) hash.update(chunk);
  return hash.digest('hex');
}

/** Asks for the stores on a connection of its own, and reads no byte of the answer. */
async function askSilently(server: ServerProcess, { credentials }: Provisioned, target: string) {
  const { headers } = signCall(credentials, 'GET', target);
  const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(server.port, '127.0.0.1')
    .pause()
    .on('error', () => {});
  await new Promise<void>((resolve) =>
    socket.write(`GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, () => resolve()),
  );
  return socket;
}
