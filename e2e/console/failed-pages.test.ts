import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { SignedClient } from '../signed-client.ts';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';
import { headersOfChange } from './headers-of-change.ts';

/** How many rows a page has in these tests. */
const pageRows = 20;

/** How often the console sends a request until it gives up. */
const attemptsMax = 4;

describe('a list of which something could not be loaded', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    using client = new SignedClient(opened.server.url, await opened.issueUsableApplication('HR sync'));
    for (let count = 0; count < 2 * pageRows; count++) await client.call('GET', '/user?id=999999');
    await opened.goTo('');
  });

  after(() => opened?.close());

  afterEach(async () => {
    await opened.page.unrouteAll();
    // The browser reports each call that was refused or cut off.
    for (const line of opened.complaints.splice(0)) assert.match(line, /Failed to load|ERR_/);
  });

  const alert = () => opened.page.getByRole('main').getByRole('alert');
  const refusal = {
    status: 500,
    headers: { 'X-Request-Id': '3f9c1d2e4b5a-6k' },
    json: { code: 1500, message: 'internal error', data: null },
  };

  /** Shows the end of a list whose first page arrives and whose next page is refused. Returns its frame. */
  async function showRefusedPage(path: string): Promise<Locator> {
    const { page } = opened;
    await page.route(/[?&]limit=\d+/, (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/limit=\d+/, `limit=${pageRows}`),
      }),
    );
    await page.route(/[?&](cursor|after)=[^&]/, (route) => route.fulfill(refusal));
    await opened.goTo(path);
    await page.locator(`table[data-rows="${pageRows}"]`).waitFor();
    await alert().waitFor();
    const frame = page.locator('table').locator('..');
    await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await opened.settled();
    return frame;
  }

  const positionOf = (scroller: Locator) => scroller.evaluate((element) => element.scrollTop);

  for (const path of ['users', 'stores', 'requests']) {
    test(`keeps its rows when the next page of the ${path} is refused, and loads it on request`, async () => {
      const { page } = opened;
      const frame = await showRefusedPage(path);
      assert.ok((await positionOf(frame)) > 0, 'the list scrolls');
      assert.ok(await page.locator(`[data-index="${pageRows - 1}"]`).isVisible());
      const notice = await alert().boundingBox();
      assert.ok(notice !== null && notice.y + notice.height <= 800, 'the notice is in view');
      const room = await page.getByRole('main').evaluate((main) => main.clientHeight - main.scrollHeight);
      assert.equal(room, 0, 'only the list scrolls');
      await opened.requireAccessible();
      await page.unroute(/[?&](cursor|after)=[^&]/);
      await alert().getByRole('button', { name: 'Try again' }).click();
      await page.locator(`[data-index="${pageRows}"]`).waitFor();
      await alert().waitFor({ state: 'detached' });
    });
  }

  test('keeps its rows while it is loaded again after its next page was refused', async () => {
    const { page } = opened;
    const frame = await showRefusedPage('users');
    // The change of a user loads the list again.
    const released = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route(/\/find-users\?/, async (route) => {
      asked.resolve();
      await released.promise;
      await route.fallback();
    });
    await page
      .locator(`[data-index="${pageRows - 1}"]`)
      .getByRole('button', { name: /^More: / })
      .click();
    await page.getByRole('menuitem', { name: 'Disable user' }).click();
    await asked.promise;
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    assert.ok((await positionOf(frame)) > 0);
    assert.ok(await page.locator(`[data-index="${pageRows - 1}"]`).isVisible());
    released.resolve();
    await opened.settled();
    assert.ok((await positionOf(frame)) > 0);
  });

  /** Loads what the page shows again, as after it was out of sight for some time, until it gives up on a path. */
  async function loadInVain(path: RegExp): Promise<void> {
    const { page } = opened;
    await page.route('**/console/api/**', (route) => route.abort());
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      const failed = page.waitForEvent('requestfailed', (request) => path.test(request.url()));
      await page.clock.fastForward(60_000);
      if (attempt === 1)
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
      await failed;
    }
    await page.getByRole('status').filter({ hasText: 'The server does not answer' }).waitFor();
    await opened.settled();
  }

  test('stays as it is while the server does not answer', async () => {
    const { page } = opened;
    await page.clock.install();
    for (const [path, tab, request, text] of [
      ['settings', undefined, /\/sessions$/, 'This session'],
      ['audit', undefined, /\/tenants\/1\/events\?/, 'HR sync'],
      ['users/1', 'History', /\/tenants\/1\/events\?/, 'Sample'],
      ['stores/N-001', undefined, /\/store\/users\?/, 'Mara Okafor'],
    ] as const) {
      await opened.goTo(path);
      if (tab !== undefined) await page.getByRole('dialog').getByRole('tab', { name: tab }).click();
      await page.getByText(text).first().waitFor();
      await loadInVain(request);
      assert.ok(await page.getByText(text).first().isVisible(), path);
      await page.unrouteAll();
    }
  });

  test('leaves the dialog above it open while the server does not answer', async () => {
    const { page } = opened;
    const elsewhere = await page.context().browser()?.newContext();
    assert(elsewhere !== undefined);
    await elsewhere.request.post(`${opened.origin}/console/api/session`, {
      data: { username: ownerName, password: ownerPassword },
      headers: await headersOfChange(opened),
    });
    await elsewhere.close();
    await opened.goTo('settings');
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    const password = page.getByRole('dialog').getByRole('textbox', { name: 'Your password' });
    await password.fill('typed');
    await loadInVain(/\/sessions$/);
    assert.equal(await password.inputValue(), 'typed');
  });
});
