import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { openProvisioned, type Provisioned } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { type Envelope, SignedClient } from '../signed-client.ts';

/** Number of wrong passwords within a minute that throttles an application. */
const throttledFrom = 300;
const madeUpUsernames = atScale({ bounded: 3, full: 300 });

const path = '/user/password/check';

/** Guessed at in turn, until a busy machine lets all guesses for one of them happen within a minute. */
const guessed = ['guessed.0', 'guessed.1', 'guessed.2', 'guessed.3'];

describeOnEachEngine((provision) => {
  let directory: Provisioned;
  let servers: readonly ServerProcess[] = [];
  let clients: Clients;

  before(async () => {
    directory = await provision(0);
    servers = [await ServerProcess.start(directory), await ServerProcess.start(directory)];
    const connect = (server?: ServerProcess) => new SignedClient(server?.url ?? '', directory.credentials);
    clients = [connect(servers[0]), connect(servers[1])];
    for (const username of [...guessed, 'not.guessed', 'real', 'user.0', 'user.1'])
      await clients[0].call('POST', '/user', { username, password: 'right' });
  });

  after(async () => {
    for (const client of clients ?? []) client.close();
    for (const server of servers) await server.kill();
    await directory?.remove();
  });

  test('ten passwords of one user can be tried in a minute, across two processes', async (t) => {
    const attempts = 40;
    for (const username of guessed) {
      const startedMs = performance.now();
      const answers = await guess(clients, attempts, () => [username, 'wrong']);
      const more = await Promise.all(clients.map((client) => check(client, username, 'right')));
      const isInTime = performance.now() - startedMs < 60_000;
      // After a minute, more passwords can be tried.
      if (!isInTime && username !== guessed.at(-1)) continue;
      assert.ok(isInTime, 'the machine is too busy to try so many passwords within a minute');
      assert.deepEqual(codesOf(answers), { 1104: 10, 1429: attempts - 10 });
      assert.deepEqual(codesOf(more), { 1429: clients.length });
      break;
    }
    assert.equal((await check(clients[0], 'not.guessed', 'right')).code, 0);
    t.diagnostic(`figure: 10 of ${attempts} attempts at once were checked, by both processes together`);
  });

  test('a made-up username gets the answers of a real one', async (t) => {
    const timed = async (username: string) => {
      const startedMs = performance.now();
      const { code, message } = await check(clients[0], username, 'wrong');
      return { code, message, tookMs: Math.round(performance.now() - startedMs) };
    };
    const twice = async (username: string) => [await timed(username), await timed(username)];
    const [real = [], madeUp = []] = await Promise.all([twice('real'), twice('nobody')]);
    const answersOf = (answers: typeof real) => answers.map(({ code, message }) => ({ code, message }));
    assert.deepEqual(answersOf(madeUp), answersOf(real));
    const times = (answers: typeof real) => answers.map(({ tookMs }) => tookMs).join(', ');
    t.diagnostic(`figure: wrong passwords of a user ${times(real)} ms, of nobody ${times(madeUp)} ms`);
  });

  // The last test, because it throttles the application.
  test(`${throttledFrom} wrong passwords for made-up usernames lock no user out, in either of two processes`, async (t) => {
    const sprayed = await spray(clients);
    assert.deepEqual(codesOf(sprayed), { 1104: madeUpUsernames });
    // The bounded size stays below the limit, and on a slow machine the minute of the full size may be over.
    await countFailures(directory, throttledFrom);
    for (const [index, client] of clients.entries())
      assert.equal((await check(client, `user.${index}`, 'right')).code, 0);
    // A throttled application gets only one guess for each username.
    assert.equal((await check(clients[0], 'user.0', 'wrong')).code, 1104);
    assert.equal((await check(clients[1], 'user.0', 'right')).code, 1429);
    assert.equal((await check(clients[1], 'user.1', 'right')).code, 0);
    for (const server of servers) assert.deepEqual(server.errorLines, []);
    t.diagnostic(`figure: after ${throttledFrom} wrong passwords, users without failures log in`);
  });
});

type Clients = readonly [SignedClient, SignedClient];

type Words = readonly [username: string, password: string];

/** Records that many failures of the application directly; hashing for real checks takes a minute of a core. */
async function countFailures(directory: Provisioned, add: number): Promise<void> {
  const { database, vault } = await openProvisioned(directory);
  const subject = vault.keyedHash(`application\n${directory.credentials.appId}`);
  await database.bookkeeping.passwordFailures.change([{ subject, add }], 60_000);
  await database.close();
}

const sprayedAtOnce = 50;

async function spray(clients: Clients): Promise<Envelope[]> {
  const answers: Envelope[] = [];
  let tried = 0;
  while (answers.length < madeUpUsernames) {
    const count = Math.min(sprayedAtOnce, madeUpUsernames - answers.length);
    answers.push(...(await guess(clients, count, () => [`made.up.${tried++}`, 'wrong'])));
  }
  return answers;
}

/** Each round has room for some checks, even on a busy machine. */
const roundsMax = 20;

/** Sends that many checks at once, and others in place of those that an overloaded server refuses. */
async function guess(clients: Clients, count: number, wordsOf: () => Words): Promise<Envelope[]> {
  const answers: Envelope[] = [];
  for (let round = 1; answers.length < count; round++) {
    assert.ok(round <= roundsMax, `the server refuses checks as overload in ${roundsMax} rounds`);
    const sent = await each(count - answers.length, clients, wordsOf);
    answers.push(...sent.filter(({ code }) => code !== 1503));
  }
  return answers;
}

function check(client: SignedClient, username: string, password: string): Promise<Envelope> {
  return client.call('POST', path, { username, password });
}

/** Sends that many simultaneous checks, to each process in turn. */
function each(count: number, clients: Clients, wordsOf: () => Words): Promise<Envelope[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => check(clients[index % 2 === 0 ? 0 : 1], ...wordsOf())),
  );
}

function codesOf(answers: readonly Envelope[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of answers) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
