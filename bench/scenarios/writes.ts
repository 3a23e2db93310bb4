import { readsBesidePasswords } from '../contenders/beside-passwords.ts';
import { fieldroster } from '../contenders/fieldroster.ts';
import { pgbenchBindings, pgbenchIsMissing } from '../contenders/pgbench.ts';
import { startProgram } from '../contenders/program.ts';
import { username } from '../directory/seeded-user.ts';
import { type Bench, type Contender, revalued, type Scenario, type Subject } from '../measurement.ts';
import { batchCodes, usersOfReplacement } from './payloads.ts';
import {
  bindUserStoreTraffic,
  connections,
  createUserTraffic,
  passwordsAtOnce,
  queryUserTraffic,
  send,
  writes,
} from './traffic.ts';

const bindings: Scenario['measured'] = (bench, subject) =>
  fieldroster(bench, subject, ({ users }) => bindUserStoreTraffic(users));

const storesOfReplacement = 1_000;

/** What the server uses of its pool for writes. */
const writeConnections = 8;

/** Durable writes, compared with reads or with their rows alone. */
export const writeRows: readonly Scenario[] = [
  {
    name: 'bind-user-store',
    title: 'POST /user/store, durable',
    comparedTo: 'GET /user',
    unit: 'req/s',
    better: 'higher',
    mark: 0.4,
    measured: bindings,
    reference: (bench, subject) => fieldroster(bench, subject, ({ users }) => queryUserTraffic(users)),
  },
  {
    name: 'bind-user-store-statements',
    title: 'POST /user/store, durable',
    comparedTo: `its rows by prepared statements, ${connections} in a transaction`,
    unit: 'req/s',
    better: 'higher',
    measured: bindings,
    // The server cannot have more in one commit than there are connections.
    reference: (bench, subject) => statements(bench, subject, 'bind-stores', connections),
  },
  {
    name: 'bind-user-store-pgbench',
    title: 'POST /user/store, PostgreSQL',
    comparedTo: `its statements by pgbench over ${writeConnections} connections`,
    unit: 'req/s',
    better: 'higher',
    mark: 0.8,
    unavailable: pgbenchIsMissing,
    measured: (bench, subject) =>
      fieldroster(bench, subject, ({ users }) => bindUserStoreTraffic(users), { engine: 'PostgreSQL' }),
    reference: (bench, subject) => pgbenchBindings(bench, subject, writeConnections),
  },
  {
    name: `batch-update-user-stores-${storesOfReplacement}`,
    title: `POST /user/stores, ${storesOfReplacement.toLocaleString('en')} stores`,
    comparedTo: 'prepared statements, one transaction',
    unit: 'batches/s',
    better: 'higher',
    mark: 0.5,
    measured: (bench, subject) => fieldroster(bench, subject, replacementTraffic),
    reference: (bench, subject) => statements(bench, subject, 'replace-stores', storesOfReplacement),
  },
  {
    name: 'create-user',
    title: 'POST /user with a password',
    comparedTo: 'argon2id alone, same cores',
    unit: 'users/s',
    better: 'higher',
    mark: 0.9,
    // A hash takes so long that those unfinished at the end of a short round would count.
    plan: { seconds: 5 },
    measured: (bench, subject) => fieldroster(bench, subject, createUserTraffic, { cores: bench.cores.all }),
    reference: (bench) =>
      startProgram('baselines/argon2id-alone.ts', [String(passwordsAtOnce)], bench.cores.all),
  },
  {
    name: 'query-user-beside-passwords',
    title: 'p99 of GET /user while users with passwords are created',
    comparedTo: 'without them, same cores',
    unit: 'ms',
    better: 'lower',
    limit: 10,
    plan: { seconds: 5 },
    measured: readsBesidePasswords,
    reference: async (bench, subject) => {
      const plan = ({ users }: { readonly users: number }) => queryUserTraffic(users);
      return revalued(
        await fieldroster(bench, subject, plan, { cores: bench.cores.all }),
        ({ p99Ms = Number.NaN }) => p99Ms,
      );
    },
  },
  {
    name: 'import-stores',
    title: 'CSV import of new stores',
    comparedTo: 'prepared inserts, one transaction',
    unit: 'rows/s',
    better: 'higher',
    mark: 0.3,
    // A round reads one file in a fifth of a second; the time that the disk adds to that varies.
    plan: { rounds: 15 },
    measured: async (bench, subject) => {
      const { folder } = await bench.newDirectory(subject);
      return startProgram('contenders/import-stores.ts', [subject.root, folder], bench.cores.server);
    },
    reference: (bench, subject) => statements(bench, subject, 'import-stores', 0),
  },
];

async function statements(
  bench: Bench,
  subject: Subject,
  kind: string,
  perCommit: number,
): Promise<Contender> {
  const { folder, users } = await bench.newDirectory(subject);
  const args = [kind, folder, String(users), String(perCommit)];
  return startProgram('baselines/statements.ts', args, bench.cores.server);
}

/** Replaces all stores of a few users in turn, over one connection. */
function replacementTraffic() {
  const replacement = (index: number) =>
    send('POST', '/user/stores', {
      username: username(1 + (index % usersOfReplacement)),
      store_codes: batchCodes(Math.floor(index / usersOfReplacement) % 2, storesOfReplacement),
    });
  return { ...writes(replacement, 1_000_000 / storesOfReplacement), connections: 1 };
}
