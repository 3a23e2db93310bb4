import { keptFieldroster } from '../contenders/fieldroster.ts';
import type { Traffic } from '../contenders/server-under-load.ts';
import { seeded, storeCode, username } from '../directory/seeded-user.ts';
import type { Bench, Contender, EngineName, Scenario, Subject } from '../measurement.ts';
import { batchCodes } from './payloads.ts';
import {
  bindingPair,
  bindUserStoreTraffic,
  mixedTraffic,
  ofRandomUser,
  queryUserTraffic,
  reads,
  send,
  target,
  writes,
} from './traffic.ts';

interface Operation {
  readonly name: string;
  readonly title: string;
  readonly comparedTo: keyof typeof references;
  /** The measured load, and one that must run before it in each round. */
  readonly loads: (users: number) => readonly [measured: Traffic, before?: Traffic];
}

const references = { 'GET /user': queryUserTraffic, 'POST /user/store': bindUserStoreTraffic } as const;

const [storesOfUser, usersWithStores] = [10, 1_000];

const operations: readonly Operation[] = [
  write('create-user', 'POST /user', () => [
    writes(
      (index) => send('POST', '/user', { username: `created.by.bench.${index}`, password: 'pw' }),
      2_000,
    ),
  ]),
  write('update-user', 'PUT /user', (users) => [writes(ofRandomUser(users, updateOf))]),
  write('bind-user-role', 'POST /user/role', (users) => [roleBindings(users)[0]]),
  read('query-user-role', 'GET /user/role', (users) => [
    reads(ofRandomUser(users, (user_id) => target('GET', '/user/role', { user_id }))),
  ]),
  write('unbind-user-role', 'DELETE /user/role', (users) => unbindAfterBind(roleBindings(users))),
  write('bind-user-org', 'POST /user/org', (users) => [orgBindings(users)[0]]),
  write('unbind-user-org', 'DELETE /user/org', (users) => unbindAfterBind(orgBindings(users))),
  read('bind-user-store', 'POST /user/store', (users) => [bindUserStoreTraffic(users)]),
  write('unbind-user-store', 'DELETE /user/store', (users) => unbindAfterBind(storeBindings(users))),
  write('batch-update-user-stores', `POST /user/stores, ${storesOfUser}`, (users) => [
    writes((index) => replacementOf(index, Math.min(users, usersWithStores))),
  ]),
  read('query-user-stores', `GET /user/store, ${storesOfUser}`, (users) => [
    reads(
      ofRandomUser(Math.min(users, usersWithStores), (user_id) => target('GET', '/user/store', { user_id })),
    ),
  ]),
  read('reads-and-writes', '90 % GET /user, 10 % POST /user/store', (users) => [mixedTraffic(users)]),
];

/** Every operation on both engines. The rows of an engine share one server. */
export const operationRows: readonly Scenario[] = (['SQLite', 'PostgreSQL'] as const).flatMap((engine) =>
  operations.map((operation) => toScenario(operation, engine)),
);

function toScenario({ name, title, comparedTo, loads }: Operation, engine: EngineName): Scenario {
  const server = (bench: Bench, subject: Subject, traffic: Traffic) =>
    keptFieldroster(bench, subject, () => traffic, engine);
  return {
    name: `operation-${engine.toLowerCase()}-${name}`,
    title: `${title}, ${engine}`,
    comparedTo: `${comparedTo}, ${engine}`,
    unit: 'req/s',
    better: 'higher',
    group: `operations ${engine}`,
    full: true,
    plan: { rounds: 3, seconds: 5 },
    measured: async (bench, subject) => {
      const [traffic, before] = loads(subject.users);
      const measured = await server(bench, subject, traffic);
      return before === undefined ? measured : after(await server(bench, subject, before), measured);
    },
    reference: (bench, subject) => server(bench, subject, references[comparedTo](subject.users)),
  };
}

/** Runs a load before each measured round. */
function after(before: Contender, measured: Contender): Contender {
  return {
    async measure(seconds) {
      await before.measure(seconds);
      return measured.measure(seconds);
    },
    stop: () => measured.stop(),
  };
}

function read(name: string, title: string, loads: Operation['loads']): Operation {
  return { name, title, comparedTo: 'GET /user', loads };
}

function write(name: string, title: string, loads: Operation['loads']): Operation {
  return { name, title, comparedTo: 'POST /user/store', loads };
}

function updateOf(id: number) {
  const changed = Math.floor(Math.random() * 1_000_000);
  const [real_name, department] = [`Representative ${changed}`, `Sales ${changed % 40}`];
  return send('PUT', '/user', { id, real_name, nickname: `Rep ${id}`, department });
}

function replacementOf(index: number, users: number) {
  return send('POST', '/user/stores', {
    username: username(1 + (index % users)),
    store_codes: batchCodes(Math.floor(index / users) % 2, storesOfUser),
  });
}

function unbindAfterBind([bind, unbind]: ReturnType<typeof bindingPair>): readonly [Traffic, Traffic] {
  return [unbind, bind];
}

/** A user has one role, so a binding replaces that user's last one. */
function roleBindings(users: number) {
  const role = (index: number) => 1 + (rotated(index, users) % seeded.roles);
  return bindingPair('/user/role', (index) => ({ ...userOf(index, users), role_id: role(index) }), users);
}

/** A user has one organization, so a binding replaces that user's last one. */
function orgBindings(users: number) {
  const org = (index: number) => 1 + (rotated(index, users) % seeded.orgs);
  return bindingPair('/user/org', (index) => ({ ...userOf(index, users), org_id: org(index) }), users);
}

function storeBindings(users: number) {
  const store = (index: number) => storeCode(rotated(index, users) % seeded.stores);
  return bindingPair('/user/store', (index) => ({ ...userOf(index, users), store_code: store(index) }));
}

function userOf(index: number, users: number) {
  return { user_id: 1 + (index % users) };
}

/** Gives each user another target each time. */
function rotated(index: number, users: number): number {
  return index + Math.floor(index / users);
}
