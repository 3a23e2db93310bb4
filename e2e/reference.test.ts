import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { limits, operations } from '@fieldroster/contract';
import { scriptLanguages } from '@fieldroster/contract/signing-scripts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityViolations } from './accessibility-violations.ts';
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
    await openContext({});
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
    await directory?.remove();
  });

  beforeEach(() => {
    complaints = [];
    requested = [];
  });

  afterEach(async () => {
    assert.deepEqual(complaints, [], 'the browser has nothing to complain about');
    const elsewhere = requested.filter((url) => !url.startsWith(`http://127.0.0.1:`));
    assert.deepEqual(elsewhere, [], 'no request leaves the server');
    assert.deepEqual(server.errorLines, []);
    // Leaves no document to the next test. A context of its own for each test would take a second each.
    await page.unrouteAll();
    await page.goto('about:blank');
  });

  async function openContext(options: Parameters<Browser['newContext']>[0]): Promise<void> {
    await context?.close();
    context = await browser.newContext(options);
    page = await context.newPage();
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
  });

  test('markup in an answer is text', async () => {
    const markup = '<img src=x onerror=alert(1)><b>Mara</b>';
    await open('createUser');
    await page
      .getByLabel('Body')
      .fill(JSON.stringify({ username: 'markup', password: 'a-Password', real_name: markup }));
    assert.match(await send(), /^HTTP 200 · code 0 · /);
    await page.getByText(JSON.stringify(markup).slice(1, -1)).first().waitFor();
    assert.equal(await page.locator('img[onerror], b:text-is("Mara")').count(), 0);
  });

  test('an operation is found by either of its names, and an unknown one is reported', async () => {
    const docs = `${new URL(server.url).origin}/docs`;
    for (const address of ['#/bindUserStore', '#/bind-user-store', '#bind-user-store']) {
      await page.goto(`${docs}${address}`);
      await page.getByRole('heading', { name: 'Bind a user to a store' }).waitFor();
    }
    await page.goto(`${docs}#/bind-a-shop`);
    assert.match(await page.getByRole('alert').innerText(), /no operation "bind-a-shop"/);
    assert.equal(await page.locator('[aria-current]').count(), 0);
    await page.goto(`${docs}#/%zz`);
    await page.getByRole('alert').filter({ hasText: 'no operation "%zz"' }).waitFor();
    await page.getByRole('link', { name: 'Query a user' }).click();
    await page.getByRole('heading', { name: 'Query a user' }).waitFor();
    assert.match(page.url(), /#\/query-user$/);
  });

  test('the request as a script does what the form says, signs when it runs and follows the input', async () => {
    await open('createUser');
    await page.getByText('As a script that signs when it runs').click();
    await page.getByLabel('Body').fill('{"username": "by.script", "password": "x", "real_name": "it\'s 李"}');
    assert.deepEqual(await runScript(), { code: 0, real_name: "it's 李" });
    assert.equal((await runScript()).code, 1102, 'a new signature: neither 1015 nor expired');

    await page.goto(`${server.url}/docs#/query-user`);
    await page.getByText('As a script that signs when it runs').click();
    await page.getByLabel('username').fill('by.script');
    assert.deepEqual(await runScript(), { code: 0, real_name: "it's 李" });
  });

  async function runScript(): Promise<{ readonly code: number; readonly real_name?: string }> {
    const { appId, appSecret } = directory.credentials;
    const script = page.getByLabel('Script', { exact: true });
    await page.locator('.script pre', { hasText: 'headers=' }).first().waitFor();
    const text = (await script.textContent()) ?? '';
    assert(!text.includes(appSecret), 'the script takes the secret from the environment');
    const environment = { FIELDROSTER_APP_ID: appId, FIELDROSTER_APP_SECRET: appSecret };
    const { stdout, stderr } = spawnSync('bash', ['-c', text], {
      encoding: 'utf8',
      env: { ...process.env, ...environment },
    });
    assert.equal(stderr, '');
    const { code, data } = JSON.parse(stdout) as { code: number; data?: { real_name: string } };
    return { code, ...(data !== undefined && { real_name: data.real_name }) };
  }

  test('every language has a script to copy, and to save under the name that its command uses', async () => {
    await open('createUser');
    await page.getByText('As a script that signs when it runs').click();
    for (const { name, fileName, command } of scriptLanguages) {
      await page.getByText(name, { exact: true }).click();
      const save = page.getByRole('link', { name: `Save ${fileName}` });
      await save.waitFor();
      const download = page.waitForEvent('download');
      await save.click();
      assert.equal((await download).suggestedFilename(), fileName);
      await page.locator('.script code').getByText(command, { exact: true }).waitFor();
      assert.match(
        (await page.getByLabel('Script', { exact: true }).textContent()) ?? '',
        /FIELDROSTER_APP_SECRET/,
      );
    }
  });

  test('an unsent operation shows an example of its answer, and its codes with their causes', async () => {
    await open('bindUserStore');
    await open('createUser');
    const example = await block('Example of a successful answer').innerText();
    assert.match(example, /"code": 0,[\s\S]*"username": "li\.wei"/);
    const codes = page.getByRole('table', { name: 'Codes it may answer' });
    const row = codes.getByRole('row').filter({ hasText: '1102' });
    assert.match(
      await row.innerText(),
      /the username is taken\s+Another user of the tenant has the username/,
    );
    await row.getByRole('link', { name: '1102' }).click();
    await page.getByRole('heading', { name: 'Codes', exact: true }).waitFor();
    const section = page.locator('#code-1102');
    assert.match(await section.innerText(), /What to do\n/);
    assert.match((await section.getAttribute('class')) ?? '', /sought/);
    await section.getByRole('link', { name: 'Create a user', exact: true }).click();
    await page.getByRole('heading', { name: 'Create a user' }).waitFor();
  });

  test('the worked example follows the input, stage by stage, and sends nothing', async () => {
    await page.goto(`${server.url}/docs#/signing`);
    const signature = () => block('Signature').locator('pre').innerText();
    assert.equal(await signature(), '0qGoIapvHQZOdh1w2U/kaemj8S3TEx7/5qnchbYxXto=');
    const before = requested.length;
    await page.getByLabel('Method').selectOption('POST');
    await page.getByLabel('Path and query, as sent').fill('/user');
    await page.getByLabel('Body, as sent').fill('{"username":"li.wei","password":"Gr33n-Tea"}');
    await page.getByLabel('Nonce', { exact: true }).fill('6f1c0f2e5b7d4c0e9a3d8b1f2c4e6a70');
    assert.equal(await signature(), 'j+dO8tyNpwVMEKoOYu3Yp9r9Z2YqvBDQXFvbjorZJ/E=');
    assert.match(await block('Content-MD5').innerText(), /44 bytes[\s\S]*7\/Fo4Dy9\+K\+RVfR6sUDp6Q==/);
    const lines = await block('String to sign').getByRole('cell').allTextContents();
    assert.deepEqual(lines, [
      ...['POST', '7/Fo4Dy9+K+RVfR6sUDp6Q==', '1767225600', '6f1c0f2e5b7d4c0e9a3d8b1f2c4e6a70', '/user'],
    ]);
    await page.getByLabel('Path and query, as sent').fill('/user?b=%zz');
    assert.match(await page.getByRole('alert').innerText(), /two hexadecimal digits/);
    await page.getByLabel('Path and query, as sent').fill('/user?b=2&a=x%20y');
    assert.equal(await block('CanonicalizedResource').locator('pre').innerText(), '/user?a=x y&b=2');
    assert.equal(requested.length, before, 'what is typed stays in the browser');
    assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
  });

  test('the guides explain signing, the envelope and retries, with the limits of the contract', async () => {
    await page.goto(`${server.url}/docs#/signing`);
    const headers = await page.getByRole('table', { name: 'Headers' }).innerText();
    assert(headers.includes(`${limits.timestampSkewSeconds} seconds of difference`), headers);
    assert(headers.includes(`1 to ${limits.nonceCharactersMax} random characters`), headers);
    await page.goto(`${server.url}/docs#/envelope`);
    await page.getByRole('heading', { name: 'The envelope' }).waitFor();
    await page.goto(`${server.url}/docs#/retries`);
    const outcomes = page.getByRole('table', { name: 'Outcomes' });
    assert.match(await outcomes.getByRole('row').filter({ hasText: '1015' }).innerText(), /as success/);
  });

  test('the search finds codes, fields and operations by keyboard, and suggests what to try when it finds nothing', async () => {
    await page.goto(`${server.url}/docs`);
    await page.getByRole('heading', { name: 'Create a user' }).waitFor();
    await page.keyboard.press('/');
    assert.equal(await focused(), 'search');
    await page.keyboard.type('1015');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '1015' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('org_id bind');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Bind a user to an organization' }).waitFor();
    assert.match((await page.locator('[data-field="org_id"]').getAttribute('class')) ?? '', /sought/);
    await page.keyboard.press('/');
    await page.keyboard.type('frobnicate');
    await page.getByText('Nothing has “frobnicate”.').waitFor();
    await page.getByRole('button', { name: 'org_id' }).click();
    await page.getByRole('link', { name: 'org_id' }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Query a user' }).waitFor();
    await page.getByLabel('Body').fill('');
    await page.getByLabel('Body').press('/');
    assert.equal(await page.getByLabel('Body').inputValue(), '/', 'a slash in a field is a slash');
  });

  test('an int64 keeps every digit, in the request and in the answer', async () => {
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

  test('a query value in any script is signed as sent', async () => {
    await open('queryUser');
    await page.getByLabel('username').fill("O'Neil & 李+?=%");
    assert.match(await send(), /code 1101 /);
  });

  test('with a wrong secret, the message of code 1014 shows what the server signed', async () => {
    await open('queryUser', { ...directory.credentials, appSecret: 'not-the-secret' });
    await page.getByLabel('username').fill('somebody');
    const line = await send();
    assert.match(line, /^HTTP 200 · code 1014 /);
    const { message } = JSON.parse(await block('Envelope').locator('pre').innerText()) as { message: string };
    const [, theirs = '""'] = /StringToSign is (".*")/.exec(message) ?? [];
    const parts = await block('String to sign').getByRole('cell').allTextContents();
    assert.equal(parts.join('\n'), JSON.parse(theirs));
    assert.match(
      line,
      /\nThe signature does not match\. The server made the same string to sign as this page, so the APPSECRET above is not the one of this APPID\.$/,
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

  test('the keyboard is enough to choose an operation, fill in the credentials and send', async () => {
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

  test('the focus is always visible, and tabbing through the page leads back to its beginning', async () => {
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

  test('no part of the credentials is stored', async () => {
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
    const menu = page.locator('#operations a:not(.guide)');
    await menu.last().waitFor({ state: 'attached' });
    const links = await menu.all();
    assert.equal(links.length, Object.keys(operations).length);
    for (const link of links) {
      // Dispatched, because waiting for each target to be visible and at rest takes longer than the rest of the test.
      await link.dispatchEvent('click');
      await page.getByRole('button', { name: 'Sign without sending' }).dispatchEvent('click');
      await page.getByText('Signed, not sent.').waitFor();
    }
  });

  test('the page also works below a base path, which requests use and sign', async () => {
    const below = await ServerProcess.start(directory, '--base-path', '/api/v1');
    try {
      for (const docs of ['/docs', '/docs/', '/api/v1/docs', '/api/v1/docs/']) {
        await page.goto(`${new URL(below.url).origin}${docs}#/queryUser`);
        await page.getByLabel('APPID').fill(directory.credentials.appId);
        await page.getByLabel('APPSECRET').fill(directory.credentials.appSecret);
        await page.getByLabel('username').fill('nobody');
        assert.match(await send(), /code 1101 /, docs);
        assert.match(await block('String to sign').innerText(), /\/api\/v1\/user\?username=nobody/);
        const link = page.getByRole('link', { name: 'OpenAPI document' });
        const address: string = await link.evaluate((anchor) => Reflect.get(anchor, 'href'));
        assert.equal((await page.request.get(address)).status(), 200, address);
      }
      await page.getByText('As a script that signs when it runs').click();
      assert.equal((await runScript()).code, 1101);
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
    await page.getByText('As a script that signs when it runs').click();
    await checkAppearances();
    for (const [guide, title] of [
      ['signing', 'Signing'],
      ['codes/1015', 'Codes'],
    ] as const) {
      await page.goto(`${server.url}/docs#/${guide}`);
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
      await checkAppearances();
    }
  });

  async function checkAppearances(): Promise<void> {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      assert.equal(await page.evaluate(overflow), 0, `the page scrolls sideways, ${width} pixels wide`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await accessibilityViolations(page), [], `${colorScheme}, ${width} pixels wide`);
      }
    }
  }

  test('the policy is enforced: only scripts that are files of the server run', async () => {
    await open('createUser');
    await page.evaluate(`
      const script = document.createElement('script');
      try { script.textContent = 'globalThis.injected = true'; document.head.append(script); } catch {}
    `);
    assert.equal(await page.evaluate('globalThis.injected'), undefined);
    assert(complaints.length > 0, 'the browser reports what it refused');
    complaints = [];
  });

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
