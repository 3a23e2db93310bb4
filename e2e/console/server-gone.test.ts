import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Request, Route } from 'playwright-core';
import { ConsolePage } from './console-page.ts';

async function topOf(part: Locator): Promise<number> {
  return (await part.boundingBox())?.y ?? Number.NaN;
}

async function bottomOf(part: Locator): Promise<number> {
  const { y, height } = (await part.boundingBox()) ?? { y: Number.NaN, height: 0 };
  return y + height;
}

describe('the console while the server is gone', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  test('a bar says so until it is back, and what was typed can be saved', async () => {
    const { page } = opened;
    await opened.goTo('users/2');
    const nickname = page.getByLabel('Nickname');
    await nickname.waitFor();
    await opened.server.kill();
    await nickname.fill('typed while it was gone');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const bar = page.getByRole('status').filter({ hasText: 'The server does not answer' });
    await bar.waitFor();
    await opened.requireAccessible();
    const bottom = await bottomOf(bar);
    await page.setViewportSize({ width: 390, height: 844 });
    await opened.settled();
    for (const part of [page.getByRole('banner').first(), page.getByRole('dialog')])
      assert((await topOf(part)) >= (await bottomOf(bar)), 'the bar covers nothing on a phone');
    await page.setViewportSize({ width: 1280, height: 800 });
    await opened.settled();
    for (const part of [page.getByRole('banner').first(), page.getByRole('dialog')])
      assert((await topOf(part)) >= bottom, 'the bar covers nothing at a desk');
    await opened.restartServer();
    await bar.waitFor({ state: 'detached' });
    assert.equal(await nickname.inputValue(), 'typed while it was gone');
    const save = page.getByRole('button', { name: 'Save changes' });
    await save.and(page.locator(':not([data-loading])')).waitFor();
    // An attempt of the page itself may have saved it.
    if ((await save.getAttribute('aria-disabled')) !== 'true')
      await Promise.all([page.getByText('Saved').waitFor(), save.click()]);
    await page.reload();
    await nickname.waitFor();
    assert.equal(await nickname.inputValue(), 'typed while it was gone');
    // The browser reports every call that found no server.
    for (const line of opened.complaints.splice(0))
      assert.match(line, /ERR_CONNECTION_REFUSED|Failed to load/);
  });

  test('a server that accepts calls but answers none is asked one at a time', async () => {
    const browser = opened.page.context().browser();
    assert(browser !== null);
    await opened.goTo('roles');
    const context = await browser.newContext({
      locale: 'en-GB',
      storageState: await opened.page.context().storageState(),
    });
    await context.clock.install();
    const page = await context.newPage();
    await page.goto(`${opened.origin}/console/t/1/roles`);
    await page.getByRole('heading', { name: 'Roles' }).waitFor();
    const everyCall = /\/console\/api\//;
    await page.route(everyCall, (route) => route.abort());
    await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).click();
    const bar = page.getByRole('status').filter({ hasText: 'The server does not answer' });
    await bar.waitFor();
    const held: Route[] = [];
    const first = Promise.withResolvers<void>();
    const asks = /\/console\/api\/session/;
    await page.route(asks, (route) => {
      held.push(route);
      first.resolve();
    });
    let [pending, most] = [0, 0];
    const count = (request: Request, change: number) => {
      if (asks.test(request.url())) pending += change;
      most = Math.max(most, pending);
    };
    page.on('request', (request) => count(request, 1));
    page.on('requestfailed', (request) => count(request, -1));
    await context.clock.runFor(10_000);
    await first.promise;
    await context.clock.runFor(20_000);
    assert.equal(most, 1);
    await page.unroute(everyCall);
    await held.at(-1)?.continue();
    await bar.waitFor({ state: 'detached' });
    await context.close();
  });

  test('a page that is opened meanwhile has its styles once the server is back', async () => {
    const { page } = opened;
    await opened.goTo('roles');
    await page.getByRole('heading', { name: 'Roles' }).waitFor();
    await opened.server.kill();
    await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).click();
    const bar = page.getByRole('status').filter({ hasText: 'The server does not answer' });
    await bar.waitFor();
    await opened.restartServer();
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    await bar.waitFor({ state: 'detached' });
    await opened.settled();
    const loaded: boolean[] = await page.evaluate(
      `[...document.querySelectorAll('link[rel="stylesheet"]')].map(({ sheet }) => sheet !== null)`,
    );
    assert(loaded.length > 1 && loaded.every(Boolean), loaded.join());
    for (const line of opened.complaints.splice(0))
      assert.match(line, /ERR_CONNECTION_REFUSED|Failed to load/);
  });
});
