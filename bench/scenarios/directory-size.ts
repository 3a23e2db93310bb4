import { findWholeBrowser } from '../../e2e/find-chromium.ts';
import { type Bench, openPart } from '../bench.ts';
import { firstUsers, searchResults, tabMemory } from '../contenders/console-in-browser.ts';
import {
  serveFieldroster,
  sharedDirectory,
  sharedFieldroster,
  startFieldroster,
} from '../contenders/fieldroster.ts';
import { statementsAlone } from '../contenders/statements-alone.ts';
import type { Subject } from '../directory/seed.ts';
import { familyName } from '../directory/seeded-user.ts';
import {
  type Contender,
  mapSamples,
  p99Of,
  type Sample,
  type Scenario,
  type StartContender,
} from '../measurement.ts';
import { usageOf } from '../process/usage.ts';
import { searchTraffic, userLists } from './list-users.ts';
import { batchTraffic, mixedTraffic, neverRepeated, queryUserTraffic } from './traffic.ts';

/** The size that every larger directory is compared with. */
const smallUsers = 1_000;

/** From this size on, a directory takes minutes to seed and gigabytes to copy. */
const fullFrom = 10_000_000;

const usersOfBatch = 1_000;

interface Aspect extends Omit<Scenario, 'comparedTo' | 'measured' | 'reference'> {
  readonly contender: StartContender;
}

/** These lists run in every run, the others only with `--full`. */
const usualLists = ['first', 'org', 'unbound'];

const inBrowser = {
  unit: 'ms',
  unavailable: () => (findWholeBrowser() === undefined ? 'no Chromium is installed' : undefined),
} as const;

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
  {
    name: 'query-user-p99',
    title: 'p99 of GET /user',
    unit: 'ms',
    mark: 1.3,
    contender: p99Of(sharedFieldroster(neverRepeated(queryUserTraffic))),
  },
  ...userLists.map(
    ({ name, title, trafficOf }): Aspect => ({
      name: `list-users-${name}-p99`,
      title: `p99 of GET /users, ${title}`,
      unit: 'ms',
      mark: 1.5,
      full: !usualLists.includes(name),
      contender: p99Of(sharedFieldroster(neverRepeated(trafficOf))),
    }),
  ),
  {
    name: 'search-users-p99',
    title: 'p99 of GET /users, search',
    unit: 'ms',
    limit: 50,
    contender: p99Of(sharedFieldroster(neverRepeated(searchTraffic))),
  },
  {
    name: 'batch-users-p99',
    title: 'p99 of POST /users/batch, 1,000 users with 10 stores',
    unit: 'ms',
    mark: 1.5,
    plan: { seconds: 5 },
    contender: p99Of(sharedFieldroster((users) => batchTraffic(users, usersOfBatch))),
  },
  {
    name: 'batch-users-statements',
    title: 'the rows of 1,000 users by prepared statements in one transaction',
    unit: 'ms',
    plan: { seconds: 5 },
    full: true,
    contender: mapSamples(
      statementsAlone('batch-users', usersOfBatch, sharedDirectory),
      ({ value, ...sample }) => ({ ...sample, value: (usersOfBatch / value) * 1000 }),
    ),
  },
  {
    ...inBrowser,
    name: 'console-first-page',
    title: 'console, first page of users',
    limit: 1_000,
    contender: firstUsers,
  },
  {
    ...inBrowser,
    name: 'console-search-users',
    title: 'console, search for users, from the last key',
    limit: 200,
    contender: searchResults('users', (round) => familyName(1 + (round % smallUsers))),
  },
  {
    ...inBrowser,
    name: 'console-search-stores',
    title: 'console, search for stores, from the last key',
    limit: 200,
    contender: searchResults('stores', (round) => `Store ${1_000 + round}`),
  },
  {
    ...inBrowser,
    name: 'console-memory',
    title: 'console, memory of the tab, scrolled through 100 pages of users',
    unit: 'MB',
    limit: 150,
    plan: { rounds: 1, warmUpSeconds: 0 },
    contender: tabMemory,
  },
];

/** The same measurements with many users and with few. */
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

/** The time until `fieldroster serve` listens; each round starts a new process. */
async function startingCommand(bench: Bench, subject: Subject): Promise<Contender> {
  const { folder } = await sharedDirectory(bench, subject);
  const startOnce = async () => {
    await using round = openPart(bench);
    const startedAt = performance.now();
    const { pid } = await startFieldroster(round, subject, { folder });
    const value = performance.now() - startedAt;
    return { value, anonymousBytes: usageOf(pid)?.anonymousBytes };
  };
  // The first start builds the command and brings its files into the page cache.
  await startOnce();
  return startOnce;
}

/** A round of a minute consists of several pieces, because a signature expires after a minute. */
const pieces = 12;

/**
 * The memory of a separate server under all kinds of load in turn: queries, reads and writes mixed, lists and searches,
 * in megabytes.
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
