import { findWholeBrowser } from '../../e2e/find-chromium.ts';
import { startBuiltCommand } from '../contenders/built-command.ts';
import { firstUsers, searchResults, tabMemory } from '../contenders/console-in-browser.ts';
import { serveFieldroster, sharedDirectory, sharedFieldroster } from '../contenders/fieldroster.ts';
import { statementsAlone } from '../contenders/statements-alone.ts';
import type { Traffic } from '../contenders/under-load.ts';
import { familyName } from '../directory/seeded-user.ts';
import {
  type Bench,
  type Contender,
  type Sample,
  type Scenario,
  type Subject,
  type Unit,
  withValue,
} from '../measurement.ts';
import { openBench } from '../open-bench.ts';
import { usageOf } from '../process/usage.ts';
import { searchTraffic, userLists } from './list-users.ts';
import { batchTraffic, mixedTraffic, neverRepeated, queryUserTraffic } from './traffic.ts';

/** The size that every larger directory is compared with. */
const smallUsers = 1_000;

/** From this size on, a directory takes minutes to seed and gigabytes to copy. */
const fullFrom = 10_000_000;

const usersOfBatch = 1_000;

interface Aspect extends Pick<Scenario, 'mark' | 'limit' | 'plan' | 'full' | 'unavailable'> {
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  readonly contender: (bench: Bench, subject: Subject) => Promise<Contender>;
}

/** These lists run in every run, the others only with `--full`. */
const usualLists = ['first', 'org', 'unbound'];

/** The start comes first, while no other process has opened the directory. */
const aspects: readonly Aspect[] = [
  { name: 'start-up', title: 'start until listening', unit: 'ms', contender: startingCommand, limit: 500 },
  {
    name: 'memory',
    title: 'anonymous memory after a minute of load',
    unit: 'MB',
    contender: memoryAfterLoad,
    limit: 150,
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
    { mark: 1.5, plan: { seconds: 5 } },
  ),
  {
    name: 'batch-users-statements',
    title: 'the rows of 1,000 users by prepared statements in one transaction',
    unit: 'ms',
    contender: statementsOfBatch,
    plan: { seconds: 5 },
    full: true,
  },
  inBrowser('first-page', 'first page of users', 'ms', { contender: firstUsers, limit: 1_000 }),
  inBrowser('search-users', 'search for users, from the last key', 'ms', {
    contender: (bench, subject) =>
      searchResults(bench, subject, 'users', (round) => familyName(1 + (round % smallUsers))),
    limit: 200,
  }),
  inBrowser('search-stores', 'search for stores, from the last key', 'ms', {
    contender: (bench, subject) =>
      searchResults(bench, subject, 'stores', (round) => `Store ${1_000 + round}`),
    limit: 200,
  }),
  inBrowser('memory', 'memory of the tab, scrolled through 100 pages of users', 'MB', {
    contender: tabMemory,
    limit: 150,
    plan: { rounds: 1, warmUpSeconds: 0 },
  }),
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
    group: `users ${users}`,
    full: full || users >= fullFrom,
    measured: (bench, subject) => contender(bench, { ...subject, users }),
    reference: (bench, subject) => contender(bench, { ...subject, users: smallUsers }),
  };
}

/** The time until `fieldroster serve` listens; each round starts a new process. */
async function startingCommand(bench: Bench, subject: Subject): Promise<Contender> {
  const { folder } = await sharedDirectory(bench, subject);
  const startOnce = async () => {
    await using round = openBench(bench);
    const startedAt = performance.now();
    const { pid } = await startBuiltCommand(round, subject, { folder });
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
  // With a separate copy, because the other rows of the group need one without new bindings.
  const load = await serveFieldroster(bench, subject);
  // The mixed load binds users without a store, so the list of them may be empty.
  const lists = userLists.map(({ traffic }) => (users: number) => ({
    ...traffic(users),
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

/** The time that a batch takes without the server, in milliseconds. */
async function statementsOfBatch(bench: Bench, subject: Subject): Promise<Contender> {
  const directory = await sharedDirectory(bench, subject);
  const statements = await statementsAlone(bench, directory, 'batch-users', usersOfBatch);
  return withValue(statements, ({ value }) => (usersOfBatch / value) * 1000);
}

/** What an operator waits for in the console, and what the tab costs. */
function inBrowser(
  name: string,
  title: string,
  unit: Unit,
  more: Pick<Aspect, 'contender' | 'limit' | 'plan'>,
): Aspect {
  const unavailable = () => (findWholeBrowser() === undefined ? 'no Chromium is installed' : undefined);
  return { name: `console-${name}`, title: `console, ${title}`, unit, unavailable, ...more };
}

/** The time within which 99 of 100 requests are answered. */
function slowest(
  name: string,
  title: string,
  plan: (users: number) => Traffic,
  more: Pick<Aspect, 'mark' | 'limit' | 'plan' | 'full'>,
): Aspect {
  const contender = async (bench: Bench, subject: Subject) => {
    const server = await sharedFieldroster(bench, subject, plan);
    return withValue(server, ({ p99Ms = Number.NaN }) => p99Ms);
  };
  return { name: `${name}-p99`, title: `p99 of ${title}`, unit: 'ms', contender, ...more };
}

/** Otherwise the server would answer few users from memory, and many from the database. */
function afresh(traffic: (users: number) => Traffic): (users: number) => Traffic {
  return (users) => neverRepeated(traffic(users));
}
