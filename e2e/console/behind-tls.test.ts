import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ensureConsole } from '../../scripts/ensure-console.ts';
import { ServerProcess } from '../server-process.ts';
import { borrowBrowser, returnBrowser } from '../shared-browser.ts';
import { ownerName, ownerPassword } from './console-page.ts';
import { createAccount } from './create-account.ts';

/** Starts a proxy that serves TLS, as nginx does, in front of a port that is known later. */
async function startTlsProxy(folder: string, port: () => number): Promise<Server> {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name)) as [string, string];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], {
    stdio: 'ignore',
  });
  const proxy = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (received, answer) => {
    const { method, url: path, headers } = received;
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' };
    const to = { host: '127.0.0.1', port: port(), method, path, headers: { ...headers, ...forwarded } };
    const passed = request(to, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    received.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

describe('the console behind a proxy with TLS', () => {
  let folder: string;
  let proxy: Server;
  let server: ServerProcess;
  let page: Page;
  let origin: string;

  before(async () => {
    ensureConsole();
    folder = mkdtempSync(join(tmpdir(), 'fieldroster-tls-'));
    proxy = await startTlsProxy(folder, () => server.port);
    origin = `https://localhost:${(proxy.address() as AddressInfo).port}`;
    const directory = {
      flags: ['--data', folder, '--sample', '--trust-proxy', '127.0.0.1', '--public-url', origin],
      environment: { npm_lifecycle_event: 'start' },
    };
    server = await ServerProcess.start(directory);
    const browser = await borrowBrowser();
    page = await (await browser.newContext({ locale: 'en-GB', ignoreHTTPSErrors: true })).newPage();
  });

  after(async () => {
    await page?.context().close();
    returnBrowser();
    proxy?.close();
    proxy?.closeAllConnections();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
    assert.deepEqual(server?.errorLines ?? [], []);
  });

  test('keeps the session in a cookie that only this host can set, for HTTPS alone', async () => {
    const [link] = /https:\S+\/console\/link#\S+/.exec(server.output) ?? [];
    assert(link !== undefined, 'the first start prints a link');
    assert.equal(new URL(link).origin, origin);
    await createAccount(page, link, ownerName, ownerPassword);
    const cookies = (await page.context().cookies()).map(
      ({ name, domain, path, secure, httpOnly, sameSite }) => ({
        name,
        domain,
        path,
        secure,
        httpOnly,
        sameSite,
      }),
    );
    const kept = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict' };
    assert.deepEqual(cookies, [{ name: '__Host-fieldroster_session', domain: 'localhost', ...kept }]);
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('lists the session with the address that the proxy names', async () => {
    await page.goto(`${origin}/console/t/1/settings`);
    await page.getByRole('region', { name: 'Sessions', exact: true }).getByText('192.0.2.7').waitFor();
  });

  test('signs in again, and out', async () => {
    const menu = () => page.getByRole('button', { name: `Account: ${ownerName}` });
    for (const time of ['first', 'second']) {
      await menu().click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      assert.deepEqual(await page.context().cookies(), [], time);
      await page.getByLabel('Username').fill(ownerName);
      await page.getByRole('textbox', { name: 'Password' }).fill(ownerPassword);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
    }
  });
});
