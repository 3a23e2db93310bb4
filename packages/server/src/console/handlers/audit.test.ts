import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsoleBrowser, owner, uuidV7 } from '../../../test/console-browser.ts';
import { applications, startTestServer, type TestServer } from '../../../test/test-server.ts';

interface Events {
  readonly events: readonly {
    readonly operation: string;
    readonly user_id: number;
    readonly user?: { readonly username: string; readonly real_name: string; readonly deleted: boolean };
    readonly colleague?: {
      readonly user_id: number;
      readonly user?: { readonly username: string; readonly deleted: boolean };
    };
    readonly actor: { readonly kind: string; readonly id: string; readonly name: string };
  }[];
  readonly operators: readonly { readonly username: string }[];
  readonly next_cursor: string;
}

describe('the audit trail in the console', () => {
  let server: TestServer;
  let mo: ConsoleBrowser;
  let viewer: ConsoleBrowser;

  before(async () => {
    server = await startTestServer();
    [mo, viewer] = [new ConsoleBrowser(server), new ConsoleBrowser(server)];
    await mo.join('mo', owner);
    await viewer.join('viewer', { role: 'viewer', allTenants: false, tenantIds: [server.tenantId] });
    await new ConsoleBrowser(server).join('elsewhere', {
      role: 'viewer',
      allTenants: false,
      tenantIds: [server.otherTenantId],
    });
    await server.call('POST', '/user', { username: 'signed', password: 'p' });
    await mo.succeed('POST', `/tenants/${server.tenantId}/role`, { name: 'By Mo' });
    await mo.succeed('POST', `/tenants/${server.tenantId}/applications`, { name: 'Till', scope: 'read' });
  });

  after(() => server.close());

  const list = async (query = '') =>
    (await viewer.succeed('GET', `/tenants/${server.tenantId}/events${query}`)).data as unknown as Events;

  test('each change has its actor by kind and name', async () => {
    const { events } = await list();
    const actorOf = (operation: string) => events.find((event) => event.operation === operation)?.actor;
    assert.deepEqual(actorOf('create-user')?.kind, 'application');
    assert.deepEqual(actorOf('create-user')?.id, applications.main.appId);
    for (const operation of ['create-role', 'app create']) {
      const { kind, name } = actorOf(operation) ?? {};
      assert.deepEqual([kind, name], ['operator', 'mo'], operation);
    }
  });

  test('the operator filter finds every change of an operator and no other', async () => {
    const { events } = await list();
    const id = events.find(({ operation }) => operation === 'create-role')?.actor.id;
    const found = (await list(`?operator_id=${id}`)).events.map(({ operation }) => operation);
    assert.deepEqual(found, ['app create', 'create-role']);
    assert.deepEqual((await list('?operator_id=404')).events, []);
  });

  test('the filter by the id of a change finds what this change did, for the operator who made it', async () => {
    const changeId = uuidV7(server.nowMs);
    await mo.succeed(
      'POST',
      `/tenants/${server.tenantId}/role`,
      { name: 'Proved' },
      { 'Change-Id': changeId },
    );
    const found = async (browser: ConsoleBrowser, id: string) => {
      const path = `/tenants/${server.tenantId}/events?change_id=${id}`;
      const { events } = (await browser.succeed('GET', path)).data as unknown as Events;
      return events.map(({ operation }) => operation);
    };
    assert.deepEqual(await found(mo, changeId), ['create-role']);
    assert.deepEqual(await found(mo, uuidV7(server.nowMs)), []);
    assert.deepEqual(await found(viewer, changeId), [], 'another operator may have used the same id');
  });

  test('each change names the user it is about, a deleted one as recorded', async () => {
    const profile = { username: 'jun', password: 'p', real_name: 'Jun Li' };
    const create = async (user: object) => {
      const { envelope } = await server.succeed('POST', '/user', user);
      return (envelope.data as { id: number }).id;
    };
    const [jun, gone] = [await create(profile), await create({ ...profile, username: 'gone' })];
    await server.succeed('PUT', '/user', { username: 'gone', phone: '1' });
    await server.succeed('DELETE', '/user?username=gone');
    const { events } = await list();
    const namesOf = (id: number) => events.filter(({ user_id }) => user_id === id).map(({ user }) => user);
    const named = { username: 'jun', real_name: 'Jun Li', deleted: false };
    assert.deepEqual(namesOf(jun), [named]);
    const recorded = { username: 'gone', real_name: 'Jun Li', deleted: true };
    assert.deepEqual(namesOf(gone), [recorded, recorded, recorded]);
    const [second] = (await list(`?user_id=${gone}&operation=update-user`)).events;
    assert.equal(second?.operation, 'update-user');
    assert.deepEqual(
      second?.user,
      recorded,
      'no row of this page names the deleted user, but the deletion does',
    );
    assert.deepEqual((await list(`?user_id=${gone}&limit=1`)).events[0]?.user, recorded);
  });

  test('a deleted user is named as last known, even where an older row has an older name', async () => {
    const profile = { username: 'ada', password: 'p', real_name: 'Ada Before' };
    const { envelope } = await server.succeed('POST', '/user', profile);
    const { id } = envelope.data as { id: number };
    await server.succeed('PUT', '/user', { username: 'ada', real_name: 'Ada After' });
    await server.succeed('DELETE', '/user?username=ada');
    const [created] = (await list(`?user_id=${id}&operation=create-user`)).events;
    assert.deepEqual(created?.user, { username: 'ada', real_name: 'Ada After', deleted: true });
  });

  test('a move names the colleague in the rows of both users, a deleted one as recorded', async () => {
    const create = async (username: string) => {
      const { envelope } = await server.succeed('POST', '/user', { username, password: 'p' });
      return (envelope.data as { id: number }).id;
    };
    const [from, to] = [await create('giving'), await create('taking')];
    await server.succeed('POST', '/store', { code: 'MOVED', name: 'Moved' });
    await server.succeed('POST', '/user/store', { user_id: from, store_code: 'MOVED' });
    await mo.succeed('POST', `/tenants/${server.tenantId}/move-stores`, {
      from_user_id: from,
      to_user_id: to,
      store_codes: ['MOVED'],
      kept_store_codes: [],
      expected_store_codes: [],
    });
    await server.succeed('DELETE', '/user?username=giving');
    const { events } = await list();
    const moves = events.filter(({ operation }) => operation === 'move-stores');
    const named = moves.map(({ user_id, colleague }) => [
      user_id,
      colleague?.user_id,
      colleague?.user?.username,
      colleague?.user?.deleted,
    ]);
    assert.deepEqual(
      named.sort(([a], [b]) => Number(a) - Number(b)),
      [
        [from, to, 'taking', false],
        [to, from, 'giving', true],
      ],
    );
    assert(
      events.every(({ operation, colleague }) => operation === 'move-stores' || colleague === undefined),
    );
  });

  test('an erased user is not named', async () => {
    const { envelope } = await server.succeed('POST', '/user', { username: 'erased', password: 'p' });
    const { id } = envelope.data as { id: number };
    await server.succeed('DELETE', '/user?username=erased');
    const erasure = { tenantId: server.tenantId, userId: BigInt(id), usernameHash: 'hash', atMs: Date.now() };
    await server.database.erasures.erase([erasure], { tenantId: erasure.tenantId, username: 'erased' });
    const { events } = await list(`?user_id=${id}`);
    assert.deepEqual(
      events.map(({ operation, user }) => [operation, user]),
      [
        ['user erase', undefined],
        ['delete-user', undefined],
        ['create-user', undefined],
      ],
    );
  });

  test('operators of other tenants are not named', async () => {
    const { operators } = await list();
    assert.deepEqual(
      operators.map(({ username }) => username),
      ['mo', 'viewer'],
    );
  });

  test('what belongs to no tenant is for owners of all tenants, page by page', async () => {
    assert.equal((await viewer.call('GET', '/events')).code, 1604);
    const read = async (query: string) =>
      (await mo.succeed('GET', `/events${query}`)).data as unknown as Events;
    const all = (await read('')).events;
    assert(all.length >= 3, 'each operator that joined left an event');
    const first = await read('?limit=1');
    assert.deepEqual(first.events, all.slice(0, 1));
    assert.deepEqual((await read(`?limit=500&cursor=${first.next_cursor}`)).events, all.slice(1));
  });

  test('large changes end a page early, with a cursor', async () => {
    const texts = Array.from({ length: 30_000 }, () => 'x'.repeat(100));
    for (let row = 0; row < 2; row += 1)
      await server.database.write(server.tenantId, undefined, async () => ({
        result: undefined,
        audit: { operation: 'large', changes: { texts } },
      }));
    const first = await list('?operation=large');
    assert.equal(first.events.length, 1);
    const second = await list(`?operation=large&cursor=${first.next_cursor}`);
    assert.deepEqual([second.events.length, second.next_cursor], [1, '']);
  });
});
