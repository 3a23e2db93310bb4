import { fieldroster } from '../contenders/fieldroster.ts';
import { Program } from '../contenders/program.ts';
import { seeded, storeCode } from '../directory/seeded-user.ts';
import type { PlainRequest } from '../load/request-file.ts';
import type { Scenario } from '../measurement.ts';
import { queryUserTraffic } from './query-user.ts';
import { randomNumbers } from './random.ts';

/** What it costs that a write is on disk, claimed and audited before it is answered. */
const againstReads: Scenario = {
  name: 'bind-user-store',
  title: 'POST /user/store, durable',
  comparedTo: 'GET /user',
  unit: 'req/s',
  better: 'higher',
  mark: 0.4,
  measured: (bench, subject) => fieldroster(bench, subject, ({ users }) => bindUserStoreTraffic(users)),
  reference: (bench, subject) => fieldroster(bench, subject, ({ users }) => queryUserTraffic(users)),
};

/** As many as the connections of the load: the server cannot have more in one commit. */
const together = 32;

/** How much of it the engine takes, which no server on it can go below. */
const againstStatements: Scenario = {
  name: 'bind-user-store-statements',
  title: 'POST /user/store, durable',
  comparedTo: `its rows by prepared statements, ${together} in a transaction`,
  unit: 'req/s',
  better: 'higher',
  measured: againstReads.measured,
  reference: async (bench, subject) => {
    const { folder, users } = await bench.newDirectory(subject);
    const args = [folder, String(users), String(together)];
    return Program.start('baselines/raw-bindings.ts', args, bench.cores.server);
  },
};

export const bindUserStore: readonly Scenario[] = [againstReads, againstStatements];

/** Binds random users to random stores at concurrency 32; nearly every binding is a new one. */
export function bindUserStoreTraffic(users: number) {
  const random = randomNumbers(2);
  return {
    connections: together,
    once: true,
    firstCount: 60_000,
    requests: (count: number) => bindings(count, users, random),
  };
}

function* bindings(count: number, users: number, random: () => number): Generator<PlainRequest> {
  for (let index = 0; index < count; index += 1) {
    const user_id = 1 + Math.floor(random() * users);
    const store_code = storeCode(Math.floor(random() * seeded.stores));
    yield { method: 'POST', target: '/user/store', body: JSON.stringify({ user_id, store_code }) };
  }
}
