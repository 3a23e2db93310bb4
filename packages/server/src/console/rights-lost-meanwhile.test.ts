import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { ConsoleBrowser, operatorPassword, owner, uuidV7 } from '../../test/console-browser.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';

describe('an operator who loses rights while the body of a change arrives', () => {
  let server: TestServer;
  let chief: ConsoleBrowser;

  before(async () => {
    server = await startTestServer();
    chief = new ConsoleBrowser(server);
    await chief.join('chief', owner);
  });

  after(() => server.close());

  /** Begins to issue an application. Resolves, once the server asks for the body, to a function that sends it. */
  async function beginIssuing(page: ConsoleBrowser, name: string): Promise<() => Promise<number>> {
    const sent = request(`${page.origin}/console/api/tenants/${server.tenantId}/applications`, {
      method: 'POST',
      headers: {
        Cookie: page.cookie,
        Origin: page.origin,
        'X-Fieldroster-Console': '1',
        'Operator-Id': String(page.operatorId),
        'Change-Id': uuidV7(server.nowMs),
        'Content-Type': 'application/json',
        Expect: '100-continue',
      },
    });
    const answered = once(sent, 'response');
    sent.flushHeaders();
    await once(sent, 'continue');
    return async () => {
      sent.end(JSON.stringify({ name, scope: 'manage' }));
      const [response] = await answered;
      return ((await json(response)) as { code: number }).code;
    };
  }

  async function namesOfApplications(): Promise<string[]> {
    const all = await server.database.applications.listApplications();
    return all.map(({ name }) => name);
  }

  for (const [how, change, code] of [
    ['is disabled', { status: 'disabled' }, 1601],
    ['becomes a viewer', { role: 'viewer' }, 1604],
    ['loses the tenant', { all_tenants: false, tenant_ids: [] }, 1606],
  ] as const) {
    test(`changes nothing: one who ${how}`, async () => {
      const page = new ConsoleBrowser(server);
      const { data } = await page.join(`one who ${how}`, { ...owner, role: 'manager' });
      const sendBody = await beginIssuing(page, how);
      const changed = { id: data.operator.id, ...change, password: operatorPassword };
      await chief.succeed('PUT', '/operators', changed);
      assert.equal(await sendBody(), code);
      assert.equal((await namesOfApplications()).includes(how), false);
    });
  }

  test('changes nothing: one who signs out everywhere', async () => {
    const page = new ConsoleBrowser(server);
    await page.join('one who signs out', owner);
    const sendBody = await beginIssuing(page, 'signed out');
    await page.succeed('DELETE', '/sessions');
    assert.equal(await sendBody(), 1601);
    assert.equal((await namesOfApplications()).includes('signed out'), false);
  });

  test('changes what it says: one who loses nothing', async () => {
    const sendBody = await beginIssuing(chief, 'kept');
    assert.equal(await sendBody(), 0);
    assert.equal((await namesOfApplications()).includes('kept'), true);
  });
});
