import assert from 'node:assert/strict';
import {
  type Answered,
  asUser,
  type EntityKey,
  type EntityState,
  type Sight,
  type TargetState,
  type UserState,
} from './entity-states.ts';
import { unexpected } from './user-calls.ts';
import { codes, type Plan } from './world.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

interface ShownUser extends Named {
  readonly username: string;
  readonly real_name: string;
  readonly phone: string;
  readonly roles: readonly Named[];
  readonly orgs: readonly Named[];
  readonly status?: string;
  readonly revision?: number;
}

/** Returns what an answer with a user shows: the user, and the names of its role and organization. */
function sightsOf(shown: ShownUser, revision: number | undefined): Sight[] {
  const holds = (state: EntityState) => {
    const user = asUser(state, shown.id);
    return (
      user !== undefined &&
      user.realName === shown.real_name &&
      user.phone === shown.phone &&
      user.role === (shown.roles[0]?.id ?? null) &&
      user.org === (shown.orgs[0]?.id ?? null) &&
      (shown.status === undefined || user.status === shown.status) &&
      (revision === undefined || user.revision === revision)
    );
  };
  return [
    { entity: `user:${shown.username}`, holds },
    ...shown.roles.map((role) => namedSight(`role:${role.id}`, role.name)),
    ...shown.orgs.map((org) => namedSight(`org:${org.id}`, org.name)),
  ];
}

function namedSight(entity: EntityKey, name: string, revision?: number): Sight {
  return {
    entity,
    holds: (state) => {
      const target = state as TargetState | undefined;
      return target?.name === name && (revision === undefined || target.revision === revision);
    },
  };
}

const isAbsent = (entity: EntityKey): Sight => ({ entity, holds: (state) => state === undefined });

/** A list refuses a target that does not exist, in a statement of its own. */
const existed = (entity: EntityKey): Sight => ({
  entity,
  holds: (state) => state !== undefined,
  apart: true,
});

/** Explains a read: what its data shows, and what each refusal does. */
function readOf(
  show: (answered: Answered) => readonly Sight[],
  refusals: Readonly<Record<number, readonly Sight[]>>,
) {
  return (answered: Answered) => {
    if (answered.code !== 0) return { sights: refusals[answered.code] ?? unexpected(answered) };
    return { sights: show(answered) };
  };
}

const queryUser: Plan = ({ usernames }, random) => {
  const username = random.pick(usernames);
  const show = ({ data, etag }: Answered) => sightsOf(data as unknown as ShownUser, etag);
  const explain = readOf(show, { 1101: [isAbsent(`user:${username}`)] });
  return { method: 'GET', target: `/user?username=${username}`, explain };
};

const queryRole: Plan = ({ known }, random) => {
  const { id, username } = random.pick(known);
  const entity: EntityKey = `user:${username}`;
  const show = ({ data }: Answered): Sight[] => {
    const roles = data.roles as Named[];
    const holds = (state: EntityState) => {
      const user = asUser(state, id);
      return user !== undefined && user.role === (roles[0]?.id ?? null);
    };
    return [{ entity, holds }, ...roles.map((role) => namedSight(`role:${role.id}`, role.name))];
  };
  const explain = readOf(show, { 1101: [{ entity, holds: (state) => asUser(state, id) === undefined }] });
  return { method: 'GET', target: `/user/role?user_id=${id}`, explain };
};

const queryStores: Plan = ({ known }, random) => {
  const { id, username } = random.pick(known);
  const entity: EntityKey = `user:${username}`;
  const show = ({ data }: Answered): Sight[] => {
    const stores = data.stores as { code: string; name: string }[];
    const listed = String(stores.map(({ code }) => code));
    const holds = (state: EntityState) => String(asUser(state, id)?.stores) === listed;
    return [{ entity, holds }, ...stores.map(({ code, name }) => namedSight(`store:${code}`, name))];
  };
  const explain = readOf(show, { 1101: [{ entity, holds: (state) => asUser(state, id) === undefined }] });
  return { method: 'GET', target: `/user/store?user_id=${id}`, explain };
};

/** Lists all users at once: those that are not listed did not exist, or did not match. */
const listUsers: Plan = ({ usernames, storeCodes, roleIds }, random) => {
  const filter = random.pick(['', 'status=disabled', 'store_code', 'role_id']);
  const store = random.pick(storeCodes);
  const role = random.pick(roleIds);
  const [matches, target]: [(user: UserState) => boolean, EntityKey | undefined] = (() => {
    if (filter === 'store_code') return [(user: UserState) => user.stores.includes(store), `store:${store}`];
    if (filter === 'role_id') return [(user: UserState) => user.role === role, `role:${role}`];
    return [(user: UserState) => filter === '' || user.status === 'disabled', undefined];
  })();
  const query =
    { store_code: `&store_code=${store}`, role_id: `&role_id=${role}` }[filter] ?? (filter && `&${filter}`);
  const show = ({ data }: Answered): Sight[] => {
    const users = data.users as ShownUser[];
    assert.equal(data.next_cursor, '', 'all users are on one page');
    const names = users.map(({ username }) => username);
    assert.equal(new Set(names).size, names.length, 'each user is listed once');
    const others = usernames.filter((username) => !names.includes(username));
    return [
      ...users
        .filter(({ username }) => usernames.includes(username))
        .flatMap((user) => sightsOf(user, user.revision)),
      ...users.map(
        ({ username, id }): Sight => ({
          entity: `user:${username}`,
          holds: (state) =>
            !usernames.includes(username) || (asUser(state, id) !== undefined && matches(state as UserState)),
        }),
      ),
      ...(target === undefined ? [] : [existed(target)]),
      ...others.map(
        (username): Sight => ({
          entity: `user:${username}`,
          holds: (state) => state === undefined || !matches(state as UserState),
          // A page first finds users, then reads them: one that came to match in between is missing.
          apart: true,
        }),
      ),
    ];
  };
  const missing = target === undefined ? {} : { 1401: [isAbsent(target)], 1201: [isAbsent(target)] };
  return { method: 'GET', target: `/users?limit=500${query}`, explain: readOf(show, missing) };
};

const listStoreUsers: Plan = ({ usernames, storeCodes }, random) => {
  const code = random.pick(storeCodes);
  const show = ({ data }: Answered): Sight[] => {
    const users = data.users as ShownUser[];
    const all = usernames.map((username): Sight => {
      const shown = users.find((user) => user.username === username);
      const holds = (state: EntityState) => {
        const user = asUser(state);
        if (shown === undefined) return user === undefined || !user.stores.includes(code);
        const isSame = user?.id === shown.id && user.phone === shown.phone && user.status === shown.status;
        return isSame && user.stores.includes(code) && user.realName === shown.real_name;
      };
      return { entity: `user:${username}`, holds };
    });
    return [...all, existed(`store:${code}`)];
  };
  const explain = readOf(show, { 1401: [isAbsent(`store:${code}`)] });
  return { method: 'GET', target: `/store/users?limit=500&store_code=${code}`, explain };
};

const listTargets: Plan = ({ storeCodes, roleIds, orgIds }, random) => {
  const kind = random.pick(['store', 'role', 'org'] as const);
  const all = { store: storeCodes, role: roleIds, org: orgIds }[kind];
  const show = ({ data }: Answered): Sight[] => {
    const listed = data[`${kind}s`] as (Named & { code: string; revision: number })[];
    return all.map((key): Sight => {
      const shown = listed.find((target) => (kind === 'store' ? target.code : target.id) === key);
      const entity: EntityKey = `${kind}:${key}`;
      return shown === undefined ? isAbsent(entity) : namedSight(entity, shown.name, shown.revision);
    });
  };
  return { method: 'GET', target: `/${kind}s?limit=500`, explain: readOf(show, {}) };
};

const queryTarget: Plan = ({ storeCodes, roleIds, orgIds }, random) => {
  const kind = random.pick(['store', 'role', 'org'] as const);
  const key = random.pick<string | number>({ store: storeCodes, role: roleIds, org: orgIds }[kind]);
  const entity: EntityKey = `${kind}:${key}`;
  const show = ({ data, etag }: Answered): Sight[] => {
    assert.equal(data.revision, etag, 'the ETag header is the revision');
    return [namedSight(entity, String(data.name), etag)];
  };
  const explain = readOf(show, { [codes[kind].notFound]: [isAbsent(entity)] });
  return { method: 'GET', target: `/${kind}?${kind === 'store' ? 'code' : 'id'}=${key}`, explain };
};

/** The audit shows all rows of a user up to some moment, and none after it. */
const listAudit: Plan = ({ known }, random) => {
  const { id, username } = random.pick(known);
  const show = ({ data }: Answered): Sight[] => {
    const events = (data.events as unknown[]).length;
    const holds = (state: EntityState) =>
      asUser(state, id) === undefined || asUser(state, id)?.rows === events;
    return data.next_cursor === '' ? [{ entity: `user:${username}`, holds }] : [];
  };
  return { method: 'GET', target: `/audit?limit=500&user_id=${id}`, explain: readOf(show, {}) };
};

/** Each plan with its weight. */
export const readPlans: readonly (readonly [number, Plan])[] = [
  [14, queryUser],
  [4, queryRole],
  [8, queryStores],
  [8, listUsers],
  [4, listStoreUsers],
  [5, listTargets],
  [4, queryTarget],
  [3, listAudit],
];
