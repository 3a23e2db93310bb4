import { findWholeBrowser } from '../../e2e/find-chromium.ts';
import type { Bench } from '../bench.ts';
import { firstUsers, searchResults, tabMemory } from '../contenders/console-in-browser.ts';
import { serveFieldroster, sharedFieldroster, startingCommand } from '../contenders/fieldroster.ts';
import type { TrafficOf } from '../contenders/under-load.ts';
import type { Subject } from '../directory/seed.ts';
import { familyName } from '../directory/seeded-user.ts';
import { type Contender, p99Of, type Sample, type Scenario, type StartContender } from '../measurement.ts';
import { searchTraffic, userLists } from './list-users.ts';
import { batchTraffic, mixedTraffic, neverRepeated, queryUserTraffic } from './traffic.ts';

/** The size that every larger directory is compared with. */
const smallUsers = 1_000;

/** From this size on, a directory takes minutes to seed and gigabytes to copy. */
const fullFrom = 10_000_000;

interface Aspect extends Omit<Scenario, 'comparedTo' | 'measured' | 'reference'> {
  readonly contender: StartContender;
}

/** These lists run in every run, the others only with `--full`. */
const usualLists = ['first', 'org', 'unbound'];

/**
 * The start comes first, while no other process has opened the directory. Reads are never repeated: otherwise the server
 * would answer few users from memory, and many from the database.
 */
const aspects: readonly Aspect[] = [
  { name: 'start-up', title: 'start until listening', unit: 'ms', limit: 500, contender: startingCommand },
  {
    name: 'memory',
    title: 'anonymous memory after a minute of load',
    unit: 'MB',
    limit: 150,
    plan: { rounds: 1, seconds: 60, warmUpSeconds: 1 },
    full: true,
    contender: memoryAfterLoad,
  },
  p99('query-user', 'GET /user', { mark: 1.3 }, neverRepeated(queryUserTraffic)),
  ...userLists.map(({ name, title, trafficOf }) => {
    const options = { mark: 1.5, full: !usualLists.includes(name) };
    return p99(`list-users-${name}`, `GET /users, ${title}`, options, neverRepeated(trafficOf));
  }),
  p99('search-users', 'GET /users, search', { limit: 50 }, neverRepeated(searchTraffic)),
  p99(
    'batch-users',
    'POST /users/batch, 1,000 users with 10 stores',
    { mark: 1.5, plan: { seconds: 5 } },
    (users) => batchTraffic(users, 1_000),
  ),
  inBrowser('first-page', 'first page of users', { limit: 1_000 }, firstUsers),
  inBrowser(
    'search-users',
    'search for users, from the last key',
    { limit: 200 },
    searchResults('users', (round) => familyName(1 + (round % smallUsers))),
  ),
  inBrowser(
    'search-stores',
    'search for stores, from the last key',
    { limit: 200 },
    searchResults('stores', (round) => `Store ${1_000 + round}`),
  ),
  inBrowser(
    'memory',
    'memory of the tab, scrolled through 100 pages of users',
    { unit: 'MB', limit: 150, plan: { rounds: 1, warmUpSeconds: 0 } },
    tabMemory,
  ),
];

type AspectOptions = Pick<Aspect, 'unit' | 'mark' | 'limit' | 'plan' | 'full'>;

/** Measures how long the slowest of a hundred requests takes. */
function p99(name: string, title: string, options: AspectOptions, trafficOf: TrafficOf): Aspect {
  const contender = p99Of(sharedFieldroster(trafficOf));
  return { name: `${name}-p99`, title: `p99 of ${title}`, unit: 'ms', ...options, contender };
}

function inBrowser(name: string, title: string, options: AspectOptions, contender: StartContender): Aspect {
  const unavailable = () => (findWholeBrowser() === undefined ? 'no Chromium is installed' : undefined);
  const about = { name: `console-${name}`, title: `console, ${title}`, unit: 'ms' } as const;
  return { ...about, unavailable, ...options, contender };
}

/** Makes the same measurements with many users and with few. */
export function directorySizes(sizes: readonly number[]): readonly Scenario[] {
  return sizes.flatMap((users) => aspects.map((aspect) => atSize(aspect, users)));
}

function atSize({ name, title, contender, full = false, ...aspect }: Aspect, users: number): Scenario {
  return {
    ...aspect,
    name: `${name}-by-size-${users}`,
    title: `${title}, ${users.toLocaleString('en')} users`,
    comparedTo: `${smallUsers.toLocaleString('en')} users`,
    full: full || users >= fullFrom,
    measured: (bench, subject) => contender(bench, { ...subject, users }),
    reference: (bench, subject) => contender(bench, { ...subject, users: smallUsers }),
  };
}

/** A round of a minute consists of several pieces, because a signature expires after a minute. */
const pieces = 12;

/**
 * Measures the memory of a separate server under all kinds of load in turn: queries, reads and writes mixed, lists and
 * searches, in megabytes.
 */
async function memoryAfterLoad(bench: Bench, subject: Subject): Promise<Contender> {
  // With a separate copy, because the other rows of the size need one without new bindings.
  const load = await serveFieldroster(bench, subject);
  // The mixed load binds users without a store, so the list of them may be empty.
  const lists = userLists.map(({ trafficOf }) => (users: number) => ({
    ...trafficOf(users),
    successPrefix: '{"code":0',
  }));
  const loads = [queryUserTraffic, mixedTraffic, ...lists, searchTraffic].map(load);
  return async (seconds) => {
    let last: Sample = { value: Number.NaN };
    let failures = 0;
    for (let piece = 0; piece < pieces; piece += 1) {
      last = (await loads[piece % loads.length]?.(seconds / pieces)) ?? last;
      failures += last.failures ?? 0;
    }
    const { anonymousBytes = Number.NaN } = last;
    return { value: anonymousBytes / 1e6, failures, anonymousBytes };
  };
}
