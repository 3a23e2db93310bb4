import { fieldroster } from '../contenders/fieldroster.ts';
import { serveCommand } from '../contenders/serve-command.ts';
import type { Bench, Contender, Sample, Scenario, Subject } from '../measurement.ts';
import { queryUserTraffic } from './query-user.ts';

/** What every larger directory is compared with. */
const smallUsers = 1_000;

interface Aspect {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly contender: (bench: Bench, subject: Subject) => Promise<Contender>;
}

const aspects: readonly Aspect[] = [
  { name: 'query-user-p99', title: 'p99 of GET /user', unit: 'ms', contender: underQueries(p99) },
  {
    name: 'memory',
    title: 'memory after GET /user',
    unit: 'MiB',
    contender: underQueries(residentMebibytes),
  },
  { name: 'start-up', title: 'start until listening', unit: 'ms', contender: serveCommand },
];

/** How much worse a directory is for being large: the same measurement with the asked number of users and with few. */
export const directorySizes: readonly Scenario[] = [
  ...aspects.map((aspect) => atSize(aspect, undefined)),
  ...[1_000_000, 10_000_000].flatMap((users) => aspects.map((aspect) => atSize(aspect, users))),
];

/** @param users the number that the run was asked for when left out */
function atSize({ name, title, unit, contender }: Aspect, users: number | undefined): Scenario {
  const withUsers = (subject: Subject, count: number | undefined) => ({
    ...subject,
    users: count ?? subject.users,
  });
  return {
    name: users === undefined ? `${name}-by-size` : `${name}-by-size-${users}`,
    title: `${title}, ${users === undefined ? '--users' : users.toLocaleString('en')} users`,
    comparedTo: `${smallUsers.toLocaleString('en')} users`,
    unit,
    better: 'lower',
    full: users !== undefined,
    measured: (bench, subject) => contender(bench, withUsers(subject, users)),
    reference: (bench, subject) => contender(bench, withUsers(subject, smallUsers)),
  };
}

/** A server under the load of queries, of which another figure than the rate is looked at. */
function underQueries(figureOf: (sample: Sample) => number) {
  return async (bench: Bench, subject: Subject): Promise<Contender> => {
    const server = await fieldroster(bench, subject, ({ users }) => queryUserTraffic(users));
    const revalue = (sample: Sample) => ({ ...sample, value: figureOf(sample) });
    return {
      measure: async (seconds) => revalue(await server.measure(seconds)),
      profile: async (seconds, file) => revalue(await server.profile(seconds, file)),
      stop: () => server.stop(),
    };
  };
}

function p99({ p99Ms = Number.NaN }: Sample): number {
  return p99Ms;
}

function residentMebibytes({ residentBytes = Number.NaN }: Sample): number {
  return residentBytes / 2 ** 20;
}
