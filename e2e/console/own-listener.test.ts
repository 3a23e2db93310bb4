import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { ConsolePage } from './console-page.ts';

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function get(url: string, method = 'GET'): Promise<Answer> {
  const answer = await fetch(url, { method, redirect: 'manual' });
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    text: await answer.text(),
  };
}

/** Returns the code and the message of an envelope. */
function envelopeOf({ text }: Answer): { code: number; message: string } {
  return JSON.parse(text);
}

describe('the console on a listener of its own', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.openByLink('--console-listen', '0', '--http-status', 'standard');
  });

  after(() => opened?.close());

  test('the first link names that listener, and signs in there', async () => {
    assert.notEqual(opened.origin, opened.server.url);
    assert.equal(new URL(opened.firstLink).hostname, '127.0.0.1');
    await opened.goTo('users');
    await opened.page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
  });

  test('its root leads to the console', async () => {
    const answer = await fetch(`${opened.origin}/`, { redirect: 'manual' });
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/console/']);
    await opened.page.goto(`${opened.origin}/`);
    await opened.page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('the main listener has nothing below /console', async () => {
    const { url } = opened.server;
    for (const path of ['/console', '/console/', '/console/t/1/users', '/console/api/session']) {
      const answer = await get(url + path);
      assert.equal(answer.status, 404, path);
      assert.deepEqual(envelopeOf(answer), {
        code: 1005,
        message: `there is no operation at ${JSON.stringify(path)}`,
      });
    }
    assert.equal((await get(`${url}/healthz`)).status, 200);
  });

  test('the listener of the console answers no signed operation, even signed rightly', async () => {
    const credentials = await opened.issueUsableApplication('Own listener');
    const main = new SignedClient(opened.server.url, credentials);
    assert.equal((await main.call('GET', '/users?limit=1')).code, 0);
    const elsewhere = new SignedClient(opened.origin, credentials);
    for (const [method, target] of [
      ['GET', '/users?limit=1'],
      ['POST', '/user/stores'],
      ['DELETE', '/user?user_id=1'],
    ] as const) {
      const body = method === 'POST' ? { username: 'unwanted' } : undefined;
      const { code, message } = await elsewhere.call(method, target, body);
      assert.equal(code, 1005, message);
      assert.match(
        message,
        /^there is nothing at "\/user[^"]*": this port serves the console only, at \/console\/$/,
      );
    }
    for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json', '/metrics']) {
      assert.equal((await get(opened.origin + path)).status, 404, path);
    }
  });

  test('a snippet calls the main listener', async () => {
    await opened.showNewApplication('Snippet');
    const dialog = opened.page.getByRole('dialog');
    const snippet = await dialog.getByRole('region').textContent();
    assert.match(snippet ?? '', new RegExp(`\\b${new URL(opened.server.url).host}\\b`));
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
  });
});

describe('the console on a listener of its own, with several workers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-listener-'));
  let server: ServerProcess;

  before(async () => {
    const flags = ['--data', folder, '--sample', '--workers', '2', '--console-listen', '0'];
    server = await ServerProcess.start({ flags });
  });

  after(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const consoleUrl = () => /http:\S+\/console(?=;)/.exec(server.output)?.[0] ?? '';

  test('every worker serves it on the same port', async () => {
    const url = consoleUrl();
    for (let count = 0; count < 20; count++) {
      const [page, api, operation] = await Promise.all([
        get(url),
        get(`${url}/api/session`),
        get(`${new URL(url).origin}/users`),
      ]);
      assert.match(page.type, /^text\/html/);
      assert.equal(envelopeOf(api).code, 1601);
      assert.equal(envelopeOf(operation).code, 1005);
      assert.equal(envelopeOf(await get(`${server.url}/console`)).code, 1005);
    }
  });

  test('a taken port is named with the setting that changes it', async () => {
    const taken = new URL(consoleUrl()).host;
    const other = mkdtempSync(join(tmpdir(), 'fieldroster-listener-'));
    for (const workers of ['1', '2']) {
      const flags = ['--data', other, '--console-listen', taken, '--workers', workers];
      const reason =
        /cannot listen on 127\.0\.0\.1:\d+: another program listens there already; choose another port with --console-listen or FIELDROSTER_CONSOLE_LISTEN/;
      await assert.rejects(ServerProcess.start({ flags }), reason);
    }
    rmSync(other, { recursive: true, force: true });
  });
});
