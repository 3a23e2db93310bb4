import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../each-engine.ts';
import type { Provisioned } from '../provision-directory.ts';
import { digestTables, readAcceptedWrites } from '../read-database.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { bodyCases } from './body-cases.ts';
import { framingCases } from './framing-cases.ts';
import type { FuzzCase, FuzzWorld, MakeCase } from './fuzz-case.ts';
import { headerCases } from './header-cases.ts';
import { queryCases } from './query-cases.ts';
import { type Exchange, RawConnection, type RawResponse } from './raw-connection.ts';

const requests = Number(process.env.FIELDROSTER_E2E_FUZZ ?? 2_000);
const connections = 8;

const groups: readonly (readonly MakeCase[])[] = [bodyCases, queryCases, headerCases, framingCases];

describeOnEachEngine((provision) => {
  test(`${requests} malformed requests each get a refusal, never a 5xx, and change nothing`, async (t) => {
    const random = SeededRandom.ofRun();
    const directory = await provision(20);
    const server = await ServerProcess.start(directory);
    try {
      const world = await prepareWorld(directory, server);
      const before = await digestTables(directory);
      const acceptedBefore = await readAcceptedWrites(directory);
      const counts = await sendAll(random, world, server);
      assert.ok(server.running, 'the server has ended');
      assert.equal(server.errorLines[0], undefined, 'the server logged a fault of its own');
      assert.deepEqual(await digestTables(directory), before);
      const accepted = await readAcceptedWrites(directory);
      const recorded = [...accepted.difference(acceptedBefore)];
      assert.deepEqual(recorded, [], 'a refused write was recorded as accepted');
      await proveHealth(directory, server);
      t.diagnostic(
        [...counts]
          .sort()
          .map(([outcome, count]) => `${outcome}: ${count}`)
          .join(', '),
      );
    } catch (error) {
      t.diagnostic(`repeat with FIELDROSTER_E2E_SEED=${random.seed} FIELDROSTER_E2E_FUZZ=${requests}`);
      throw error;
    } finally {
      await server.kill();
      await directory.remove();
    }
  });
});

async function prepareWorld(directory: Provisioned, server: ServerProcess): Promise<FuzzWorld> {
  const { credentials, storeCodes, roleIds, orgIds } = directory;
  const client = new SignedClient(server.url, credentials, 1);
  const username = 'resident';
  const { data } = await client.call('POST', '/user/stores', {
    username,
    store_codes: storeCodes.slice(0, 3),
  });
  const userId = Number(data?.id);
  await client.call('POST', '/user/role', { user_id: userId, role_id: roleIds[0] });
  await client.call('POST', '/user/org', { user_id: userId, org_id: orgIds[0] });
  client.close();
  return { credentials, username, userId, storeCode: storeCodes[5] as string };
}

/** Sends the cases over several connections; returns how often each outcome was seen. */
async function sendAll(
  random: SeededRandom,
  world: FuzzWorld,
  { port }: ServerProcess,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let sent = 0;
  let failed = false;
  const worker = async () => {
    const connection = new RawConnection(port);
    while (sent < requests && !failed) {
      const number = sent++;
      // A generator of its own for each case: how fast the others are changes nothing in it.
      const own = new SeededRandom(random.seed + number * 7919);
      const make = own.pick(own.pick(groups));
      const fuzzCase = make(own, world);
      const outcome = judge(fuzzCase, await connection.exchange(fuzzCase), `case ${number}, ${make.name}`);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
    connection.close();
  };
  const stopOthers = (error: unknown) => {
    failed = true;
    throw error;
  };
  const ended = await Promise.allSettled(
    Array.from({ length: connections }, () => worker().catch(stopOthers)),
  );
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
  return counts;
}

/** Returns the code of the first answer, or how the exchange ended without one. */
function judge(fuzzCase: FuzzCase, exchange: Exchange, name: string): string {
  const request = `${name}: ${JSON.stringify(fuzzCase.bytes.toString('latin1', 0, 3_000))}`;
  assert.notEqual(exchange.end, 'silent', `neither answered nor closed: ${request}`);
  if (fuzzCase.sound) assert.equal(exchange.responses.length, 1, `no answer: ${request}`);
  assert.equal(exchange.rest.toString('latin1'), '', `half an answer: ${request}`);
  const codes = exchange.responses.map((response) => judgeResponse(fuzzCase, response, request));
  return String(codes[0] ?? exchange.end);
}

function judgeResponse(
  { bodiless, sound }: FuzzCase,
  { status, headers, body }: RawResponse,
  request: string,
) {
  assert.ok(status >= 200 && status < 500, `status ${status}: ${request}`);
  if (sound) assert.ok(headers.has('x-request-id'), `no X-Request-Id: ${request}`);
  if (bodiless && body.length === 0) return `HEAD ${status}`;
  const text = body.toString();
  assert.match(
    headers.get('content-type') ?? '',
    /^application\/json/,
    `status ${status} without envelope: ${request}`,
  );
  const { code, message, ...rest } = JSON.parse(text) as Record<string, unknown>;
  assert.ok(Number.isInteger(code) && code !== 0, `${text} to ${request}`);
  assert.ok(typeof message === 'string' && message !== '', `${text} to ${request}`);
  assert.deepEqual(rest, {}, `${text} to ${request}`);
  return code;
}

/** It still works for those who do it right. */
async function proveHealth({ credentials }: Provisioned, { url }: ServerProcess): Promise<void> {
  const client = new SignedClient(url, credentials, 1);
  const { code, data } = await client.call('GET', '/user?username=resident');
  client.close();
  assert.deepEqual([code, data?.username], [0, 'resident']);
}
