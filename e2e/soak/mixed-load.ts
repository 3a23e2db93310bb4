import { setTimeout as delay } from 'node:timers/promises';
import type { Provisioned } from '../provision-directory.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { type SignedCall, SignedClient, signCall } from '../signed-client.ts';

const users = 2_000;
const password = 'the password of every user';
const connections = 16;
/** Leaves the server idle for a part of the time, so that its collector runs as it usually does. */
const pauseMsMax = 20;

interface Mix {
  readonly name: string;
  /** How often it is chosen, among all. */
  readonly weight: number;
  readonly call: () => SignedCall;
}

/** Reads, writes, batches, imports, wrong signatures and password checks, in random order. */
export class MixedLoad {
  /** Number of answers by kind of request and code. */
  readonly answers = new Map<string, number>();
  readonly #client: SignedClient;
  readonly #random: SeededRandom;
  readonly #mixes: readonly Mix[];
  #going = true;

  constructor(url: string, directory: Provisioned, random: SeededRandom) {
    this.#client = new SignedClient(url, directory.credentials, connections);
    this.#random = random;
    this.#mixes = mixesOf(directory, random);
  }

  /** Sends requests until `stop`. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: connections }, () => this.#runClient()));
    this.#client.close();
  }

  stop(): void {
    this.#going = false;
  }

  async #runClient(): Promise<void> {
    while (this.#going) {
      const { name, call } = this.#choose();
      const { code } = await this.#client.send(call());
      const key = `${name} ${code}`;
      this.answers.set(key, (this.answers.get(key) ?? 0) + 1);
      await delay(this.#random.integer(0, pauseMsMax));
    }
  }

  #choose(): Mix {
    const weights = this.#mixes.reduce((sum, { weight }) => sum + weight, 0);
    let left = this.#random.integer(1, weights);
    for (const mix of this.#mixes) {
      left -= mix.weight;
      if (left <= 0) return mix;
    }
    throw new RangeError('the weights do not add up');
  }
}

function mixesOf({ credentials, storeCodes }: Provisioned, random: SeededRandom): readonly Mix[] {
  const username = () => `user-${random.integer(0, users - 1)}`;
  const sign = (method: string, target: string, content?: unknown) =>
    signCall(credentials, method, target, content);
  const batch = () => Array.from({ length: 100 }, () => ({ username: username(), real_name: username() }));
  const stores = () => storeCodes.map((code) => ({ code, name: `Store ${username()}`, address: '' }));
  const wrong = { ...credentials, appSecret: 'not the secret of this application' };
  return [
    { name: 'read', weight: 600, call: () => sign('GET', `/user?username=${username()}`) },
    { name: 'list', weight: 20, call: () => sign('GET', '/users?limit=100') },
    {
      name: 'write',
      weight: 200,
      call: () =>
        sign('POST', '/user/stores', { username: username(), store_codes: random.sample(storeCodes, 5) }),
    },
    { name: 'batch', weight: 5, call: () => sign('POST', '/users/batch', { users: unique(batch()) }) },
    { name: 'import of stores', weight: 5, call: () => sign('POST', '/stores', { stores: stores() }) },
    {
      name: 'wrong signature',
      weight: 100,
      call: () => signCall(wrong, 'GET', `/user?username=${username()}`),
    },
    {
      name: 'new user with a password',
      weight: 5,
      call: () => sign('POST', '/user', { username: `login-${random.integer(0, users)}`, password }),
    },
    {
      name: 'password check',
      weight: 5,
      call: () =>
        sign('POST', '/user/password/check', { username: `login-${random.integer(0, users)}`, password }),
    },
  ];
}

function unique(entries: readonly { readonly username: string }[]): unknown[] {
  return [...new Map(entries.map((entry) => [entry.username, entry])).values()];
}
