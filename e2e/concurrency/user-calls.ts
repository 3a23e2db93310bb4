import assert from 'node:assert/strict';
import type { SeededRandom } from '../seeded-random.ts';
import {
  type Answered,
  asUser,
  type Effect,
  type EntityKey,
  type EntityState,
  isUser,
  type PlannedCall,
  type Sight,
  type UserState,
} from './entity-states.ts';
import { codes, type KnownUser, type Plan, type World } from './world.ts';

const ok = (answered: Answered) => answered.code === 0;

/** Explains a write of one user: what it does, and for each refusal what must have been true. */
function writeOf(
  entity: EntityKey,
  apply: (user: UserState) => UserState | undefined,
  refusals: Readonly<Record<number, readonly Sight[]>>,
  others: readonly Sight[] = [],
): PlannedCall['explain'] {
  return (answered) => {
    if (!ok(answered)) return { sights: refusals[answered.code] ?? unexpected(answered) };
    const effect: Effect = {
      entity,
      apply: (before) => {
        assert(isUser(before), 'the user exists');
        return apply(before);
      },
    };
    return { effects: [effect], sights: others };
  };
}

/** Says nothing of a call that was refused for the moment. */
export function unexpected({ code, message }: Answered): readonly Sight[] {
  assert([1429, 1503].includes(code), `unexpected answer ${code}: ${message}`);
  return [];
}

const absent = (entity: EntityKey, id?: number): Sight => ({
  entity,
  holds: (state) => asUser(state, id) === undefined,
});
const gone = (entity: EntityKey): Sight => ({ entity, holds: (state) => state === undefined });
const exists = (entity: EntityKey): Sight => ({ entity, holds: (state) => state !== undefined });
const sees = (entity: EntityKey, id: number, holds: (user: UserState) => boolean): Sight => ({
  entity,
  holds: (state) => {
    const user = asUser(state, id);
    return user !== undefined && holds(user);
  },
});

function someUser({ known }: World, random: SeededRandom): KnownUser & { readonly entity: EntityKey } {
  const user = random.pick(known);
  return { ...user, entity: `user:${user.username}` };
}

const createUser: Plan = (world, random) => {
  const username = random.pick(world.usernames);
  const [password, real_name] = [world.mark('pass'), world.mark('created')];
  const entity: EntityKey = `user:${username}`;
  const created = {
    realName: real_name,
    phone: '',
    status: 'active',
    role: null,
    org: null,
    stores: [],
    password,
  };
  return {
    method: 'POST',
    target: '/user',
    content: { username, password, real_name },
    explain: (answered) => {
      if (answered.code === 1102) return { sights: [exists(entity)] };
      if (!ok(answered)) return { sights: unexpected(answered) };
      const apply = (before: EntityState) => {
        assert.equal(before, undefined, 'the name was free');
        return { ...created, id: Number(answered.data.id), revision: 1, rows: 1 };
      };
      return { effects: [{ entity, apply }] };
    },
  };
};

const updateUser: Plan = (world, random) => {
  const { username, id, revision, entity } = someUser(world, random);
  const phone = world.mark('phone');
  const byId = random.chance(0.5);
  const withRevision = random.chance(0.5);
  const password = random.chance(0.1) ? world.mark('pass') : undefined;
  const matches = (state: EntityState) => asUser(state, byId ? id : undefined);
  const explain = writeOf(
    entity,
    (user) => {
      assert(matches(user) !== undefined, 'the id is that of the user');
      if (withRevision) assert.equal(user.revision, revision, 'the revision on which the update depends');
      return { ...user, phone, ...(password !== undefined && { password }) };
    },
    {
      1101: [absent(entity, byId ? id : undefined)],
      ...(withRevision && {
        1017: [
          { entity, holds: (state) => matches(state) !== undefined && matches(state)?.revision !== revision },
        ],
      }),
    },
  );
  const content = {
    ...(byId ? { id } : { username }),
    phone,
    password,
    ...(withRevision && { if_revision: revision }),
  };
  return { method: 'PUT', target: '/user', content, explain };
};

const deleteUser: Plan = (world, random) => {
  const { username, id, revision, entity } = someUser(world, random);
  const conditional = random.chance(0.5);
  const explain = writeOf(
    entity,
    (user) => {
      if (conditional) assert.deepEqual([user.id, user.revision], [id, revision], 'the revision to delete');
      return undefined;
    },
    {
      1101: [absent(entity, conditional ? id : undefined)],
      ...(conditional && { 1017: [sees(entity, id, (user) => user.revision !== revision)] }),
    },
  );
  const query = conditional ? `user_id=${id}&if_revision=${revision}` : `username=${username}`;
  return { method: 'DELETE', target: `/user?${query}`, explain };
};

const setStatus: Plan = (world, random) => {
  const { username, entity } = someUser(world, random);
  const status = random.pick(['active', 'disabled']);
  const explain = writeOf(entity, (user) => ({ ...user, status }), { 1101: [absent(entity)] });
  return { method: 'PUT', target: '/user/status', content: { username, status }, explain };
};

/** Binds or unbinds a role or an organization. */
const bindTarget: Plan = (world, random) => {
  const { id, entity } = someUser(world, random);
  const kind = random.pick(['role', 'org'] as const);
  const target = random.pick(kind === 'role' ? world.roleIds : world.orgIds);
  const of: EntityKey = `${kind}:${target}`;
  const { notFound, notBound } = codes[kind];
  if (random.chance(0.6)) {
    const bind = (user: UserState) => {
      assert.equal(user.id, id);
      return { ...user, [kind]: target };
    };
    const explain = writeOf(entity, bind, { 1101: [absent(entity, id)], [notFound]: [gone(of)] }, [
      exists(of),
    ]);
    return {
      method: 'POST',
      target: `/user/${kind}`,
      content: { user_id: id, [`${kind}_id`]: target },
      explain,
    };
  }
  const unbind = (user: UserState) => {
    assert.deepEqual([user.id, user[kind]], [id, target], 'it was bound');
    return { ...user, [kind]: null };
  };
  const refusals = {
    1101: [absent(entity, id)],
    [notBound]: [sees(entity, id, (user) => user[kind] !== target)],
  };
  const query = `user_id=${id}&${kind}_id=${target}`;
  return { method: 'DELETE', target: `/user/${kind}?${query}`, explain: writeOf(entity, unbind, refusals) };
};

const bindStore: Plan = (world, random) => {
  const { id, entity } = someUser(world, random);
  const code = random.pick(world.storeCodes);
  const store: EntityKey = `store:${code}`;
  if (random.chance(0.6)) {
    const bind = (user: UserState) => {
      assert.equal(user.id, id);
      return { ...user, stores: [...new Set([...user.stores, code])].toSorted() };
    };
    const explain = writeOf(entity, bind, { 1101: [absent(entity, id)], 1401: [gone(store)] }, [
      exists(store),
    ]);
    return { method: 'POST', target: '/user/store', content: { user_id: id, store_code: code }, explain };
  }
  const unbind = (user: UserState) => {
    assert(user.id === id && user.stores.includes(code), 'it was bound');
    return { ...user, stores: user.stores.filter((bound) => bound !== code) };
  };
  const refusals = {
    1101: [absent(entity, id)],
    1402: [sees(entity, id, (user) => !user.stores.includes(code))],
  };
  const target = `/user/store?user_id=${id}&store_code=${code}`;
  return { method: 'DELETE', target, explain: writeOf(entity, unbind, refusals) };
};

const replaceStores: Plan = (world, random) => {
  const username = random.pick(world.usernames);
  const entity: EntityKey = `user:${username}`;
  const stores = random.sample(world.storeCodes, random.integer(0, 3)).toSorted();
  const real_name = world.mark('replaced');
  const onlyNew = random.chance(0.2);
  const sentStores = stores.map((code): EntityKey => `store:${code}`);
  return {
    method: 'POST',
    target: '/user/stores',
    content: { username, real_name, store_codes: stores, ...(onlyNew && { if_revision: 0 }) },
    explain: (answered) => {
      if (answered.code === 1017) {
        assert(onlyNew);
        return { sights: [exists(entity)] };
      }
      if (answered.code === 1401) {
        const missing = sentStores.filter((key) => answered.message.includes(JSON.stringify(key.slice(6))));
        assert(missing.length > 0, answered.message);
        return { sights: missing.map(gone) };
      }
      if (!ok(answered)) return { sights: unexpected(answered) };
      const apply = (before: EntityState) => {
        if (onlyNew) assert.equal(before, undefined, 'there was no such user');
        return {
          ...(asUser(before) ?? world.newUser(Number(answered.data.id))),
          realName: real_name,
          stores,
        };
      };
      return { effects: [{ entity, apply }], sights: sentStores.map(exists) };
    },
  };
};

const checkPassword: Plan = (world, random) => {
  const username = random.pick(world.usernames);
  const entity: EntityKey = `user:${username}`;
  const password = world.passwords.get(username) ?? 'no password';
  const has = (state: EntityState) => asUser(state)?.password === password;
  return {
    method: 'POST',
    target: '/user/password/check',
    content: { username, password },
    explain: (answered) => {
      const holds = {
        0: (state: EntityState) =>
          has(state) && asUser(state)?.status === 'active' && asUser(state)?.id === answered.data.id,
        1104: (state: EntityState) => !has(state),
        1105: (state: EntityState) => has(state) && asUser(state)?.status === 'disabled',
      }[answered.code];
      return { sights: holds === undefined ? unexpected(answered) : [{ entity, holds }] };
    },
  };
};

/** Each plan with its weight. */
export const userPlans: readonly (readonly [number, Plan])[] = [
  [3, createUser],
  [10, updateUser],
  [4, deleteUser],
  [5, setStatus],
  [10, bindTarget],
  [12, bindStore],
  [10, replaceStores],
  [2, checkPassword],
];
