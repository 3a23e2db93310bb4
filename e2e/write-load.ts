import assert from 'node:assert/strict';
import type { Provisioned } from './provision-directory.ts';
import type { SeededRandom } from './seeded-random.ts';
import { type Envelope, type SignedCall, type SignedClient, signText } from './signed-client.ts';

/** The state of a user that a test can see from outside. */
export interface State {
  readonly realName: string;
  readonly roleId: number | undefined;
  readonly stores: readonly string[];
}

/** A user whom only one writer changes, one request at a time, so that its state is known exactly. */
export interface OwnedUser {
  readonly username: string;
  id: number | undefined;
  /** The state after the last acknowledged write; `undefined` before the first. */
  settled: State | undefined;
  /** The write that was sent but not answered, and the state that it leads to. */
  unanswered: { readonly call: SignedCall; readonly next: State } | undefined;
}

/** One batch for a user whom all writers change at once. The real name identifies the batch. */
interface SharedBatch {
  readonly realName: string;
  readonly stores: readonly string[];
  readonly call: SignedCall;
  startedAt: number;
  acknowledgedAt: number | undefined;
}

interface ChosenWrite {
  readonly user: OwnedUser;
  readonly call: SignedCall;
  readonly next: State;
}

/** Sends a write; `undefined` if its outcome stays unknown, which ends the writer. */
export type SendWrite = (call: SignedCall) => Promise<Envelope | undefined>;

export interface WriterOptions {
  /** Its number among the concurrent writers. */
  readonly writer: number;
  /** Different for each run of a writer. */
  readonly mark: string;
  readonly send: SendWrite;
  readonly onAcknowledged?: () => void;
  /** Called before each write. */
  readonly goesOn?: () => boolean;
}

const sharedUsernames = ['shared-a', 'shared-b', 'shared-c'];

const verifiedAtOnce = 1_000;

/** Bodies of at least this size are bulk writes, which run in a thread on SQLite; see `call-deadline.ts`. */
const bulkBytes = 16 * 1024;

/**
 * The server takes a signature from a minute before its timestamp to a minute after it. A busy machine may need more than
 * one minute to start a server again, before the writes are repeated.
 */
const aheadSeconds = 50;

/** Makes random writes, and knows what the directory must contain afterwards. */
export class WriteLoad {
  readonly users: OwnedUser[] = [];
  acknowledged = 0;
  /** The last acknowledged request of each writer. */
  readonly lastAcknowledged = new Map<number, SignedCall>();
  readonly #directory: Provisioned;
  readonly #random: SeededRandom;
  readonly #shared = new Map<string, SharedBatch[]>(sharedUsernames.map((username) => [username, []]));
  /** Counts events, instead of using a clock. */
  #step = 0;

  constructor(directory: Provisioned, random: SeededRandom) {
    this.#directory = directory;
    this.#random = random;
  }

  /** Sends one write after the other, for its own users and for the shared ones. */
  async runWriter({ writer, mark, send, onAcknowledged, goesOn = () => true }: WriterOptions): Promise<void> {
    const mine: OwnedUser[] = [];
    for (let count = 0; goesOn(); count++) {
      const name = `${mark}-${count}`;
      const call = this.#random.chance(0.25)
        ? await this.#writeShared(send, name)
        : await this.#writeOwned(send, mine, name);
      if (call === undefined) return;
      this.lastAcknowledged.set(writer, call);
      this.acknowledged += 1;
      onAcknowledged?.();
    }
  }

  /** Sends one write for one of the writer's own users; returns it if it was acknowledged. */
  async #writeOwned(send: SendWrite, mine: OwnedUser[], mark: string): Promise<SignedCall | undefined> {
    const { user, call, next } = this.#chooseWrite(mine, mark);
    user.unanswered = { call, next };
    const envelope = await send(call);
    if (envelope === undefined) return undefined;
    user.settled = next;
    user.unanswered = undefined;
    // The answer to a replay has no data; a later batch then reveals the id.
    if (envelope.data?.id !== undefined) user.id ??= Number(envelope.data.id);
    return call;
  }

  async #writeShared(send: SendWrite, mark: string): Promise<SignedCall | undefined> {
    const username = this.#random.pick(sharedUsernames);
    const realName = `batch ${mark}`;
    const stores = this.#someStores().toSorted();
    const content = { username, real_name: realName, store_codes: stores };
    const call = this.#random.chance(0.5)
      ? this.#signBulk(content)
      : this.#sign('POST', '/user/stores', content);
    const batch: SharedBatch = { realName, stores, call, startedAt: this.#step++, acknowledgedAt: undefined };
    this.#shared.get(username)?.push(batch);
    if ((await send(call)) === undefined) return undefined;
    batch.acknowledgedAt = this.#step++;
    return call;
  }

  /** Every write leads to a state that its user never had, so that the state shows what happened. */
  #chooseWrite(mine: OwnedUser[], mark: string): ChosenWrite {
    const last = mine.at(-1);
    if (last?.settled === undefined || this.#random.chance(0.3)) {
      const created = this.createUser(mark);
      mine.push(created.user);
      return created;
    }
    if (last.id === undefined) return this.#replaceStores(last, last.settled, mark);
    const changes = ['replaceStores', 'bindStore', 'bindRole', 'updateName'] as const;
    switch (this.#random.pick(changes)) {
      case 'replaceStores':
        return this.#replaceStores(last, last.settled, mark);
      case 'bindStore':
        return this.#bindStore(last, last.settled, mark);
      case 'bindRole':
        return this.#bindRole(last, last.settled);
      case 'updateName':
        return this.#updateName(last, last.settled, mark);
    }
  }

  /** Returns a write that creates a new user. */
  createUser(mark: string): ChosenWrite {
    const username = `user-${mark}`;
    const user: OwnedUser = { username, id: undefined, settled: undefined, unanswered: undefined };
    this.users.push(user);
    const realName = `created ${mark}`;
    if (this.#random.chance(0.1)) {
      const call = this.#sign('POST', '/user', { username, password: `pass ${mark}`, real_name: realName });
      return { user, call, next: { realName, roleId: undefined, stores: [] } };
    }
    const stores = this.#someStores();
    const call = this.#sign('POST', '/user/stores', { username, real_name: realName, store_codes: stores });
    return { user, call, next: { realName, roleId: undefined, stores: stores.toSorted() } };
  }

  #replaceStores(user: OwnedUser, settled: State, mark: string): ChosenWrite {
    const realName = `replaced ${mark}`;
    const stores = this.#someStores();
    const content = { username: user.username, real_name: realName, store_codes: stores };
    const call = this.#sign('POST', '/user/stores', content);
    return { user, call, next: { ...settled, realName, stores: stores.toSorted() } };
  }

  #bindStore(user: OwnedUser, settled: State, mark: string): ChosenWrite {
    const free = this.#directory.storeCodes.filter((code) => !settled.stores.includes(code));
    if (free.length === 0) return this.#replaceStores(user, settled, mark);
    const code = this.#random.pick(free);
    const call = this.#sign('POST', '/user/store', { user_id: user.id, store_code: code });
    return { user, call, next: { ...settled, stores: [...settled.stores, code].toSorted() } };
  }

  #bindRole(user: OwnedUser, settled: State): ChosenWrite {
    const roleId = this.#random.pick(this.#directory.roleIds.filter((id) => id !== settled.roleId));
    const call = this.#sign('POST', '/user/role', { user_id: user.id, role_id: roleId });
    return { user, call, next: { ...settled, roleId } };
  }

  #updateName(user: OwnedUser, settled: State, mark: string): ChosenWrite {
    const realName = `updated ${mark}`;
    const call = this.#sign('PUT', '/user', { id: user.id, real_name: realName });
    return { user, call, next: { ...settled, realName } };
  }

  #someStores(): string[] {
    return this.#random.sample(this.#directory.storeCodes, this.#random.integer(1, 60));
  }

  #sign(method: string, target: string, content: unknown): SignedCall {
    return signText(this.#directory.credentials, method, target, JSON.stringify(content), aheadSeconds);
  }

  /** Signs the same with so much white space that the server makes a bulk write of it. */
  #signBulk(content: unknown): SignedCall {
    const text = JSON.stringify(content) + ' '.repeat(bulkBytes);
    return signText(this.#directory.credentials, 'POST', '/user/stores', text, aheadSeconds);
  }

  /** Asserts that each shared user shows exactly one batch, and none that was followed by an acknowledged one. */
  async verifyShared(client: SignedClient): Promise<void> {
    for (const [username, batches] of this.#shared) {
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
        ({ acknowledgedAt, startedAt }) =>
          acknowledgedAt !== undefined && startedAt > (shown.acknowledgedAt ?? Infinity),
      );
      assert.equal(overwrittenBy, undefined, `${username} shows a batch older than an acknowledged one`);
    }
  }

  /**
   * Sends the unanswered batches for shared users again, after which each has taken effect once. Returns how many there
   * were.
   */
  async settleShared(client: SignedClient): Promise<number> {
    const unanswered = [...this.#shared.values()]
      .flat()
      .filter(({ acknowledgedAt }) => acknowledgedAt === undefined);
    for (const batch of unanswered) {
      const again = this.#step++;
      const { code } = await client.send(batch.call);
      assert.ok(code === 0 || code === 1015, `the replay of an unanswered batch is answered ${code}`);
      if (code === 0) batch.startedAt = again;
      batch.acknowledgedAt = this.#step++;
    }
    return unanswered.length;
  }

  /** Asserts that the server refuses the last writes as repeated. Comes first, because their signatures expire. */
  async verifyReplays(client: SignedClient): Promise<void> {
    for (const call of this.lastAcknowledged.values()) {
      const { code } = await client.send(call);
      assert.equal(code, 1015, `the replay of an acknowledged ${call.method} ${call.target} ${call.body}`);
    }
  }

  /** Asserts that every user has exactly the state of its last acknowledged write. */
  async verifyUsers(client: SignedClient, users: readonly OwnedUser[] = this.users): Promise<void> {
    // If all requests were signed at once, the last would wait for a connection until its signature had expired.
    for (let start = 0; start < users.length; start += verifiedAtOnce) {
      await Promise.all(
        users.slice(start, start + verifiedAtOnce).map(async (user) => {
          const found = await readState(client, user.username);
          assert.deepEqual(found?.state, user.settled, user.username);
          if (user.id !== undefined) assert.equal(found?.id, user.id, user.username);
        }),
      );
    }
  }
}

/** Reads a user through the interface; `undefined` if there is none. */
export async function readState(
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
