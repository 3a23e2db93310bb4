import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { operations } from '@fieldroster/contract';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { type Provisioned, provisionDirectory } from './provision-directory.ts';
import { ServerProcess } from './server-process.ts';
import { SignedClient } from './signed-client.ts';

describe('the interactive reference', () => {
  let directory: Provisioned;
  let server: ServerProcess;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** The browser's complaints, including violations of the content security policy. */
  let complaints: string[];
  let requested: string[];

  before(async () => {
    directory = await provisionDirectory(3);
    server = await ServerProcess.start(directory);
    browser = await launchBrowser();
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
    await directory?.remove();
  });

  beforeEach(() => openContext({}));

  afterEach(async () => {
    await context.close();
    assert.deepEqual(complaints, [], 'the browser has nothing to complain about');
    const elsewhere = requested.filter((url) => !url.startsWith(`http://127.0.0.1:`));
    assert.deepEqual(elsewhere, [], 'no request leaves the server');
    assert.deepEqual(server.errorLines, []);
  });

  async function openContext(options: Parameters<Browser['newContext']>[0]): Promise<void> {
    await context?.close();
    context = await browser.newContext(options);
    page = await context.newPage();
    complaints = [];
    requested = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => requested.push(request.url()));
  }

  async function open(operation: string, credentials = directory.credentials): Promise<void> {
    await page.goto(`${new URL(server.url).origin}/docs#/${operation}`);
    await page.getByLabel('APPID').fill(credentials.appId);
    await page.getByLabel('APPSECRET').fill(credentials.appSecret);
  }

  async function send(): Promise<string> {
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    return answered();
  }

  /** Waits for an answer and returns the line that summarises it. */
  async function answered(): Promise<string> {
    const status = page.getByRole('status').filter({ hasText: /^HTTP / });
    await status.waitFor();
    return (await status.textContent()) ?? '';
  }

  function block(title: string) {
    return page.getByRole('region', { name: title });
  }

  test('a signed call creates a user, and the string to sign is shown part by part', async () => {
    await open('createUser');
    const body = '{"username": "made.in.browser", "password": "a-Password", "real_name": "Žofie 李"}';
    await page.getByLabel('Body').fill(body);
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    assert.match(await send(), /^HTTP 200 · code 0 · /);

    const client = new SignedClient(server.url, directory.credentials);
    const { data } = await client.call('GET', '/user?username=made.in.browser');
    client.close();
    assert.equal(data?.real_name, 'Žofie 李');

    const headers = await (await sent).allHeaders();
    assert.equal((await sent).postData(), body);
    const parts = await block('String to sign').getByRole('cell').allTextContents();
    assert.deepEqual(
      [parts.length, parts[0], parts[2], parts[3], parts[4]],
      [5, 'POST', headers.timestamp, headers.nonce, '/user'],
    );
    assert.match(
      await block('Headers').innerText(),
      new RegExp(`Authorization: ${escapeForPattern(headers.authorization)}`),
    );
    assert.match(await block('As a curl command').innerText(), /curl --request POST 'http:.*\/user' \\/);
  });

  test('an operation is found by either of its names, and an unknown one is told', async () => {
    const docs = `${new URL(server.url).origin}/docs`;
    for (const address of ['#/bindUserStore', '#/bind-user-store', '#bind-user-store']) {
      await page.goto(`${docs}${address}`);
      await page.getByRole('heading', { name: 'Bind a user to a store' }).waitFor();
    }
    await page.goto(`${docs}#/bind-a-shop`);
    assert.match(await page.getByRole('alert').innerText(), /no operation "bind-a-shop"/);
    assert.equal(await page.locator('[aria-current]').count(), 0);
    await page.getByRole('link', { name: 'Query a user' }).click();
    await page.getByRole('heading', { name: 'Query a user' }).waitFor();
    assert.match(page.url(), /#\/query-user$/);
  });

  test('the curl command does what was sent, in another program', async () => {
    await open('queryUserStores');
    await page.getByLabel('user_id').fill('1');
    await page.getByRole('button', { name: 'Sign without sending' }).click();
    const command = await block('As a curl command').locator('pre').innerText();
    const { stdout } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    assert.match(stdout, /^\{"code":(0|1101),/);
  });

  test('an int64 keeps every digit, sent and answered', async () => {
    await open('queryUser');
    await page.getByLabel('user_id').fill('9223372036854775807');
    await page.getByLabel('username').fill('');
    assert.match(await send(), /code 1101 .*9223372036854775807/s);
    assert.match(await block('String to sign').innerText(), /user\?user_id=9223372036854775807$/m);

    await open('createUser');
    await page.route('**/user', (route) =>
      route.fulfill({
        contentType: 'application/json',
        body: '{"code":0,"message":"","data":{"id":9223372036854775807,"other":9007199254740993}}',
      }),
    );
    await send();
    const shown = await block('Envelope').innerText();
    assert.match(shown, /"id": 9223372036854775807,\n/);
    assert.match(shown, /"other": 9007199254740993\n/);
  });

  test('a query value in any script is signed as it is sent', async () => {
    await open('queryUser');
    await page.getByLabel('username').fill("O'Neil & 李+?=%");
    assert.match(await send(), /code 1101 /);
  });

  test('with a wrong secret, the message of code 1014 shows what the server signed', async () => {
    await open('queryUser', { ...directory.credentials, appSecret: 'not-the-secret' });
    await page.getByLabel('username').fill('somebody');
    const line = await send();
    assert.match(line, /^HTTP 200 · code 1014 /);
    const [, theirs = '""'] = /StringToSign is (".*")/.exec(line) ?? [];
    const parts = await block('String to sign').getByRole('cell').allTextContents();
    assert.equal(parts.join('\n'), JSON.parse(theirs));
    assert.match(
      line,
      /\nThe server’s string is the one that was signed here: the APPSECRET above is another one\.$/,
    );
  });

  test('without credentials, nothing is sent and the missing field gets the focus', async () => {
    await open('createUser', { appId: '', appSecret: '' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Enter the APPID').waitFor();
    assert.equal(await focused(), 'app-id');
    assert.deepEqual(
      requested.filter((url) => url.endsWith('/user')),
      [],
    );
  });

  test('the keyboard alone chooses an operation, fills in the credentials and sends', async () => {
    await page.goto(`${server.url}/docs`);
    await page.getByRole('heading', { name: 'Create a user' }).waitFor();
    await tabTo('app-id');
    await page.keyboard.type(directory.credentials.appId);
    await page.keyboard.press('Tab');
    await page.keyboard.type(directory.credentials.appSecret);
    await tabTo('search');
    await page.keyboard.type('queryUserRole');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Query the role of a user' }).waitFor();
    assert.equal(await focused(), 'operation', 'the operation that was chosen is where one reads on');
    await tabTo('queryUserRole-user_id');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('4711');
    await page.keyboard.press('Enter');
    assert.match(await answered(), /code 1101 /);

    await tabBackTo('search');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('createUser');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Create a user' }).waitFor();
    await tabTo('createUser-body');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('{"username":"typed","password":"x"}');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Send', 'the editor is no trap');
    await page.keyboard.press('Enter');
    assert.match(await answered(), /code 0 /);
  });

  test('wherever the keyboard is, it shows, and a way through the whole page leads back to its beginning', async () => {
    await open('createUser');
    await send();
    const names = new Set<string>();
    for (let stop = await nextStop(); stop.isNew; stop = await nextStop()) {
      assert(stop.shown, `${stop.name} does not show that it has the focus`);
      names.add(stop.name);
    }
    const wanted = ['app-id', 'app-secret', 'search', 'createUser-body', 'Send', 'Sign without sending'];
    for (const name of wanted) assert(names.has(name), `${name} is not among ${[...names].join(', ')}`);
  });

  test('nothing of the credentials is stored', async () => {
    await open('createUser');
    await send();
    assert.deepEqual(await context.cookies(), []);
    assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
    assert.deepEqual(await page.evaluate('indexedDB.databases()'), []);
    assert.deepEqual(await page.evaluate('caches.keys()'), []);
    assert.deepEqual(await page.evaluate('[location.search, location.hash]'), ['', '#/createUser']);
    assert.equal(await page.evaluate('history.state'), null);
    await page.reload();
    await page.getByRole('heading', { name: 'Create a user' }).waitFor();
    assert.equal(await page.getByLabel('APPSECRET').inputValue(), '');
    const { appSecret } = directory.credentials;
    assert.equal(
      requested.some((url) => url.includes(appSecret)),
      false,
    );
  });

  test('every operation of the contract can be chosen, and its example is signed', async () => {
    await open('createUser');
    const links = await page.getByRole('navigation').getByRole('link').all();
    assert.equal(links.length, Object.keys(operations).length);
    for (const link of links) {
      // Dispatched, because waiting for each target to be visible and at rest takes longer than the rest of the test.
      await link.dispatchEvent('click');
      await page.getByRole('button', { name: 'Sign without sending' }).dispatchEvent('click');
      await page.getByText('Signed, not sent.').waitFor();
    }
  });

  test('below a base path, requests go there and are signed so', async () => {
    const below = await ServerProcess.start(directory, '--base-path', '/api/v1');
    try {
      await page.goto(`${new URL(below.url).origin}/docs#/queryUser`);
      await page.getByLabel('APPID').fill(directory.credentials.appId);
      await page.getByLabel('APPSECRET').fill(directory.credentials.appSecret);
      await page.getByLabel('username').fill('nobody');
      assert.match(await send(), /code 1101 /);
      assert.match(await block('String to sign').innerText(), /\/api\/v1\/user\?username=nobody/);
    } finally {
      await below.stop();
    }
  });

  test('axe finds no serious violation, light or dark, wide or narrow, and the page does not scroll sideways', async () => {
    await openContext({ viewport: { width: 1440, height: 900 } });
    await open('createUser', { ...directory.credentials, appSecret: 'wrong' });
    await send();
    await checkAppearances();
    await page.goto(`${server.url}/docs#/queryUser`);
    await page.getByRole('heading', { name: 'Query a user' }).waitFor();
    await checkAppearances();
  });

  async function checkAppearances(): Promise<void> {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      assert.equal(await page.evaluate(overflow), 0, `the page scrolls sideways, ${width} pixels wide`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await seriousViolations(), [], `${colorScheme}, ${width} pixels wide`);
      }
    }
  }

  test('the policy is enforced: a script that is no file of the server does not run', async () => {
    await open('createUser');
    await page.evaluate(`
      const script = document.createElement('script');
      try { script.textContent = 'globalThis.injected = true'; document.head.append(script); } catch {}
    `);
    assert.equal(await page.evaluate('globalThis.injected'), undefined);
    assert(complaints.length > 0, 'the browser reports what it refused');
    complaints = [];
  });

  async function seriousViolations(): Promise<readonly string[]> {
    const { violations } = await new AxeBuilder({ page })
      .options({ resultTypes: ['violations'] })
      .setLegacyMode()
      .analyze();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  /** Presses Tab. Returns the new focus, whether it is visible, and whether it had the focus before. */
  async function nextStop(): Promise<{
    readonly name: string;
    readonly shown: boolean;
    readonly isNew: boolean;
  }> {
    await page.keyboard.press('Tab');
    return page.evaluate(`(() => {
      const { activeElement } = document;
      const visited = (globalThis.visitedStops ??= new Set());
      const isNew = !visited.has(activeElement);
      visited.add(activeElement);
      const { outlineStyle, outlineWidth } = getComputedStyle(activeElement);
      const isMarked = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
      // Between the end of the page and its beginning, the browser itself has the focus.
      const shown = activeElement === document.body || (isMarked && activeElement.checkVisibility());
      return { name: activeElement.id || activeElement.textContent.trim(), shown, isNew };
    })()`);
  }

  function focused(): Promise<string> {
    return page.evaluate('document.activeElement.id');
  }

  function tabBackTo(id: string): Promise<void> {
    return tabTo(id, 'Shift+Tab');
  }

  async function tabTo(id: string, key = 'Tab'): Promise<void> {
    for (let presses = 0; presses < 100; presses++) {
      if ((await focused()) === id) return;
      await page.keyboard.press(key);
    }
    assert.fail(`${key} never reaches ${id}`);
  }
});

function escapeForPattern(text = ''): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
