import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
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
