import assert from 'node:assert/strict';
import { Agent, METHODS } from 'node:http';
import { after, test } from 'node:test';
import { type Access, accesses } from '@fieldroster/contract';
import { routesOf } from '../../test/routes-of.ts';
import { sendRequest, type WireAnswer } from '../../test/send-request.ts';
import { applications, startTestServer } from '../../test/test-server.ts';
import { issueApplication } from '../admin/applications.ts';

/**
 * Every route of the listener, and what it requires. It is written out here so that nobody adds a route, or makes one
 * public, unnoticed: a new route fails until it has a line.
 */
const inventory = `
  unsigned GET    /healthz
  unsigned HEAD   /healthz
  unsigned GET    /readyz
  unsigned HEAD   /readyz
  unsigned GET    /docs
  unsigned HEAD   /docs
  unsigned GET    /docs/*
  unsigned HEAD   /docs/*
  unsigned GET    /openapi.json
  unsigned HEAD   /openapi.json
  write    POST   /user
  read     GET    /user
  write    PUT    /user
  write    DELETE /user
  write    POST   /user/role
  read     GET    /user/role
  write    DELETE /user/role
  write    POST   /user/org
  write    DELETE /user/org
  write    POST   /user/store
  read     GET    /user/store
  write    DELETE /user/store
  write    POST   /user/stores
  manage   PUT    /user/status
  read     POST   /user/password/check
  read     GET    /users
  write    POST   /users/batch
  read     GET    /audit
  manage   POST   /role
  read     GET    /role
  manage   PUT    /role
  manage   DELETE /role
  read     GET    /roles
  manage   POST   /org
  read     GET    /org
  manage   PUT    /org
  manage   DELETE /org
  read     GET    /orgs
  manage   POST   /store
  read     GET    /store
  manage   PUT    /store
  manage   DELETE /store
  read     GET    /stores
  manage   POST   /stores
  read     GET    /store/users
`;

type Needs = 'unsigned' | Access;

const routes = inventory
  .trim()
  .split('\n')
  .map((line) => {
    const [needs = '', method = '', path = ''] = line.trim().split(/\s+/);
    return { needs: needs as Needs, method, path, target: path.replace('*', 'style.css') };
  });

// The console has an inventory of its own; see `console/console-inventory.test.ts`.
const server = await startTestServer({ settings: { console: false } });
const agent = new Agent({ keepAlive: true });
after(() => {
  agent.destroy();
  return server.close();
});

const writer = { appId: 'app-writer', appSecret: 'the-secret-of-app-writer' };
const { database, vault } = server;
await issueApplication({ database, vault }, { name: 'Writer', tenant: 'default', scope: 'write', ...writer });
await server.app.applications.refresh();

const applicationsByScope = { read: applications.reader, write: writer, manage: applications.main };

test('the listener has the routes of the inventory and no other', () => {
  const listed = routes.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(routesOf(server.app.listener.printRoutes({ commonPrefix: false })), listed.sort());
});

test('without --docs, only the page and the document are gone', async () => {
  const plain = await startTestServer({ settings: { docs: false, console: false } });
  after(() => plain.close());
  const rest = routes.filter(({ path }) => !/^\/(docs|openapi)/.test(path));
  const listed = rest.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(routesOf(plain.app.listener.printRoutes({ commonPrefix: false })), listed.sort());
});

for (const { needs, method, target } of routes) {
  test(`${method} ${target} ${needs === 'unsigned' ? 'is public' : `needs a signature and the scope ${needs}`}`, async () => {
    const { status, text } = await answerOf(method, target);
    if (needs === 'unsigned') return assert.equal(status, 200);
    assert.equal(JSON.parse(text).code, 1011, text);
    for (const scope of accesses) {
      const refused = (await codeFor(scope, method, target)) === 1016;
      assert.equal(refused, accesses.indexOf(scope) < accesses.indexOf(needs), `with the scope ${scope}`);
    }
  });
}

/** Methods not sent here: a tunnel, and one that needs a body to be parsed. */
const notSent = ['CONNECT', 'QUERY'];

test('no other method of these paths, and no other path, is answered with more than 404 or 405', async () => {
  const targets = [...new Set(routes.map(({ target }) => target)), '/', '/metrics', '/docsx', '/user/1'];
  for (const method of METHODS.filter((name) => !notSent.includes(name))) {
    for (const target of targets) {
      if (routes.some((route) => route.method === method && route.target === target)) continue;
      const { status, text } = await answerOf(method, target);
      assert.ok(status === 404 || status === 405, `${method} ${target} answered ${status}`);
      if (method !== 'HEAD')
        assert.ok([1005, 1006].includes(JSON.parse(text).code), `${method} ${target}: ${text}`);
    }
  }
});

function answerOf(method: string, target: string): Promise<WireAnswer> {
  return sendRequest(server.port, agent, { method, target });
}

/** Returns the code that an application of this scope gets; the request is too incomplete to have an effect. */
async function codeFor(scope: Access, method: string, target: string): Promise<number> {
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  const as = applicationsByScope[scope];
  const { envelope } = await server.call(method, target, body, { as });
  return envelope.code;
}
