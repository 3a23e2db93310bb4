import { fieldroster } from '../contenders/fieldroster.ts';
import { revalued } from '../contenders/revalued.ts';
import type { Scenario } from '../measurement.ts';
import { batchTraffic, singleTraffic } from './batch-traffic.ts';

/** What a client gains that sends many users at once; both sides have one connection. */
export const batchUsers: readonly Scenario[] = [1_000, 10_000].map((entries) => ({
  name: `batch-users-${entries}`,
  title: `POST /users/batch, ${entries.toLocaleString('en')} users with 10 stores`,
  comparedTo: 'POST /user/stores, one by one',
  unit: 'users/s',
  better: 'higher',
  mark: 20,
  // A round holds several of the larger batches.
  plan: { seconds: 5 },
  measured: async (bench, subject) =>
    revalued(
      await fieldroster(bench, subject, ({ users }) => batchTraffic(users, entries)),
      ({ value }) => value * entries,
    ),
  reference: (bench, subject) => fieldroster(bench, subject, ({ users }) => singleTraffic(users)),
}));
