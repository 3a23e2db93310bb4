import { keptDirectory, keptFieldroster } from '../contenders/fieldroster.ts';
import { minuteOfLoad } from '../contenders/minute-of-load.ts';
import { Program } from '../contenders/program.ts';
import { p99, residentMegabytes, revalued } from '../contenders/revalued.ts';
import { serveCommand } from '../contenders/serve-command.ts';
import type { Traffic } from '../contenders/server-under-load.ts';
import type { Bench, Contender, Scenario, Subject } from '../measurement.ts';
import { batchTraffic } from './batch-traffic.ts';
import { searchTraffic, userLists } from './list-users.ts';
import { neverRepeated } from './operation-traffic.ts';
import { queryUserTraffic } from './query-user.ts';

/** What every larger directory is compared with. */
const smallUsers = 1_000;

/** From here on a directory takes minutes to seed and gigabytes to copy. */
const fullFrom = 10_000_000;

interface Aspect extends Pick<Scenario, 'mark' | 'limit' | 'plan' | 'full'> {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly contender: (bench: Bench, subject: Subject) => Promise<Contender>;
}

/** Users that go into one call of the batches. */
const usersOfBatch = 1_000;

/** The other lists are read like one of these. */
const usualLists = ['first', 'org', 'unbound'];

/** The start comes first, while no other process has the directory open. */
const aspects: readonly Aspect[] = [
  { name: 'start-up', title: 'start until listening', unit: 'ms', contender: serveCommand, limit: 500 },
  {
    name: 'memory',
    title: 'memory after a minute of load',
    unit: 'MB',
    contender: residentUnder(minuteOfLoad),
    limit: 200,
    plan: { rounds: 1, seconds: 60, warmUpSeconds: 1 },
    full: true,
  },
  slowest('query-user', 'GET /user', afresh(queryUserTraffic), { mark: 1.3 }),
  ...userLists.map(({ name, title, traffic }) =>
    slowest(`list-users-${name}`, title, afresh(traffic), { mark: 1.5, full: !usualLists.includes(name) }),
  ),
  slowest('search-users', 'GET /users, search', afresh(searchTraffic), { limit: 50 }),
  slowest(
    'batch-users',
    'POST /users/batch, 1,000 users with 10 stores',
    (users) => batchTraffic(users, usersOfBatch),
    {
      mark: 1.5,
      plan: { seconds: 5 },
    },
  ),
  {
    name: 'batch-users-statements',
    title: 'the rows of 1,000 users by prepared statements in one transaction',
    unit: 'ms',
    contender: statementsOfBatch,
    plan: { seconds: 5 },
    full: true,
  },
];

/** How much worse a directory is for being large: the same measurement with many users and with few. */
export function directorySizes(sizes: readonly number[]): readonly Scenario[] {
  return sizes.flatMap((users) => aspects.map((aspect) => atSize(aspect, users)));
}

function atSize({ name, title, contender, full = false, ...aspect }: Aspect, users: number): Scenario {
  return {
    ...aspect,
    name: `${name}-by-size-${users}`,
    title: `${title}, ${users.toLocaleString('en')} users`,
    comparedTo: `${smallUsers.toLocaleString('en')} users`,
    better: 'lower',
    group: `users ${users}`,
    full: full || users >= fullFrom,
    measured: (bench, subject) => contender(bench, { ...subject, users }),
    reference: (bench, subject) => contender(bench, { ...subject, users: smallUsers }),
  };
}

/** What of a batch is the engine's, in milliseconds for one. */
async function statementsOfBatch(bench: Bench, subject: Subject): Promise<Contender> {
  const { folder, users } = await keptDirectory(bench, subject);
  const args = [folder, String(users), String(usersOfBatch)];
  const statements = await Program.start('baselines/raw-batch-users.ts', args, bench.cores.server);
  return revalued(statements, ({ value }) => (usersOfBatch / value) * 1000);
}

/** The time within which 99 of 100 requests are answered. */
function slowest(
  name: string,
  title: string,
  plan: (users: number) => Traffic,
  more: Pick<Aspect, 'mark' | 'limit' | 'plan' | 'full'>,
): Aspect {
  const contender = async (bench: Bench, subject: Subject) =>
    revalued(await keptFieldroster(bench, subject, ({ users }) => plan(users)), p99);
  return { name: `${name}-p99`, title: `p99 of ${title}`, unit: 'ms', contender, ...more };
}

/** Few users would else be answered from memory, and many from the database. */
function afresh(traffic: (users: number) => Traffic): (users: number) => Traffic {
  return (users) => neverRepeated(traffic(users));
}

function residentUnder(work: Aspect['contender']): Aspect['contender'] {
  return async (bench, subject) => revalued(await work(bench, subject), residentMegabytes);
}
