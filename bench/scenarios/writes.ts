import { runSql } from '../../packages/server/test/test-postgres.ts';
import type { Bench } from '../bench.ts';
import { fieldroster, serveFieldroster, startFieldroster } from '../contenders/fieldroster.ts';
import { pgbenchBindings, pgbenchIsMissing } from '../contenders/pgbench.ts';
import { benchPostgres } from '../directory/bench-postgres.ts';
import { newDirectory } from '../directory/new-directory.ts';
import type { Subject } from '../directory/seed.ts';
import { type Contender, p99Of, type Scenario, type StartContender } from '../measurement.ts';
import { timeOnce } from '../process/parent.ts';
import { startProgram } from '../process/start.ts';
import {
  bindUserStoreTraffic,
  connections,
  createUserTraffic,
  passwordsAtOnce,
  queryUserTraffic,
  replacementTraffic,
} from './traffic.ts';

const [storesOfReplacement, usersOfBatch] = [1_000, 10_000];

/** The connections of its pool that the server uses for writes. */
const writeConnections = 8;

/** Durable writes, compared with reads or with their rows alone. */
export const writeRows: readonly Scenario[] = [
  {
    name: 'bind-user-store',
    title: 'POST /user/store, durable',
    comparedTo: 'GET /user',
    mark: 0.4,
    measured: fieldroster(bindUserStoreTraffic),
    reference: fieldroster(queryUserTraffic),
  },
  {
    name: 'bind-user-store-statements',
    title: 'POST /user/store, durable',
    comparedTo: `its rows by prepared statements, ${connections} in a transaction`,
    // 35 µs more than the 91 µs that the statements took when this was promised.
    mark: 0.72,
    measured: fieldroster(bindUserStoreTraffic),
    // The server cannot put more bindings into one commit than there are connections.
    reference: statementsAlone('bind-stores', connections),
  },
  {
    name: 'bind-user-store-pgbench',
    title: 'POST /user/store, PostgreSQL',
    comparedTo: `its statements by pgbench over ${writeConnections} connections`,
    mark: 0.8,
    unavailable: pgbenchIsMissing,
    measured: fieldroster(bindUserStoreTraffic, { engine: 'PostgreSQL' }),
    reference: pgbenchBindings(writeConnections),
  },
  {
    name: `batch-update-user-stores-${storesOfReplacement}`,
    title: `POST /user/stores, ${storesOfReplacement.toLocaleString('en')} stores`,
    comparedTo: 'prepared statements, one transaction',
    unit: 'batches/s',
    mark: 0.5,
    measured: fieldroster(() => replacementTraffic(storesOfReplacement)),
    reference: statementsAlone('replace-stores', storesOfReplacement),
  },
  {
    name: 'batch-users-statements',
    title: 'POST /users/batch, 10,000 known users with 10 stores, by our client',
    comparedTo: 'its rows by prepared statements in one transaction',
    unit: 'users/s',
    mark: 0.8,
    plan: { seconds: 5, rounds: 3 },
    measured: batchClient,
    reference: statementsAlone('batch-users', usersOfBatch),
  },
  {
    name: 'create-user',
    title: 'POST /user with a password',
    comparedTo: 'argon2id alone, same cores',
    unit: 'users/s',
    mark: 0.9,
    // A hash takes so long that those unfinished at the end of a short round would count.
    plan: { seconds: 5 },
    measured: fieldroster(createUserTraffic, { cores: 'all' }),
    reference: (bench) => startProgram(bench, 'baselines/argon2id-alone.ts', [passwordsAtOnce], 'all'),
  },
  {
    name: 'query-user-beside-passwords',
    title: 'p99 of GET /user while users with passwords are created',
    comparedTo: 'without them, same cores',
    unit: 'ms',
    limit: 10,
    plan: { seconds: 5 },
    measured: p99Of(readsBesidePasswords),
    reference: p99Of(fieldroster(queryUserTraffic, { cores: 'all' })),
  },
  {
    name: 'import-stores',
    title: 'CSV import of new stores',
    comparedTo: 'prepared inserts, one transaction',
    unit: 'rows/s',
    mark: 0.3,
    // A round reads one file in a fifth of a second; the time that the disk adds to that varies.
    plan: { rounds: 15 },
    measured: async (bench, subject) => {
      const { folder } = await newDirectory(bench, subject);
      return startProgram(bench, 'contenders/import-stores.ts', [subject.root, folder]);
    },
    reference: statementsAlone('import-stores'),
  },
  {
    name: 'copy-users',
    title: 'copying users with a role, an organization and a store to PostgreSQL',
    comparedTo: 'CREATE DATABASE … TEMPLATE, which copies the finished files',
    unit: 'users/s',
    // Ten million in five minutes.
    limit: 33_334,
    plan: { rounds: 3 },
    measured: async (bench, subject) => {
      const { folder, users } = await newDirectory(bench, subject);
      const { url } = await benchPostgres(bench);
      return startProgram(bench, 'contenders/copy-users.ts', [subject.root, folder, users, url]);
    },
    reference: copiedFiles,
  },
];

/** Reads of a server that creates users with passwords as fast as it can at the same time. */
async function readsBesidePasswords(bench: Bench, subject: Subject): Promise<Contender> {
  const load = await serveFieldroster(bench, subject, { cores: 'all' });
  const [read, create] = [load(queryUserTraffic), load(createUserTraffic)];
  // The first round of writes finds the highest possible rate.
  await create(1);
  return async (seconds) => {
    const [sample, created] = await Promise.all([read(seconds), create(seconds)]);
    return { ...sample, failures: (sample.failures ?? 0) + (created.failures ?? 0) };
  };
}

/** Our client in its own process, with a server on a new copy of a directory. */
async function batchClient(bench: Bench, subject: Subject): Promise<Contender> {
  const directory = await newDirectory(bench, subject);
  const { url } = await startFieldroster(bench, subject, directory);
  const args = [url, directory.appId, directory.appSecret, subject.users, usersOfBatch];
  return startProgram(bench, 'contenders/batch-client.ts', args, 'load');
}

/**
 * The rows of an operation by prepared statements, without HTTP, on a new copy of a directory.
 *
 * @param kind a kind of work that `baselines/statements.ts` knows
 * @param perCommit how many of them a transaction holds, where the kind leaves that open
 */
function statementsAlone(kind: string, perCommit = 0): StartContender {
  return async (bench, subject) => {
    const { folder, users } = await newDirectory(bench, subject);
    return startProgram(bench, 'baselines/statements.ts', [kind, folder, users, perCommit]);
  };
}

/** PostgreSQL copies the files of a database that holds the users. */
async function copiedFiles(bench: Bench, subject: Subject): Promise<Contender> {
  const { database = '', users } = await newDirectory(bench, subject, 'PostgreSQL');
  const { url, copyDatabase } = await benchPostgres(bench);
  return async () => {
    let copy = '';
    const sample = await timeOnce(users, async () => {
      copy = await copyDatabase(database);
      return users;
    });
    await runSql(url, `drop database ${new URL(copy).pathname.slice(1)}`);
    return sample;
  };
}
