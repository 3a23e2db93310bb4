import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../browser.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { NginxProcess, nginxIsInstalled } from './nginx-process.ts';

if (nginxIsInstalled()) describe('the reference behind nginx with a prefix', testBehindPrefix);
else
  console.error(
    'NOT TESTED: the reference behind a prefix, because nginx is not installed; on Debian: apt-get install nginx',
  );

function testBehindPrefix(): void {
  let directory: Provisioned;
  let servers: readonly [kept: ServerProcess, removed: ServerProcess];
  let proxy: NginxProcess;
  let browser: Browser;

  before(async () => {
    directory = await provisionDirectory(1);
    servers = [
      await ServerProcess.start(directory, '--base-path', '/people/v1'),
      await ServerProcess.start(directory, '--base-path', '/v1'),
    ];
    const [kept, removed] = servers.map(({ port }) => port);
    // If the address has a path, nginx replaces the prefix with it.
    proxy = await NginxProcess.startWith(
      `location /people/ { proxy_pass http://127.0.0.1:${kept}; }
       location /staff/ { proxy_pass http://127.0.0.1:${removed}/; }`,
    );
    browser = await launchBrowser();
  });

  after(async () => {
    await browser?.close();
    await proxy?.stop();
    for (const server of servers ?? []) await server.stop();
    await directory?.remove();
  });

  for (const [title, docs, signed] of [
    ['that nginx passes on', '/people/v1/docs', '/people/v1/user?username=nobody'],
    ['that nginx removes', '/staff/docs', '/v1/user?username=nobody'],
    ['of which nginx removes a part', '/staff/v1/docs/', '/v1/user?username=nobody'],
  ] as const) {
    test(`it loads, signs and sends below a prefix ${title}`, async () => {
      const page = await browser.newPage();
      const failed: string[] = [];
      page.on('response', (answer) => {
        if (answer.status() !== 200) failed.push(`${answer.status()} ${answer.url()}`);
      });
      await page.goto(`${proxy.url}${docs}#/query-user`);
      await page.getByLabel('APPID').fill(directory.credentials.appId);
      await page.getByLabel('APPSECRET').fill(directory.credentials.appSecret);
      await page.getByLabel('username').fill('nobody');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('status').filter({ hasText: 'code 1101' }).waitFor();
      const cells = page.getByRole('region', { name: 'String to sign' }).getByRole('cell');
      // The string appears a moment after the status.
      await cells.filter({ hasText: signed }).waitFor();
      const parts = await cells.allTextContents();
      assert.equal(parts.at(-1), signed);
      await page.getByText('As a script that signs when it runs').click();
      await page
        .locator('.script pre', { hasText: `target='${signed}'` })
        .first()
        .waitFor();
      assert.deepEqual(failed, []);
      await page.close();
    });
  }
}
