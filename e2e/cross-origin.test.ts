import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { FieldrosterClient } from '@fieldroster/client';
import type { Browser, Page } from 'playwright-core';
import { bundleClient } from '../scripts/docs/client-size.ts';
import { launchBrowser } from './browser.ts';
import { type Provisioned, provisionDirectory } from './provision-directory.ts';
import { ServerProcess } from './server-process.ts';
import { SignedClient } from './signed-client.ts';

/** The globals that the page defines for the code that the tests run in it. */
declare const client: FieldrosterClient;

/** Serves a page that imports the client's build for browsers. Each server has an origin of its own. */
async function servePages(script: Uint8Array): Promise<Server> {
  const server = createServer(({ url }, response) => {
    const isScript = url === '/client.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><title>Page</title><link rel="icon" href="data:,">');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a browser page of another origin', () => {
  let directory: Provisioned;
  let server: ServerProcess;
  let browser: Browser;
  let listed: Server;
  let unlisted: Server;

  before(async () => {
    const script = bundleClient('browser');
    directory = await provisionDirectory(3);
    listed = await servePages(script);
    unlisted = await servePages(script);
    const origins = `https://admin.example,${originOf(listed)}`;
    server = await ServerProcess.start(directory, '--base-path', '/api/v1', '--cors-origin', origins);
    browser = await launchBrowser();
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
    for (const pages of [listed, unlisted]) pages?.close();
    await directory?.remove();
  });

  /** Opens the page and makes a client in it that gives up after one attempt. */
  async function openPage(pages: Server): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(originOf(pages));
    const options = { ...directory.credentials, url: baseUrl(), retry: { attemptsMax: 1 }, ids: 'number' };
    await page.evaluate(async (options) => {
      const { FieldrosterClient } = await import('/client.js' as string);
      Object.assign(globalThis, { client: new FieldrosterClient(options) });
    }, options);
    return page;
  }

  const baseUrl = () => `${new URL(server.url).origin}/api/v1`;

  test('signs, sends and reads every method from a listed origin', async () => {
    const page = await openPage(listed);
    const seen = await page.evaluate(async (store_code) => {
      const { id } = await client.createUser({ username: 'page', password: 'a-Password', real_name: '李伟' });
      await client.updateUser({ id, real_name: 'Žofie' });
      await client.bindUserStore({ user_id: id, store_code });
      const user = await client.queryUser({ username: 'page' });
      await client.deleteUser({ user_id: id });
      const refusal = await client.queryUser({ username: 'page' }).catch((error) => error);
      return { name: user.real_name, code: refusal.code, requestId: refusal.requestId };
    }, directory.storeCodes[0] as string);
    assert.deepEqual([seen.name, seen.code], ['Žofie', 1101]);
    assert.match(seen.requestId, /^[0-9a-f]{12}-/, 'the page may read X-Request-Id');
  });

  test('reads the headers that the client needs, and no cookies go with a request', async () => {
    const page = await openPage(listed);
    const { exposed, withCredentials } = await page.evaluate(async (url) => {
      const { headers } = await fetch(url);
      const exposed = ['Date', 'X-Request-Id', 'Content-Security-Policy'].filter((name) => headers.has(name));
      const withCredentials = await fetch(url, { credentials: 'include' }).then(
        () => 'answered',
        () => 'refused',
      );
      return { exposed, withCredentials };
    }, `${baseUrl()}/user`);
    assert.deepEqual(exposed, ['Date', 'X-Request-Id']);
    assert.equal(withCredentials, 'refused');
  });

  test('reads only operations, even from a listed origin', async () => {
    const page = await openPage(listed);
    for (const path of ['/openapi.json', '/docs', '/healthz', '/readyz']) {
      const outcome = await page.evaluate(
        (url) =>
          fetch(url).then(
            () => 'read',
            () => 'refused',
          ),
        new URL(path, server.url).href,
      );
      assert.equal(outcome, 'refused', path);
    }
  });

  test('can neither write nor read from an origin that is not listed', async () => {
    const page = await openPage(unlisted);
    const outcomes = await page.evaluate(async () => {
      const write = client.createUser({ username: 'stranger', password: 'a-Password', real_name: '' });
      const read = client.queryUser({ user_id: 1 });
      const results = await Promise.allSettled([write, read]);
      return results.map((result) => (result.status === 'rejected' ? result.reason.name : 'fulfilled'));
    });
    assert.deepEqual(outcomes, ['OutcomeUnknownError', 'TransportError']);
    const signed = new SignedClient(server.url, directory.credentials);
    const { code } = await signed.call('GET', '/api/v1/user?username=stranger');
    assert.equal(code, 1101, 'the write never left the browser');
    assert.deepEqual(server.errorLines, []);
  });
});
