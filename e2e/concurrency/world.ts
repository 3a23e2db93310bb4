import type { SeededRandom } from '../seeded-random.ts';
import type { Answered, PlannedCall, UserState } from './entity-states.ts';

/** Plans a call about what the clients know. */
export type Plan = (world: World, random: SeededRandom) => PlannedCall;

/** A user as some answer showed it. It may have changed or gone since. */
export interface KnownUser {
  readonly username: string;
  readonly id: number;
  readonly revision: number;
}

export const codes = {
  role: { notFound: 1201, inUse: 1203, taken: 1204, notBound: 1202 },
  org: { notFound: 1301, inUse: 1303, taken: 1304, notBound: 1302 },
  store: { notFound: 1401, inUse: 1403, taken: 1404, notBound: 1402 },
} as const;

/** The few names that all clients use, and what they have learned about them. */
export class World {
  readonly usernames: readonly string[];
  readonly storeCodes: readonly string[];
  readonly roleIds: readonly number[];
  readonly orgIds: readonly number[];
  /** The last passwords that were sent for new users. */
  readonly passwords = new Map<string, string>();
  readonly #known = new Map<string, KnownUser>();
  #marks = 0;

  constructor(names: Pick<World, 'usernames' | 'storeCodes' | 'roleIds' | 'orgIds'>) {
    this.usernames = names.usernames;
    this.storeCodes = names.storeCodes;
    this.roleIds = names.roleIds;
    this.orgIds = names.orgIds;
    for (const username of names.usernames)
      this.#known.set(username, { username, id: 999_999_999, revision: 1 });
  }

  get known(): readonly KnownUser[] {
    return [...this.#known.values()];
  }

  /** Returns a text that no other call uses, so that a state shows which call made it. */
  mark(word: string): string {
    this.#marks += 1;
    return `${word} ${this.#marks}`;
  }

  newUser(id: number): UserState {
    const bound = { role: null, org: null, stores: [], password: undefined };
    return { id, realName: '', phone: '', status: 'active', ...bound, revision: 1, rows: 1 };
  }

  learn({ code, data, etag }: Answered, content: Readonly<Record<string, unknown>> = {}): void {
    if (code !== 0) return;
    const { username, password } = content;
    if (typeof username === 'string' && typeof password === 'string') this.passwords.set(username, password);
    if (typeof data.username === 'string') this.#note(data.username, Number(data.id), etag);
    for (const user of (data.users ?? []) as Partial<KnownUser>[]) {
      if (user.username !== undefined) this.#note(user.username, Number(user.id), user.revision);
    }
  }

  #note(username: string, id: number, revision: number | undefined): void {
    if (!this.#known.has(username)) return;
    const before = this.#known.get(username);
    const last = before?.id === id ? before.revision : 1;
    this.#known.set(username, { username, id, revision: revision ?? last });
  }
}
