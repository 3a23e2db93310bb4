import assert from 'node:assert/strict';
import type { SeededRandom } from '../seeded-random.ts';
import {
  type Answered,
  asUser,
  type Effect,
  type EntityKey,
  type EntityState,
  isUser,
  type Sight,
  type TargetState,
  type UserState,
} from './entity-states.ts';
import { unexpected } from './user-calls.ts';
import { codes, type Plan, type World } from './world.ts';

interface Entry {
  readonly username: string;
  readonly real_name?: string;
  readonly role_id?: number;
  readonly org_id?: number;
  readonly store_codes?: readonly string[];
}

interface Outcome {
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'failed';
  readonly id: number;
  readonly code: number;
  readonly stores_added: readonly string[];
  readonly stores_removed: readonly string[];
}

const batchUsers: Plan = (world, random) => {
  const atomic = random.chance(0.5);
  const dry_run = random.chance(0.25);
  const users = random.sample(world.usernames, random.integer(2, 3)).map(
    (username): Entry => ({
      username,
      ...(random.chance(0.8) && { real_name: world.mark('batch') }),
      ...(random.chance(0.3) && { role_id: random.pick(world.roleIds) }),
      ...(random.chance(0.3) && { org_id: random.pick(world.orgIds) }),
      ...(random.chance(0.6) && {
        store_codes: random.sample(world.storeCodes, random.integer(0, 3)).toSorted(),
      }),
    }),
  );
  const explain = (answered: Answered) => {
    if (answered.code !== 0) return { sights: unexpected(answered) };
    const results = answered.data.results as Outcome[];
    const failed = results.some(({ outcome }) => outcome === 'failed');
    assert.equal(answered.data.applied, !dry_run && !(atomic && failed), 'applied');
    const parts = users.map((entry, index) =>
      explainEntry(world, entry, results[index] as Outcome, answered),
    );
    return {
      effects: parts.flatMap(({ effects }) => effects),
      sights: parts.flatMap(({ sights }) => sights),
    };
  };
  return { method: 'POST', target: '/users/batch', content: { users, atomic, dry_run }, explain };
};

function explainEntry(world: World, entry: Entry, result: Outcome, { data }: Answered) {
  const entity: EntityKey = `user:${entry.username}`;
  const targets = targetsOf(entry);
  if (result.outcome === 'failed') {
    const kind = ({ 1201: 'role', 1301: 'org', 1401: 'store' } as const)[result.code];
    assert(kind !== undefined, `an entry fails with ${result.code}`);
    const candidates = targets.filter((target) => target.startsWith(`${kind}:`));
    // One of several stores is missing; the message names it, but one target is the usual case.
    const [only] = candidates;
    const isSure = candidates.length === 1 && only !== undefined;
    return {
      effects: [],
      sights: isSure ? [{ entity: only, holds: (state: EntityState) => state === undefined }] : [],
    };
  }
  const exist = targets.map((target): Sight => ({ entity: target, holds: (state) => state !== undefined }));
  const apply = (before: EntityState) => {
    checkOutcome(before, entry, result);
    return afterEntry(asUser(before) ?? world.newUser(result.id), entry);
  };
  if (data.applied === true && result.outcome !== 'unchanged')
    return { effects: [{ entity, apply }], sights: exist };
  const holds = (state: EntityState) => {
    try {
      apply(state);
      return true;
    } catch {
      return false;
    }
  };
  // A dry run locks nothing: it reads users and targets one after the other.
  const sights = [{ entity, holds }, ...exist].map((sight) => ({ ...sight, apart: true }));
  return { effects: [] as Effect[], sights };
}

function targetsOf({ role_id, org_id, store_codes = [] }: Entry): EntityKey[] {
  return [
    ...(role_id === undefined ? [] : [`role:${role_id}` as const]),
    ...(org_id === undefined ? [] : [`org:${org_id}` as const]),
    ...store_codes.map((code): EntityKey => `store:${code}`),
  ];
}

function afterEntry(user: UserState, { real_name, role_id, org_id, store_codes }: Entry): UserState {
  return {
    ...user,
    realName: real_name ?? user.realName,
    role: role_id ?? user.role,
    org: org_id ?? user.org,
    stores: store_codes ?? user.stores,
  };
}

/** Asserts that the outcome is that of the entry for a user in this state. */
function checkOutcome(
  before: EntityState,
  entry: Entry,
  { outcome, stores_added, stores_removed }: Outcome,
): void {
  const user = asUser(before);
  assert.equal(user === undefined, outcome === 'created', 'a user is created if there was none');
  const stores = user?.stores ?? [];
  const wanted = entry.store_codes ?? stores;
  assert.deepEqual(
    [...stores_added],
    wanted.filter((code) => !stores.includes(code)),
    'stores_added',
  );
  assert.deepEqual(
    [...stores_removed],
    stores.filter((code) => !wanted.includes(code)),
    'stores_removed',
  );
  if (user === undefined) return;
  const isSame = JSON.stringify(afterEntry(user, entry)) === JSON.stringify(user);
  assert.equal(isSame, outcome === 'unchanged', 'a user that would not change is unchanged');
}

const upsertStores: Plan = (world, random) => {
  const stores = random
    .sample(world.storeCodes, random.integer(2, 3))
    .map((code) => ({ code, name: world.mark('store') }));
  const dry_run = random.chance(0.2);
  const explain = (answered: Answered) => {
    if (answered.code !== 0) return { sights: unexpected(answered) };
    const { applied, created, updated } = answered.data;
    assert.deepEqual([applied, Number(created) + Number(updated)], [!dry_run, stores.length]);
    if (dry_run) return {};
    const effects = stores.map(
      ({ code, name }): Effect => ({ entity: `store:${code}`, apply: () => ({ name, revision: 0 }) }),
    );
    return { effects };
  };
  return { method: 'POST', target: '/stores', content: { stores, dry_run }, explain };
};

type Kind = 'store' | 'role' | 'org';

function someTarget(world: World, random: SeededRandom) {
  const kind: Kind = random.pick(['store', 'store', 'role', 'org']);
  const key = random.pick<string | number>(
    { store: world.storeCodes, role: world.roleIds, org: world.orgIds }[kind],
  );
  return { kind, key, name: kind === 'store' ? 'code' : 'id', entity: `${kind}:${key}` as EntityKey };
}

const removeTarget: Plan = (world, random) => {
  const { kind, key, name, entity } = someTarget(world, random);
  const force = random.chance(0.7);
  const isBound = (user: UserState) =>
    kind === 'store' ? user.stores.includes(String(key)) : user[kind] === key;
  const explain = (answered: Answered) => {
    if (answered.code === codes[kind].notFound)
      return { sights: [{ entity, holds: (state: EntityState) => state === undefined }] };
    if (answered.code === codes[kind].inUse) {
      assert(!force, answered.message);
      return { sights: [{ entity, holds: (state: EntityState) => state !== undefined }] };
    }
    if (answered.code !== 0) return { sights: unexpected(answered) };
    const apply = (before: EntityState) => {
      assert(before !== undefined, 'what is removed exists');
      return undefined;
    };
    // Afterwards, nobody is bound to it.
    const unbound = world.usernames.map(
      (username): Sight => ({
        entity: `user:${username}`,
        holds: (state) => !isUser(state) || !isBound(state),
      }),
    );
    return { effects: [{ entity, apply }], sights: unbound };
  };
  return { method: 'DELETE', target: `/${kind}?${name}=${key}${force ? '&force=true' : ''}`, explain };
};

const createTarget: Plan = (world, random) => {
  const { kind, key, name, entity } = someTarget(world, random);
  const text = world.mark(kind);
  const explain = (answered: Answered) => {
    if (answered.code === codes[kind].taken)
      return { sights: [{ entity, holds: (state: EntityState) => state !== undefined }] };
    if (answered.code !== 0) return { sights: unexpected(answered) };
    const apply = (before: EntityState) => {
      assert.equal(before, undefined, 'what is created did not exist');
      return { name: text, revision: 1 };
    };
    return { effects: [{ entity, apply }] };
  };
  return { method: 'POST', target: `/${kind}`, content: { [name]: key, name: text }, explain };
};

const updateTarget: Plan = (world, random) => {
  const { kind, key, name, entity } = someTarget(world, random);
  const text = world.mark(kind);
  const revision = random.chance(0.5) ? random.integer(1, 4) : undefined;
  const explain = (answered: Answered) => {
    if (answered.code === codes[kind].notFound)
      return { sights: [{ entity, holds: (state: EntityState) => state === undefined }] };
    if (answered.code === 1017 && revision !== undefined) {
      const holds = (state: EntityState) => state !== undefined && state.revision !== revision;
      return { sights: [{ entity, holds }] };
    }
    if (answered.code !== 0) return { sights: unexpected(answered) };
    const apply = (before: EntityState) => {
      assert(before !== undefined, 'what is updated exists');
      if (revision !== undefined)
        assert.equal(before.revision, revision, 'the revision on which the update depends');
      return { ...(before as TargetState), name: text };
    };
    return { effects: [{ entity, apply }] };
  };
  return {
    method: 'PUT',
    target: `/${kind}`,
    content: { [name]: key, name: text, if_revision: revision },
    explain,
  };
};

/** Each plan with its weight. */
export const bulkPlans: readonly (readonly [number, Plan])[] = [
  [10, batchUsers],
  [5, upsertStores],
  [5, removeTarget],
  [6, createTarget],
  [6, updateTarget],
];
