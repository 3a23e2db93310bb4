import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientBench } from '../test/client-bench.ts';
import type { FieldrosterClient } from './fieldroster-client.ts';

const writesPerUser = 10;
const users = Math.ceil(Number(process.env.FIELDROSTER_CLIENT_WRITES ?? 300) / writesPerUser);
const callersAtOnce = 16;

/** Sends ten writes. The server refuses a second creation or unbinding, so a repeated write shows. */
async function writeTenTimes(client: FieldrosterClient, number: number): Promise<void> {
  const username = `rep-${number}`;
  const created = await client.createUser({ username, password: `pässwörd-${number}` });
  assert.equal(created.password, `pässwörd-${number}`);
  assert.equal(created.username, username);
  assert.equal(typeof created.id, 'bigint');
  assert(!('roles' in created));
  const user = { user_id: created.id };
  await client.bindUserStore({ ...user, store_code: 'S001' });
  await client.bindUserStore({ ...user, store_code: 'S002' });
  await client.updateUser({ id: created.id, real_name: `Name ${number}` });
  await client.bindUserRole({ ...user, role_id: 7 });
  await client.bindUserOrg({ ...user, org_id: 1 });
  await client.unbindUserStore({ ...user, store_code: 'S001' });
  await client.unbindUserRole({ ...user, role_id: 7 });
  await client.unbindUserOrg({ ...user, org_id: 1 });
  const batch = await client.batchUpdateUserStores({ username, store_codes: ['S003'] });
  assert.deepEqual(batch, { id: created.id, username });
}

test('with every third answer dropped after the commit, each write is applied once and no error is seen', async (t) => {
  await using bench = await ClientBench.open();
  bench.proxy.treat = (count) => (count % 3 === 0 ? 'drop' : 'deliver');
  const clock = setInterval(() => bench.passTime(Date.now() - bench.localMs), 50);
  try {
    const client = bench.client({ retry: { delayMs: 10, delayMsMax: 200 } });
    let next = 0;
    const caller = async () => {
      while (next < users) await writeTenTimes(client, next++);
    };
    await Promise.all(Array.from({ length: callersAtOnce }, caller));
    await requireOnceEach(bench);
    t.diagnostic(`${users * writesPerUser} writes, ${bench.proxy.dropped} answers dropped`);
  } finally {
    clearInterval(clock);
  }
});

async function requireOnceEach(bench: ClientBench): Promise<void> {
  const audit = bench.server.db.selectFrom('audit_event').select('operation');
  // The operator's own commands leave rows without an application.
  const rows = await audit.where('app_id', 'is not', null).execute();
  const applied = Object.groupBy(rows, ({ operation }) => operation);
  const counts = Object.entries(applied).map(([operation, group = []]) => [operation, group.length / users]);
  assert.deepEqual(Object.fromEntries(counts), {
    'create-user': 1,
    'bind-user-store': 2,
    'update-user': 1,
    'bind-user-role': 1,
    'bind-user-org': 1,
    'unbind-user-store': 1,
    'unbind-user-role': 1,
    'unbind-user-org': 1,
    'batch-update-user-stores': 1,
  });
  assert.equal(rows.length, users * writesPerUser);
  const bindings = await bench.server.db.selectFrom('user_store').select('store_code').execute();
  assert.equal(bindings.length, users);
  assert(bindings.every(({ store_code }) => store_code === 'S003'));
  const { dropped, seen } = bench.proxy;
  assert(dropped >= (users * writesPerUser) / 3, `only ${dropped} answers were dropped`);
  assert(seen.length >= users * writesPerUser + dropped, 'what was dropped was sent again');
}
