import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Provisioned, provisionDirectory } from './provision-directory.ts';
import { findDamage } from './read-database.ts';
import { SeededRandom } from './seeded-random.ts';
import { ServerProcess } from './server-process.ts';
import { NoAnswerError, type SignedCall, SignedClient, signCall } from './signed-client.ts';

const rounds = Number(process.env.FIELDROSTER_E2E_ROUNDS ?? 5);
const writers = 32;
const unheardWrites = 8;

/** What the test can tell of a user from outside. */
interface State {
  readonly realName: string;
  readonly roleId: number | undefined;
  readonly stores: readonly string[];
}

/** A user whom one writer alone changes, one request after the other, so that its state is known exactly. */
interface OwnedUser {
  readonly username: string;
  id: number | undefined;
  /** After the last acknowledged write; `undefined` before there was one. */
  settled: State | undefined;
  /** The write that was sent and not answered, and the state that it leads to. */
  unanswered: { readonly call: SignedCall; readonly next: State } | undefined;
}

/** One batch for a user whom all writers change at once. The real name tells which batch it was. */
interface SharedBatch {
  readonly realName: string;
  readonly stores: readonly string[];
  readonly startedAt: number;
  acknowledgedAt: number | undefined;
}

interface Run {
  readonly directory: Provisioned;
  readonly random: SeededRandom;
  readonly users: OwnedUser[];
  readonly shared: Map<string, SharedBatch[]>;
  /** Order of events, instead of a clock. */
  step: number;
  acknowledged: number;
  /** The last acknowledged request of each writer in this round. */
  readonly lastAcknowledged: Map<number, SignedCall>;
}

const sharedUsernames = ['shared-a', 'shared-b', 'shared-c'];

test(`after kill -9 under load every acknowledged write is there, no batch is half done, and a replay is known (${rounds} rounds)`, async (t) => {
  const random = SeededRandom.ofRun();
  const directory = await provisionDirectory();
  const run: Run = {
    directory,
    random,
    users: [],
    shared: new Map(sharedUsernames.map((username) => [username, []])),
    step: 0,
    acknowledged: 0,
    lastAcknowledged: new Map(),
  };
  let server = await ServerProcess.start(directory.data);
  let unanswered = 0;
  let unansweredApplied = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      const firstOfRound = run.users.length;
      await killUnderLoad(run, server, round);
      server = await ServerProcess.start(directory.data);
      const client = new SignedClient(server.url, directory.credentials);
      const touched = run.users.slice(firstOfRound);
      unanswered += touched.filter((user) => user.unanswered !== undefined).length;
      await verifyShared(run, client);
      await verifyReplays(run, client);
      unansweredApplied += await settleUnanswered(touched, client);
      await verifyAll(touched, client);
      assert.deepEqual(findDamage(directory.data), []);
      client.close();
    }
    const client = new SignedClient(server.url, directory.credentials);
    await verifyAll(run.users, client);
    client.close();
    assert.ok(unanswered > 0, 'no kill hit a request in flight: the test has shown nothing');
    assert.equal(await server.stop(), 0);
  } catch (error) {
    t.diagnostic(`seed ${random.seed}`);
    throw error;
  } finally {
    await server.kill();
    await directory.remove();
  }
  t.diagnostic(
    `${run.acknowledged} writes acknowledged; ${unanswered} in flight at a kill, ${unansweredApplied} of them applied`,
  );
});

/** Lets all writers write until a random number of acknowledgements, kills, and waits for them to notice. */
async function killUnderLoad(run: Run, server: ServerProcess, round: number): Promise<void> {
  const client = new SignedClient(server.url, run.directory.credentials, writers + unheardWrites);
  const killAt = run.acknowledged + run.random.integer(100, 500);
  run.lastAcknowledged.clear();
  const { promise: killed, resolve } = Promise.withResolvers<void>();
  const noteAcknowledged = () => {
    run.acknowledged += 1;
    if (run.acknowledged !== killAt) return;
    sendUnheard(run, client);
    // Right after an answer nothing is under way; a moment later the next group of writes is.
    setTimeout(() => resolve(server.kill()), run.random.integer(0, 30));
  };
  const writing = Array.from({ length: writers }, (_, writer) =>
    write(run, client, noteAcknowledged, round, writer),
  );
  await Promise.all([killed, ...writing]);
  client.close();
}

/** Writes whose answers nobody reads, so that some are applied and yet not acknowledged. */
function sendUnheard(run: Run, client: SignedClient): void {
  for (let count = 0; count < unheardWrites; count++) {
    const { user, call, next } = createOne(run, [], `unheard-${run.acknowledged}-${count}`);
    user.unanswered = { call, next };
    client.send(call).catch(() => {});
  }
}

async function write(
  run: Run,
  client: SignedClient,
  noteAcknowledged: () => void,
  round: number,
  writer: number,
): Promise<void> {
  const mine: OwnedUser[] = [];
  for (let count = 0; ; count++) {
    const mark = `${round}-${writer}-${count}`;
    const attempt = run.random.chance(0.25)
      ? attemptShared(run, client, mark)
      : attemptOwned(run, client, mine, mark);
    const call = await attempt;
    if (call === undefined) return;
    run.lastAcknowledged.set(writer, call);
    noteAcknowledged();
  }
}

/** Sends one write; returns it when it was acknowledged, `undefined` when the server is gone. */
async function attemptOwned(
  run: Run,
  client: SignedClient,
  mine: OwnedUser[],
  mark: string,
): Promise<SignedCall | undefined> {
  const { user, call, next } = chooseWrite(run, mine, mark);
  user.unanswered = { call, next };
  const envelope = await sendUntilKilled(client, call);
  if (envelope === undefined) return undefined;
  user.settled = next;
  user.unanswered = undefined;
  user.id ??= Number(envelope.data?.id);
  return call;
}

async function sendUntilKilled(client: SignedClient, call: SignedCall) {
  try {
    const envelope = await client.send(call);
    assert.equal(envelope.code, 0, `${call.method} ${call.target} ${call.body}: ${JSON.stringify(envelope)}`);
    return envelope;
  } catch (error) {
    if (error instanceof NoAnswerError) return undefined;
    throw error;
  }
}

interface ChosenWrite {
  readonly user: OwnedUser;
  readonly call: SignedCall;
  readonly next: State;
}

/** Every write leads to a state that its user never had, so that what happened can be told from the state. */
function chooseWrite(run: Run, mine: OwnedUser[], mark: string): ChosenWrite {
  const last = mine.at(-1);
  if (last?.settled === undefined || run.random.chance(0.3)) return createOne(run, mine, mark);
  const changes = [replaceStores, bindStore, bindRole, updateName];
  return run.random.pick(changes)(run, last, last.settled, mark);
}

function createOne(run: Run, mine: OwnedUser[], mark: string): ChosenWrite {
  const user: OwnedUser = {
    username: `user-${mark}`,
    id: undefined,
    settled: undefined,
    unanswered: undefined,
  };
  mine.push(user);
  run.users.push(user);
  const { username } = user;
  const realName = `created ${mark}`;
  if (run.random.chance(0.2)) {
    const call = sign(run, 'POST', '/user', { username, password: `pass ${mark}`, real_name: realName });
    return { user, call, next: { realName, roleId: undefined, stores: [] } };
  }
  const stores = someStores(run);
  const call = sign(run, 'POST', '/user/stores', { username, real_name: realName, store_codes: stores });
  return { user, call, next: { realName, roleId: undefined, stores: stores.toSorted() } };
}

function replaceStores(run: Run, user: OwnedUser, settled: State, mark: string): ChosenWrite {
  const realName = `replaced ${mark}`;
  const stores = someStores(run);
  const { username } = user;
  const call = sign(run, 'POST', '/user/stores', { username, real_name: realName, store_codes: stores });
  return { user, call, next: { ...settled, realName, stores: stores.toSorted() } };
}

function bindStore(run: Run, user: OwnedUser, settled: State, mark: string): ChosenWrite {
  const free = run.directory.storeCodes.filter((code) => !settled.stores.includes(code));
  if (free.length === 0) return replaceStores(run, user, settled, mark);
  const code = run.random.pick(free);
  const call = sign(run, 'POST', '/user/store', { user_id: user.id, store_code: code });
  return { user, call, next: { ...settled, stores: [...settled.stores, code].toSorted() } };
}

function bindRole(run: Run, user: OwnedUser, settled: State): ChosenWrite {
  const roleId = run.random.pick(run.directory.roleIds.filter((id) => id !== settled.roleId));
  const call = sign(run, 'POST', '/user/role', { user_id: user.id, role_id: roleId });
  return { user, call, next: { ...settled, roleId } };
}

function updateName(run: Run, user: OwnedUser, settled: State, mark: string): ChosenWrite {
  const realName = `updated ${mark}`;
  const call = sign(run, 'PUT', '/user', { id: user.id, real_name: realName });
  return { user, call, next: { ...settled, realName } };
}

function someStores({ random, directory }: Run): string[] {
  return random.sample(directory.storeCodes, random.integer(1, 60));
}

function sign({ directory }: Run, method: string, target: string, content: unknown): SignedCall {
  return signCall(directory.credentials, method, target, content);
}

async function attemptShared(run: Run, client: SignedClient, mark: string): Promise<SignedCall | undefined> {
  const username = run.random.pick(sharedUsernames);
  const batch: SharedBatch = {
    realName: `batch ${mark}`,
    stores: someStores(run).toSorted(),
    startedAt: run.step++,
    acknowledgedAt: undefined,
  };
  run.shared.get(username)?.push(batch);
  const content = { username, real_name: batch.realName, store_codes: batch.stores };
  const call = sign(run, 'POST', '/user/stores', content);
  if ((await sendUntilKilled(client, call)) === undefined) return undefined;
  batch.acknowledgedAt = run.step++;
  return call;
}

/** A shared user shows exactly one batch, and none that an acknowledged batch had come after. */
async function verifyShared(run: Run, client: SignedClient): Promise<void> {
  for (const [username, batches] of run.shared) {
    const found = await readState(client, username);
    const shown = batches.find((batch) => batch.realName === found?.state.realName);
    if (shown === undefined) {
      assert.equal(found, undefined, `${username} has a name that no batch gave`);
      assert.ok(
        batches.every((batch) => batch.acknowledgedAt === undefined),
        `${username} is lost`,
      );
      continue;
    }
    assert.deepEqual(found?.state.stores, shown.stores, `${username} has the stores of one batch exactly`);
    const overwrittenBy = batches.find(
      (batch) => batch.acknowledgedAt !== undefined && batch.startedAt > (shown.acknowledgedAt ?? Infinity),
    );
    assert.equal(overwrittenBy, undefined, `${username} shows a batch older than an acknowledged one`);
  }
}

async function verifyReplays(run: Run, client: SignedClient): Promise<void> {
  for (const call of run.lastAcknowledged.values()) {
    const { code } = await client.send(call);
    assert.equal(code, 1015, `the replay of an acknowledged ${call.method} ${call.target} ${call.body}`);
  }
}

/**
 * What was not answered has happened completely or not at all, and the answer to its replay says which.
 * Returns how many had happened.
 */
async function settleUnanswered(users: readonly OwnedUser[], client: SignedClient): Promise<number> {
  let applied = 0;
  for (const user of users) {
    if (user.unanswered === undefined) continue;
    const { call, next } = user.unanswered;
    const before = (await readState(client, user.username))?.state;
    const happened = JSON.stringify(before) === JSON.stringify(next);
    if (!happened)
      assert.deepEqual(before, user.settled, `${user.username} after an unanswered ${call.body}`);
    const { code } = await client.send(call);
    assert.equal(code, happened ? 1015 : 0, `the replay of an unanswered ${call.method} ${call.target}`);
    user.settled = next;
    user.unanswered = undefined;
    if (happened) applied += 1;
  }
  return applied;
}

async function verifyAll(users: readonly OwnedUser[], client: SignedClient): Promise<void> {
  await Promise.all(
    users.map(async (user) => {
      const found = await readState(client, user.username);
      assert.deepEqual(found?.state, user.settled, user.username);
      if (user.id !== undefined) assert.equal(found?.id, user.id, user.username);
    }),
  );
}

/** Reads a user through the interface; `undefined` when there is none. */
async function readState(
  client: SignedClient,
  username: string,
): Promise<{ id: number; state: State } | undefined> {
  const { code, data } = await client.call('GET', `/user?username=${encodeURIComponent(username)}`);
  if (code === 1101) return undefined;
  assert.equal(code, 0);
  const user = data as { id: number; real_name: string; roles: { id: number }[] };
  const bound = await client.call('GET', `/user/store?user_id=${user.id}`);
  const stores = (bound.data as { stores: { code: string }[] }).stores.map(({ code: store }) => store);
  return { id: user.id, state: { realName: user.real_name, roleId: user.roles[0]?.id, stores } };
}
