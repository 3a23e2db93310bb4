import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../test/test-server.ts';
import { queryBuilderSession } from '../database/queries/query-builder-session.ts';
import { KyselyClaims } from '../database/queries/writes/claims.ts';
import { sqliteEngine } from '../database/sqlite/engine.ts';
import { ClaimsUpkeep } from './claims-upkeep.ts';

const server = await startTestServer();
const { claims } = server.database;
test.after(() => server.close());

async function keptAfterRound(): Promise<number> {
  await new ClaimsUpkeep(claims, { warn: (_, message) => assert.fail(message) }).run();
  return (await claims.status()).kept;
}

test('a claim is purged two minutes after its expiry, by the clock of the database', async () => {
  const { nowSeconds } = server;
  const nonce = { appId: 'app', value: 'n' };
  await claims.make({ nonce, requestId: 'r', expiresAtSeconds: nowSeconds - 120 });
  assert.equal(await keptAfterRound(), 1);
  server.nowMs += 1_000;
  assert.equal(await keptAfterRound(), 0);
});

test("a clock more than ten seconds from the database's is logged once a minute, with the difference", async () => {
  let differenceMs = 10_000;
  const session = queryBuilderSession(server.db, sqliteEngine);
  const watched = new KyselyClaims({
    session,
    transact: (work) => work(session),
    settle: (_, transaction) => transaction,
    clock: {
      timeMs: async () => server.nowMs,
      estimateMs: () => server.nowMs,
      differenceMs: () => differenceMs,
    },
    now: () => server.nowMs,
  });
  const lines: unknown[] = [];
  const upkeep = new ClaimsUpkeep(watched, { warn: (...line) => lines.push(line) });
  await upkeep.run();
  assert.deepEqual(lines, []);
  differenceMs = -10_001;
  await upkeep.run();
  await upkeep.run();
  assert.deepEqual(lines, [
    [{ clock_difference_ms: -10_001 }, "this machine's clock is behind the database's; set both by NTP"],
  ]);
});

test('a stop ends a purge of many claims after the step that is under way', async () => {
  const begun = Promise.withResolvers<void>();
  let steps = 100;
  const endless = {
    databaseTimeMs: async () => 0,
    clockDifferenceMs: () => 0,
    async purge() {
      begun.resolve();
      return --steps;
    },
  };
  const upkeep = new ClaimsUpkeep(endless as never, { warn: (_, message) => assert.fail(message) });
  upkeep.start();
  await begun.promise;
  await upkeep.stop();
  assert.ok(steps > 0, 'it did not wait for the last step');
});

test('a server purges expired claims from its start on', async () => {
  const purged = Promise.withResolvers<void>();
  const own = await startTestServer({
    wrapDatabase: (database) =>
      watching(database, (name) => {
        if (name !== 'claims') return undefined;
        return watching(database.claims, (method) => {
          if (method === 'purge') purged.resolve();
          return undefined;
        });
      }),
  });
  await purged.promise;
  await own.close();
});

/** Wraps an object: each property that is read may be replaced. */
function watching<T extends object>(target: T, instead: (name: PropertyKey) => unknown): T {
  return new Proxy(target, {
    get(_, name) {
      const value = instead(name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
