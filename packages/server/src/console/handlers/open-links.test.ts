import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { consoleLimits } from '@fieldroster/contract/console';
import { ConsoleBrowser, operatorPassword, owner, uuidV7 } from '../../../test/console-browser.ts';
import { startTestServer, type TestServer } from '../../../test/test-server.ts';

const password = operatorPassword;
const chosenPassword = `${operatorPassword} 2`;

describe('one-time links that nobody has used yet', () => {
  let server: TestServer;
  let chief: ConsoleBrowser;

  before(async () => {
    server = await startTestServer();
    chief = await joined('chief');
  });

  after(() => server.close());

  async function joined(username: string, access: Parameters<ConsoleBrowser['join']>[1] = owner) {
    const page = new ConsoleBrowser(server);
    await page.join(username, access);
    return page;
  }

  async function idOf(username: string): Promise<bigint> {
    const operator = await server.database.operators.findByUsername(username);
    assert(operator !== undefined);
    return operator.id;
  }

  const listed = async () => (await chief.succeed('GET', '/operators')).data.open_links;

  /** Makes an invitation; returns its token, and its id in the list. */
  async function invite() {
    const known = new Set((await listed()).map(({ id }) => id));
    const invited = { role: 'manager', all_tenants: false, tenant_ids: [server.tenantId], password };
    const { token } = (await chief.succeed('POST', '/operators', invited)).data;
    const made = (await listed()).find(({ id }) => !known.has(id));
    assert(made !== undefined);
    return { token, id: made.id };
  }

  const withdraw = (id: unknown, by = chief, headers = {}) =>
    by.call('DELETE', '/operators/link', { id, password }, headers);

  const use = (token: unknown, username?: string) =>
    new ConsoleBrowser(server).call('POST', '/link', { token, username, password: chosenPassword });

  const look = (token: unknown) => new ConsoleBrowser(server).call('POST', '/link/query', { token });

  const lastEvents = async (count: number) =>
    (await server.database.operators.listEvents(count)).map(({ operatorId, operation, changes }) => ({
      operatorId,
      operation,
      changes,
    }));

  test('are listed with what they are for, who made them and when they end', async () => {
    const { id } = await invite();
    const found = (await listed()).find((link) => link.id === id);
    assert(found !== undefined);
    const { role, all_tenants, tenant_ids, made_by, expires_at, ...rest } = found;
    assert.deepEqual(
      {
        role,
        all_tenants,
        tenants: tenant_ids.map(BigInt),
        by: BigInt(made_by ?? 0),
        ends: Number(expires_at),
      },
      {
        role: 'manager',
        all_tenants: false,
        tenants: [server.tenantId],
        by: await idOf('chief'),
        ends: server.nowMs + consoleLimits.linkSeconds * 1000,
      },
    );
    assert.deepEqual(rest, { id });
    await joined('forgetful', { role: 'viewer', allTenants: false, tenantIds: [server.tenantId] });
    const forgetful = await idOf('forgetful');
    await chief.succeed('POST', '/operators/reset', { id: forgetful, password });
    await chief.succeed('PUT', '/operators', { id: forgetful, role: 'manager', password });
    const reset = (await listed()).find(({ operator_id }) => BigInt(operator_id ?? 0) === forgetful);
    assert.equal(reset?.role, 'manager', 'what the operator may do now');
  });

  test('are listed without anything that opens them', async () => {
    const { token, id } = await invite();
    const answer = JSON.stringify((await chief.succeed('GET', '/operators')).data, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    assert.equal(answer.includes(String(token)), false);
    for (const guess of [id, Buffer.from(String(id), 'hex').toString('base64url')])
      assert.equal((await look(guess)).code, 1607);
  });

  test('answer like a used link once they are withdrawn', async () => {
    const [used, withdrawn] = [await invite(), await invite()];
    assert.equal((await use(used.token, 'quick')).code, 0);
    assert.equal((await withdraw(withdrawn.id)).code, 0);
    for (const answer of [look, (token: unknown) => use(token, 'late')]) {
      const [afterUse, afterWithdrawal] = [await answer(used.token), await answer(withdrawn.token)];
      assert.equal(afterWithdrawal.code, 1607);
      assert.deepEqual(
        [afterWithdrawal.status, afterWithdrawal.message],
        [afterUse.status, afterUse.message],
      );
    }
    assert.equal(await server.database.operators.findByUsername('late'), undefined);
    assert.equal(
      (await listed()).some(({ id }) => id === withdrawn.id || id === used.id),
      false,
    );
  });

  test('cannot be withdrawn once they are withdrawn, used or ended, or if there is none', async () => {
    const [withdrawn, used, ended] = [await invite(), await invite(), await invite()];
    const headers = { 'Change-Id': uuidV7(server.nowMs) };
    assert.equal((await withdraw(withdrawn.id, chief, headers)).code, 0);
    assert.equal((await withdraw(withdrawn.id, chief, headers)).code, 1015, 'a copy of the request');
    assert.equal((await use(used.token, 'faster')).code, 0);
    const now = server.nowMs;
    const events = await lastEvents(1);
    try {
      for (const id of [withdrawn.id, used.id, used.token, 'no such'])
        assert.equal((await withdraw(id)).code, 1622);
      server.nowMs = now + consoleLimits.linkSeconds * 1000;
      const refused = await withdraw(ended.id);
      assert.deepEqual([refused.code, refused.status], [1622, 404]);
      assert.deepEqual(await listed(), []);
    } finally {
      server.nowMs = now;
    }
    assert.deepEqual(await lastEvents(1), events, 'a refusal leaves no record');
  });

  test('leave a record when they are withdrawn', async () => {
    const chiefId = await idOf('chief');
    const expires_at = new Date(server.nowMs + consoleLimits.linkSeconds * 1000).toISOString();
    assert.equal((await withdraw((await invite()).id)).code, 0);
    await joined('recorded');
    const id = await idOf('recorded');
    const { token } = (await chief.succeed('POST', '/operators/reset', { id, password })).data;
    const reset = (await listed()).find(({ operator_id }) => BigInt(operator_id ?? 0) === id);
    assert.equal((await withdraw(reset?.id)).code, 0);
    assert.equal((await use(token)).code, 1607);
    const [ofReset, , , ofInvitation] = await lastEvents(4);
    const by = { operatorId: chiefId, operation: 'withdraw-link' };
    const made = { made_by: String(chiefId), expires_at };
    assert.deepEqual(ofReset, {
      ...by,
      changes: { operator_id: String(id), username: 'recorded', ...made },
    });
    assert.deepEqual(ofInvitation, {
      ...by,
      changes: { role: 'manager', all_tenants: false, tenant_ids: [String(server.tenantId)], ...made },
    });
  });

  test('of a command can be withdrawn, and no maker is named', async () => {
    const known = (await listed()).map(({ id }) => id);
    const tokenHash = 'ab'.repeat(32);
    await server.database.operators.write(undefined, async (operators) => {
      await operators.insertLink({ ...owner, tokenHash, expiresAtMs: server.nowMs + 60_000 });
      return { result: undefined };
    });
    const [made] = (await listed()).filter(({ id }) => !known.includes(id));
    assert.deepEqual([made?.id, made?.made_by], [tokenHash, undefined]);
    assert.equal((await withdraw(tokenHash)).code, 0);
    assert.deepEqual(
      (await listed()).map(({ id }) => id),
      known,
    );
  });

  test('are neither shown to nor withdrawn by an operator who may not invite', async () => {
    const { token, id } = await invite();
    for (const [username, access] of [
      ['viewer of all', { ...owner, role: 'viewer' }],
      ['manager of all', { ...owner, role: 'manager' }],
      ['owner of one', { role: 'owner', allTenants: false, tenantIds: [server.tenantId] }],
    ] as const) {
      const page = await joined(username, access);
      assert.equal((await page.call('GET', '/operators')).code, 1604, username);
      assert.equal((await withdraw(id, page)).code, 1604, username);
    }
    assert.equal((await withdraw(id, new ConsoleBrowser(server))).code, 1601);
    assert.equal((await use(token, 'still invited')).code, 0);
  });

  test('are either used or withdrawn, whichever comes first', async ({ mock }) => {
    const { operators } = server.database;
    const write = operators.write.bind(operators);
    /** Makes a change just before the next one is written, after that one has looked at the link. */
    function changeFirst(change: () => Promise<{ code: number }>) {
      const changing: typeof write = async (...given) => {
        assert.equal((await change()).code, 0);
        return write(...given);
      };
      mock.method(operators, 'write', changing, { times: 1 });
    }
    const [used, withdrawn] = [await invite(), await invite()];
    changeFirst(() => use(used.token, 'in time'));
    assert.equal((await withdraw(used.id)).code, 1622);
    assert.equal((await operators.findByUsername('in time'))?.status, 'active');
    changeFirst(() => withdraw(withdrawn.id));
    assert.equal((await use(withdrawn.token, 'too late')).code, 1607);
    assert.equal(await operators.findByUsername('too late'), undefined);
    for (let round = 0; round < 4; round += 1) {
      const link = await invite();
      const codes = await Promise.all([withdraw(link.id), use(link.token, `guest ${round}`)]);
      const isThere = (await operators.findByUsername(`guest ${round}`)) !== undefined;
      const expected = isThere ? [1622, 0] : [0, 1607];
      assert.deepEqual(
        codes.map(({ code }) => code),
        expected,
      );
    }
  });
});
