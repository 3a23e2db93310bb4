import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Operation, operations } from '@fieldroster/contract';
import {
  type ConsoleOperation,
  consoleOperations,
  directoryOperationKeys,
  roleOf,
  tenantPath,
} from '@fieldroster/contract/console';
import { ConsoleBrowser, owner } from '../../test/console-browser.ts';
import { routesOf } from '../../test/routes-of.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { includesRole } from './require-access.ts';

type Listed = Pick<ConsoleOperation, 'name' | 'method' | 'path' | 'reach' | 'role'>;

const ofTenants = directoryOperationKeys.map((key): Listed => {
  const operation: Operation = operations[key];
  const { name, method, path } = operation;
  return { name, method, path: tenantPath + path, reach: 'tenant', role: roleOf(operation) };
});

/** Every operation of the console. The tests below go over all of them, so that a new one is covered at once. */
const all: readonly Listed[] = [...Object.values<ConsoleOperation>(consoleOperations), ...ofTenants];
const behindSignIn = all.filter(({ reach }) => reach !== 'visitor');
const ofSomeTenant = all.filter(({ reach }) => reach === 'tenant');

describe('every operation of the console', () => {
  let server: TestServer;
  let visitor: ConsoleBrowser;

  before(async () => {
    server = await startTestServer();
    visitor = new ConsoleBrowser(server);
  });

  after(() => server.close());

  const pathOf = ({ path }: Listed, tenantId = server.tenantId) => path.replace(':tenant', String(tenantId));
  const bodyOf = ({ method }: Listed) => (method === 'GET' ? undefined : {});

  async function joined(
    username: string,
    role: 'viewer' | 'manager' | 'owner',
    tenantIds: readonly bigint[],
  ) {
    const page = new ConsoleBrowser(server);
    await page.join(username, { role, allTenants: false, tenantIds });
    return page;
  }

  /** Everything that the database holds of the directory, the applications and the operators. */
  async function readAll(): Promise<string> {
    const tables = ['user', 'user_role', 'user_org', 'user_store', 'role', 'org', 'store'] as const;
    const others = ['application', 'application_secret', 'operator', 'operator_link', 'tenant'] as const;
    const rows = [];
    for (const table of [...tables, ...others])
      rows.push(await server.db.selectFrom(table).selectAll().execute());
    return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  }

  test('refuses a signed-out visitor with 1601', async () => {
    for (const operation of behindSignIn) {
      const { code } = await visitor.call(operation.method, pathOf(operation), bodyOf(operation));
      assert.equal(code, 1601, operation.name);
    }
  });

  test('lets a viewer change only their own account', async () => {
    const page = await joined('viewer', 'viewer', [server.tenantId]);
    const stored = await readAll();
    for (const operation of behindSignIn.filter(({ reach }) => reach !== 'self')) {
      const { code } = await page.call(operation.method, pathOf(operation), bodyOf(operation));
      const needsMore = !includesRole('viewer', operation.role) || operation.reach === 'deployment';
      assert.equal(code === 1604, needsMore, `${operation.name}: ${code}`);
    }
    assert.equal(await readAll(), stored);
  });

  test('shows a manager of one tenant nothing of another', async () => {
    const page = await joined('manager', 'manager', [server.tenantId]);
    const stored = await readAll();
    for (const operation of ofSomeTenant.filter(({ role }) => includesRole('manager', role))) {
      const path = pathOf(operation, server.otherTenantId);
      const { code } = await page.call(operation.method, path, bodyOf(operation));
      assert.equal(code, 1606, operation.name);
    }
    assert.equal(await readAll(), stored);
  });

  test('refuses a change from another origin', async () => {
    const page = new ConsoleBrowser(server);
    await page.join('owner', owner);
    for (const operation of all.filter(({ method }) => method !== 'GET')) {
      const headers = { Origin: 'https://evil.example' };
      const { code } = await page.call(operation.method, pathOf(operation), {}, headers);
      assert.equal(code, 1605, operation.name);
    }
    await page.succeed('GET', '/session');
  });

  test('has its route, and no other route is below /console/api', () => {
    const routes = routesOf(server.app.listener.printRoutes({ commonPrefix: false }));
    const served = routes.filter((route) => /^[A-Z]+ \/console\/api\/[^*]/.test(route));
    const listed = all.map(({ method, path }) => `${method} /console/api${path}`);
    assert.deepEqual(served, listed.sort());
  });
});
