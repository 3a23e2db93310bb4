import { fieldroster, serveFieldroster } from '../contenders/fieldroster.ts';
import { Program } from '../contenders/program.ts';
import { revalued } from '../contenders/revalued.ts';
import type { Bench, Contender, Scenario, Subject } from '../measurement.ts';
import { batchTraffic, singleTraffic } from './batch-traffic.ts';

/** As many as a call takes. */
const usersOfBatch = 10_000;

/** What a client gains that sends many users at once; both sides have one connection. */
const throughWrk: readonly Scenario[] = [1_000, 10_000].map((entries) => ({
  name: `batch-users-${entries}`,
  title: `POST /users/batch, ${entries.toLocaleString('en')} users with 10 stores`,
  comparedTo: 'POST /user/stores, one by one',
  unit: 'users/s',
  better: 'higher',
  full: true,
  // A round holds several of the larger batches.
  plan: { seconds: 5 },
  measured: async (bench, subject) =>
    revalued(
      await fieldroster(bench, subject, ({ users }) => batchTraffic(users, entries)),
      ({ value }) => value * entries,
    ),
  reference: (bench, subject) => fieldroster(bench, subject, ({ users }) => singleTraffic(users)),
}));

/** The same as an integrator sees it, whose client signs, sends and reads: the one of this project. */
const throughClient: readonly Scenario[] = (['new', 'known'] as const).map((kind) => ({
  name: `batch-users-by-client-${kind}`,
  title: `POST /users/batch, 10,000 ${kind} users with 10 stores, by our client`,
  comparedTo: 'POST /user/stores, one by one, by our client',
  unit: 'users/s',
  better: 'higher',
  mark: 20,
  full: kind === 'known',
  // A round ends with the ten thousandth user.
  plan: { seconds: 40, rounds: 3 },
  measured: (bench, subject) => batchClient(bench, subject, usersOfBatch, kind),
  reference: (bench, subject) => batchClient(bench, subject, 1, kind),
}));

/** How much of it is the engine's: a plain program that writes the same rows. */
const againstStatements: Scenario = {
  name: 'batch-users-statements',
  title: 'POST /users/batch, 10,000 known users with 10 stores, by our client',
  comparedTo: 'its rows by prepared statements in one transaction',
  unit: 'users/s',
  better: 'higher',
  plan: { seconds: 5, rounds: 3 },
  measured: (bench, subject) => batchClient(bench, subject, usersOfBatch, 'known'),
  reference: async (bench, subject) => {
    const { folder, users } = await bench.newDirectory(subject);
    const args = [folder, String(users), String(usersOfBatch)];
    return Program.start('baselines/raw-batch-users.ts', args, bench.cores.server);
  },
};

export const batchUsers: readonly Scenario[] = [...throughWrk, ...throughClient, againstStatements];

async function batchClient(
  bench: Bench,
  subject: Subject,
  entriesPerCall: number,
  kind: 'new' | 'known',
): Promise<Contender> {
  const { url, directory, stop } = await serveFieldroster(bench, subject);
  const { appId, appSecret, users } = directory;
  const args = [url, appId, appSecret, String(users), String(entriesPerCall), kind];
  const client = await Program.start('contenders/batch-client.ts', args, bench.cores.load);
  return {
    measure: (seconds) => client.measure(seconds),
    stop: async () => {
      await client.stop();
      await stop();
    },
  };
}
