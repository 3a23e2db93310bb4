import type { Traffic } from '../contenders/server-under-load.ts';
import { seeded, storeCode, username } from '../directory/seeded-user.ts';
import { send, writes } from './operation-traffic.ts';

const storesOfUser = 10;

/** As the nightly job of an integrator has it. */
const connections = 1;

/** So many requests are prepared for the first round; later ones get what the one before took. */
const firstUsers = 100_000;

/** Batches of users who exist, each of whom gets ten other stores than before. */
export function batchTraffic(users: number, entries: number): Traffic {
  const batch = (index: number) =>
    send('POST', '/users/batch', {
      users: Array.from({ length: entries }, (_, entry) => givenStores(index * entries + entry, users)),
    });
  const counts = `"created":0,"updated":${entries},"unchanged":0,"failed":0`;
  return {
    ...writes(batch, Math.ceil(firstUsers / entries)),
    connections,
    successPrefix: `{"code":0,"message":"","data":{"applied":true,${counts}`,
  };
}

/** The same changes, each in a call of its own. */
export function singleTraffic(users: number): Traffic {
  const single = (index: number) => send('POST', '/user/stores', givenStores(index, users));
  return { ...writes(single, firstUsers), connections };
}

/** A prime, so that all users get their turn before the first one gets another, and neighbours are apart. */
const stride = 7_368_787;

/** A user who is there, with ten other stores than before. */
export function givenStores(position: number, users: number) {
  const id = 1 + ((position * stride) % users);
  const first = storesOfUser * id + 5_003 * Math.floor(position / users);
  return { username: username(id), store_codes: tenStores(first) };
}

/** A user of a name that no directory of the benchmark has. */
export function newUser(position: number) {
  const profile = { real_name: `New User ${position}`, phone: String(position), department: 'North' };
  return { username: `new.user.${position}`, ...profile, store_codes: tenStores(storesOfUser * position) };
}

function tenStores(first: number): string[] {
  return Array.from({ length: storesOfUser }, (_, index) => storeCode((first + 997 * index) % seeded.stores));
}
