import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsolePage } from './console-page.ts';
import { chooseFile, openImport } from './import-file.ts';

/** The visible part of a screen of 1280 by 1024 pixels at a zoom of 400 %. */
const zoomed = { width: 320, height: 256 };

describe('the console at a zoom of 400 %', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    await opened.page.setViewportSize(zoomed);
    await opened.goTo('');
  });

  after(() => opened?.close());

  for (const path of ['', 'users', 'users/1', 'import', 'settings', 'move-stores?from=1', 'audit']) {
    test(`scrolls in one direction only, and fixed parts cover at most half of the height: /${path}`, async () => {
      const { page } = opened;
      await opened.visit(path);
      await page.getByRole('heading').first().waitFor();
      await opened.settled();
      assert.deepEqual(await page.evaluate(beyondTheEdge), []);
      const height = Number(await page.evaluate(stuckHeight));
      assert(height <= zoomed.height / 2, `${height} pixels stick`);
    });
  }

  test('the drawer of a user opens at its top', async () => {
    await opened.visit('users/1');
    await opened.page.getByRole('dialog').getByRole('tab', { name: 'Profile' }).waitFor();
    await opened.settled();
    const scrolled = `[...document.querySelectorAll('[role=dialog], [role=dialog] *')].map((part) => part.scrollTop)`;
    assert.deepEqual(new Set(await opened.page.evaluate<number[]>(scrolled)), new Set([0]));
  });

  for (const [language, selected] of [
    ['zh', '已选择 12 位'],
    ['en', '12 selected'],
  ] as const) {
    test(`the bar of the selected users is one line high and leaves the list in view (${language})`, async () => {
      const { page } = opened;
      await page.evaluate(`localStorage.setItem('fieldroster-language', '${language}')`);
      // Loading the list where it is shown may scroll to where it was, and then the first row is not drawn.
      await opened.goTo('');
      await opened.goTo('users');
      // By the number of the row: the page draws only the rows in view, and the list scrolls under the pointer.
      for (let index = 0; index < 12; index++)
        await page.locator(`tbody [data-index="${index}"]`).getByRole('checkbox').check();
      const bar = page.getByRole('region').filter({ hasText: selected });
      await bar.waitFor();
      await opened.settled();
      assert.deepEqual(await page.evaluate(beyondTheEdge), []);
      const height = Number(await page.evaluate(stuckHeight));
      assert(height > 0 && height <= zoomed.height / 6, `${height} pixels stick`);
      await bar.getByRole('button').first().click();
      await page.getByRole('menuitem').first().click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });
  }

  test('the buttons of an import do not cover its table', async () => {
    const { page } = opened;
    await openImport(opened);
    await chooseFile(page, 'staff.csv', 'username,phone\nzoomed.a,1\n');
    const next = page.getByRole('button', { name: 'Show what would change' });
    await next.waitFor();
    await opened.settled();
    assert.deepEqual(await page.evaluate(beyondTheEdge), []);
    const height = Number(await page.evaluate(stuckHeight));
    assert(height <= zoomed.height / 4, `${height} pixels stick`);
    await next.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'zoomed.a' }).waitFor();
  });
});

/** The elements that scroll sideways, apart from tables, and the page itself if it does. */
const beyondTheEdge = `[document.scrollingElement, ...document.querySelectorAll('body *')]
  .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
  .filter((part) => part === document.scrollingElement || /auto|scroll/.test(getComputedStyle(part).overflowX))
  .filter((part) => part.querySelector('table') === null && part.closest('table') === null)
  .map((part) => part.tagName + '.' + part.className)`;

/** Height of the fixed and sticky parts of the page, or of the drawer above it. */
const stuckHeight = `(() => {
  const top = document.querySelector('[role=dialog]') ?? document.querySelector('main');
  return [...top.querySelectorAll('*')]
    .filter((part) => /fixed|sticky/.test(getComputedStyle(part).position) && part.closest('table') === null)
    .map((part) => part.getBoundingClientRect().height)
    .reduce((sum, height) => sum + height, 0);
})()`;
