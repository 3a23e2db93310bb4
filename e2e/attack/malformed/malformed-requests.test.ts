import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atScale } from '../../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../../each-engine.ts';
import type { Provisioned } from '../../provision-directory.ts';
import { digestTables, readAcceptedWrites } from '../../read-database.ts';
import { SeededRandom } from '../../seeded-random.ts';
import { ServerProcess } from '../../server-process.ts';
import { type Credentials, SignedClient } from '../../signed-client.ts';
import { LongestWait, wordsOf, workMsMax } from '../longest-wait.ts';
import { mebibyte, peakMemoryOf } from '../process-memory.ts';
import { bodyCases } from './body-cases.ts';
import { framingCases } from './framing-cases.ts';
import type { FuzzCase, FuzzWorld, MakeCase } from './fuzz-case.ts';
import { grammarCases } from './grammar-cases.ts';
import { headerCases } from './header-cases.ts';
import { jsonCases } from './json-cases.ts';
import { noiseCases } from './noise-cases.ts';
import { queryCases } from './query-cases.ts';
import { type Exchange, RawConnection, type RawResponse } from './raw-connection.ts';

/** Requests on each engine; a million together at full size. Few malformed requests reach the database. */
const requestsOn = {
  SQLite: atScale({ bounded: 800, full: 500_000 }),
  PostgreSQL: atScale({ bounded: 200, full: 500_000 }),
};
const connections = 8;

const generators: Readonly<Record<string, readonly MakeCase[]>> = {
  grammar: [...headerCases, ...grammarCases, ...grammarCases, ...grammarCases],
  'byte noise': noiseCases,
  framing: framingCases,
  JSON: [...bodyCases, ...jsonCases, ...jsonCases, ...jsonCases],
  query: queryCases,
};

/** Beside other tests, which empty the server's caches, the event loop may work for longer at once, in milliseconds. */
const workMs = atScale({ bounded: 500, full: workMsMax });

/** How much memory may grow in the second half of the requests, in bytes. */
const growthMax = atScale({ bounded: 32, full: 64 }) * mebibyte;

describeOnEachEngine((provision, engine) => {
  const requests = Number(process.env.FIELDROSTER_E2E_FUZZ ?? requestsOn[engine]);

  test(`${requests} malformed requests each get a refusal, never a 5xx, and change nothing`, async (t) => {
    const random = SeededRandom.ofRun();
    const directory = await provision(20);
    const server = await ServerProcess.start(directory, '--log-level', 'error');
    const waits = new LongestWait(server);
    try {
      const world = await prepareWorld(directory, server);
      const before = await digestTables(directory);
      const acceptedBefore = await readAcceptedWrites(directory);
      const idle = await waits.learnIdle();
      const fuzzing = new Fuzzing(random, world, server);
      await fuzzing.sendUntil(requests / 2);
      const usual = peakMemoryOf(server.pid);
      const longest = await waits.during(fuzzing.sendUntil(requests));
      const grown = peakMemoryOf(server.pid) - usual;
      assert.ok(!waits.isTooLong(longest, workMs), `another client waited for ${wordsOf(longest)}`);
      assert.ok(grown < growthMax, `memory grew by ${grown} bytes`);
      assert.ok(server.running, 'the server has ended');
      assert.equal(server.errorLines[0], undefined, 'the server logged a fault of its own');
      assert.deepEqual(await digestTables(directory), before);
      const accepted = await readAcceptedWrites(directory);
      const recorded = [...accepted.difference(acceptedBefore)];
      assert.deepEqual(recorded, [], 'a refused write was recorded as accepted');
      await proveHealth(directory, server);
      t.diagnostic(
        `figure: ${engine}: ${requests} requests, no 5xx; ${wordsOf(longest)} before an answer to ` +
          `another client (idle: ${wordsOf(idle)}); memory grew by ${(grown / mebibyte).toFixed(1)} MiB`,
      );
      t.diagnostic(
        [...fuzzing.counts]
          .sort()
          .map(([outcome, count]) => `${outcome}: ${count}`)
          .join(', '),
      );
    } catch (error) {
      t.diagnostic(`repeat with FIELDROSTER_E2E_SEED=${random.seed} FIELDROSTER_E2E_FUZZ=${requests}`);
      throw error;
    } finally {
      waits.close();
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
  await hashPasswords(credentials, server);
  return { credentials, username, userId, storeCode: storeCodes[5] as string };
}

/** Lets every thread that hashes passwords take the memory for it, 19 MiB, which it keeps. */
async function hashPasswords(credentials: Credentials, server: ServerProcess): Promise<void> {
  const client = new SignedClient(server.url, credentials, connections);
  const answers = await Promise.all(
    Array.from({ length: 4 * connections }, (_, index) =>
      client.call('POST', '/user', { username: `resident-${index}`, password: 'a password' }),
    ),
  );
  client.close();
  assert.deepEqual(new Set(answers.map(({ code }) => code)), new Set([0]));
}

/** Sends the cases over several connections at once, and counts the outcomes. */
class Fuzzing {
  readonly counts = new Map<string, number>();
  readonly #random: SeededRandom;
  readonly #world: FuzzWorld;
  readonly #port: number;
  #sent = 0;
  #failed = false;

  constructor(random: SeededRandom, world: FuzzWorld, { port }: ServerProcess) {
    this.#random = random;
    this.#world = world;
    this.#port = port;
  }

  /** Resolves once that many requests in total have been sent and judged. */
  async sendUntil(count: number): Promise<void> {
    const ended = await Promise.allSettled(Array.from({ length: connections }, () => this.#sendUntil(count)));
    for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async #sendUntil(count: number): Promise<void> {
    const connection = new RawConnection(this.#port);
    try {
      while (this.#sent < count && !this.#failed) await this.#sendNext(connection, this.#sent++);
    } catch (error) {
      this.#failed = true;
      throw error;
    } finally {
      connection.close();
    }
  }

  async #sendNext(connection: RawConnection, number: number): Promise<void> {
    // Each case has its own generator, so the speed of the others does not change it.
    const own = new SeededRandom(this.#random.seed + number * 7919);
    const [generator, cases] = own.pick(Object.entries(generators));
    const make = own.pick(cases);
    const fuzzCase = make(own, this.#world);
    const exchange = await connection.exchange(fuzzCase);
    const outcome = `${generator} ${judge(fuzzCase, exchange, `case ${number}, ${make.name}`)}`;
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
  }
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

/** Asserts that the server still works for correct requests. */
async function proveHealth({ credentials }: Provisioned, { url }: ServerProcess): Promise<void> {
  const client = new SignedClient(url, credentials, 1);
  const { code, data } = await client.call('GET', '/user?username=resident');
  client.close();
  assert.deepEqual([code, data?.username], [0, 'resident']);
}
