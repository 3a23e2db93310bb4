import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { ConsolePage } from './console-page.ts';

const desk = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

describe('the position of a page and of its list', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  beforeEach(async () => {
    await opened.page.setViewportSize(desk);
    await opened.goTo('');
  });

  after(() => opened?.close());

  const drawer = () => opened.page.getByRole('dialog');
  const main = () => opened.page.getByRole('main');
  const frame = () => opened.page.locator('table').locator('..');
  const focused = () => opened.page.locator('tr:focus');
  /** Follows a link of the navigation. The positions belong to entries of the history, which `visit` does not make. */
  const follow = (name: string) =>
    opened.page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  const positionOf = (scroller: Locator) => scroller.evaluate((element) => Math.round(element.scrollTop));

  async function scroll(scroller: Locator, pixels: number): Promise<number> {
    await scroller.evaluate((element, top) => element.scrollTo(0, top), pixels);
    await opened.settled();
    return positionOf(scroller);
  }

  for (const [where, viewport, scroller, tolerance] of [
    ['at a desk', desk, frame, 0],
    // Rows are as high as their texts there, and the list knows the height of a row once it has drawn it.
    ['on a phone', phone, main, 400],
  ] as const) {
    test(`${where}, a list that is loaded again is where it was, and stays there when a row is opened and closed`, async () => {
      const { page } = opened;
      await page.setViewportSize(viewport);
      await opened.goTo('users?status=active');
      await page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
      const left = await scroll(scroller(), 1500);
      assert.equal(left, 1500);
      await page.reload();
      await page.locator('tbody tr').first().waitFor();
      await opened.settled();
      const shown = await positionOf(scroller());
      assert.ok(Math.abs(shown - left) <= tolerance, `after the reload: ${shown}`);
      await page.locator('tbody tr[tabindex="0"]').focus();
      // The focus scrolls a row that is half in view, and the keys move on to one in the middle.
      for (let presses = 0; presses < 3; presses++) await page.keyboard.press('ArrowDown');
      await opened.settled();
      const before = await positionOf(scroller());
      const index = await focused().getAttribute('data-index');
      await page.keyboard.press('Enter');
      await drawer().getByRole('tab').first().waitFor();
      await opened.settled();
      assert.equal(await positionOf(scroller()), before, 'while the drawer is open');
      await page.goBack();
      await drawer().waitFor({ state: 'detached' });
      await opened.settled();
      assert.equal(await positionOf(scroller()), before, 'after Back');
      assert.equal(await focused().getAttribute('data-index'), index);
    });
  }

  test('a list that is loaded again and moved to its top stays there when a row is opened', async () => {
    const { page } = opened;
    await follow('Users');
    await page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
    await scroll(frame(), 1500);
    await page.reload();
    await page.locator('tbody tr').first().waitFor();
    await opened.settled();
    await scroll(frame(), 0);
    await page.locator('tbody tr').first().focus();
    await page.keyboard.press('Enter');
    await drawer().getByRole('tab').first().waitFor();
    await opened.settled();
    assert.equal(await positionOf(frame()), 0);
    assert.equal(await page.locator('tr[data-open="true"]').getAttribute('data-index'), '0');
  });

  test('a page that is loaded again is where it was, however late its entries arrive', async () => {
    const { page } = opened;
    await follow('Audit');
    await main().getByRole('listitem').first().waitFor();
    const left = await scroll(main(), 600);
    const released = Promise.withResolvers<void>();
    await page.route('**/tenants/1/events*', async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    assert.equal(await positionOf(main()), 0);
    released.resolve();
    await main().getByRole('listitem').first().waitFor();
    await opened.settled();
    assert.equal(await positionOf(main()), left);
    await page.unrouteAll();
  });

  test('another list begins at its top', async () => {
    const { page } = opened;
    await follow('Stores');
    await page.getByRole('row').filter({ hasText: 'N-001' }).waitFor();
    await follow('Users');
    await page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
    await scroll(frame(), 500);
    await follow('Stores');
    await page.getByRole('row').filter({ hasText: 'N-001' }).waitFor();
    await opened.settled();
    assert.equal(await positionOf(frame()), 0);
    await page.goBack();
    await page.getByRole('columnheader', { name: 'Role' }).waitFor();
    await opened.settled();
    assert.equal(await positionOf(frame()), 500);
  });

  test('another page begins at its top, and Back leads to where the one before was', async () => {
    const { page } = opened;
    await follow('Settings');
    await page.getByRole('heading', { name: 'Tenants' }).waitFor();
    await follow('Audit');
    await main().getByRole('listitem').first().waitFor();
    await opened.settled();
    const left = await scroll(main(), 600);
    assert.ok(left > 300, `${left}`);
    await follow('Settings');
    await page.getByRole('heading', { name: 'Tenants' }).waitFor();
    await opened.settled();
    assert.equal(await positionOf(main()), 0);
    await page.goBack();
    await main().getByRole('listitem').first().waitFor();
    await opened.settled();
    assert.equal(await positionOf(main()), left);
  });
});
