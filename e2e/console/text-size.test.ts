import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CDPSession } from 'playwright-core';
import { consoleViews, makeCalls, makeLinks } from '../../scripts/console-shots/console-views.ts';
import { ConsolePage } from './console-page.ts';

describe('the text size that the reader chose in the browser', () => {
  let opened: ConsolePage;
  let browser: CDPSession;

  before(async () => {
    opened = await ConsolePage.open();
    await makeCalls(opened);
    await makeLinks(opened);
    browser = await opened.page.context().newCDPSession(opened.page);
  });

  after(() => opened?.close());

  const choose = (standard: number) =>
    browser.send('Page.setFontSizes', { fontSizes: { standard, fixed: Math.round((standard * 13) / 16) } });

  const heightsOfRows = () =>
    opened.page
      .locator('tbody tr')
      .evaluateAll((rows) => [...new Set(rows.map((row) => row.getBoundingClientRect().height))]);

  for (const [standard, text, row] of [
    [16, 14, 40],
    [20, 17.5, 50],
    [24, 21, 60],
  ] as const) {
    test(`${standard} pixels: texts, fields and rows follow it`, async () => {
      const { page } = opened;
      await choose(standard);
      await page.setViewportSize({ width: 1900, height: 900 });
      // The same address again would be a reload, which may show the end of the list, where the test before it went.
      await page.goto('about:blank');
      await opened.goTo('users');
      await page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
      assert.equal(await page.evaluate(fontSizeOf('body')), `${text}px`);
      assert.equal(await page.evaluate(fontSizeOf('tbody td p')), `${text}px`);
      assert.equal(await page.evaluate(fontSizeOf('nav a')), `${text}px`);
      assert.equal(await page.evaluate(fontSizeOf('main input[type=search]')), `${text}px`);
      assert.deepEqual(await heightsOfRows(), [row]);
      await page.locator('tbody tr').first().focus();
      await page.keyboard.press('End');
      await page.getByText('Gabriel Laurent').waitFor();
    });
  }

  test('nothing is beyond the edge with large text, on a phone and at a desk', async () => {
    const { page } = opened;
    for (const { name, path, prepare } of consoleViews.filter(({ name }) => !isRepeated.has(name))) {
      await choose(32);
      await page.setViewportSize({ width: 390, height: 844 });
      await opened.visit(path);
      await page.getByRole('heading').first().waitFor();
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      await prepare?.(page);
      // An open page follows the browser's setting, so one visit serves all sizes.
      for (const standard of [32, 24, 20]) {
        await choose(standard);
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 844 });
          await opened.settled();
          // The calls of this test are fast, unless the machine is busy.
          if (name === 'overview') await page.evaluate(showSlowCalls);
          const where = `${name} at ${standard} pixels, ${width} pixels wide`;
          assert.equal(await page.evaluate(fontSizeOf('body')), `${standard * 0.875}px`, where);
          assert.deepEqual(await page.evaluate(beyondEdge), [], where);
        }
      }
    }
  });

  for (const language of ['en', 'zh'] as const)
    test(`the filters of a phone show their whole names and values at twice the usual size (${language})`, async () => {
      const { page } = opened;
      await choose(32);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.evaluate(`localStorage.setItem('fieldroster-language', '${language}')`);
      await opened.goTo('');
      for (const path of ['users?status=disabled', 'audit?user=3&store=N-001']) {
        await opened.visit(path);
        const toggle = page.locator('main [aria-expanded][aria-controls]').first();
        await toggle.waitFor();
        await opened.settled();
        assert.equal(await toggle.getAttribute('aria-expanded'), 'true');
        assert.match(await toggle.innerText(), /1/);
        assert.deepEqual(await page.evaluate(cutFilters), [], path);
      }
      await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
      await opened.goTo('');
    });

  test('icons grow as much as the text, on a phone and at a desk', async () => {
    const { page } = opened;
    await choose(32);
    for (const name of [
      'overview',
      'users-selected',
      'user-stores',
      'move-stores',
      'orgs',
      'request',
      'settings',
    ]) {
      const { path, prepare } = consoleViews.find((view) => view.name === name) ?? assert.fail(name);
      await page.setViewportSize({ width: 390, height: 844 });
      await opened.visit(path);
      await page.getByRole('heading').first().waitFor();
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      await prepare?.(page);
      // The navigation is beside the page where there is room for it.
      for (const width of [390, 1900]) {
        await page.setViewportSize({ width, height: 844 });
        await opened.settled();
        assert.deepEqual(await page.evaluate(smallIcons), [], `${name}, ${width} pixels wide`);
      }
    }
  });

  for (const standard of [16, 24])
    test(`no text of a list ends with an ellipsis on a phone, and no row covers another (${standard} pixels)`, async () => {
      const { page } = opened;
      await choose(standard);
      await page.setViewportSize({ width: 390, height: 844 });
      for (const path of ['users', 'stores', 'roles', 'applications', 'requests', 'move-stores?from=3']) {
        await opened.visit(path);
        await page.locator('tbody tr, [role=checkbox], main [type=checkbox]').first().waitFor();
        await opened.settled();
        assert.deepEqual(await page.evaluate(endingWithEllipsis), [], path);
        assert.deepEqual(await page.evaluate(tallerThanRow), [], path);
        assert.deepEqual(await page.evaluate(rowsOverlapping), [], path);
      }
      await opened.visit('users');
      await page.locator('tbody tr').first().focus();
      await page.keyboard.press('End');
      await page.getByText('Gabriel Laurent').waitFor();
      await opened.settled();
      assert.deepEqual(await page.evaluate(rowsOverlapping), []);
    });

  test('the header shows whole words, and the whole name of the tenant, at each text size and width', async () => {
    const { page } = opened;
    const name = 'Northern subsidiary';
    const { id } = await opened.change('POST', '/tenants', { name });
    const search = page.getByRole('banner').getByRole('button', { name: 'Search users, stores, pages…' });
    for (const standard of [16, 20, 24]) {
      await choose(standard);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${opened.origin}/console/t/${id}/lab`);
      await search.waitFor();
      for (const width of [390, 360, 1000, 1280]) {
        const where = `${width} pixels wide, text of ${standard}`;
        await page.setViewportSize({ width, height: 844 });
        await opened.settled();
        const tenant = page.getByRole('banner').getByRole('combobox', { name: 'Tenant' });
        assert.equal(await tenant.inputValue(), name);
        assert.deepEqual(await page.evaluate(cutInHeader), [], where);
        const isWide = width / standard > 40;
        const hint = isWide ? 'Search users, stores, pages…' : 'Search';
        assert.deepEqual(await page.evaluate(hintSeen), [hint], where);
      }
    }
  });

  for (const [density, height] of [
    ['normal', 40],
    ['dense', 36],
  ] as const) {
    test(`rows of ${density} tables are ${height} pixels high at the usual size, and no line in them is cut`, async () => {
      const { page } = opened;
      await choose(16);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.evaluate(`localStorage.setItem('fieldroster-density', '${density}')`);
      await opened.goTo('users');
      for (const path of ['users', 'stores', 'roles', 'applications', 'requests']) {
        await opened.visit(path);
        await page.locator('tbody tr').first().waitFor();
        assert.deepEqual(await heightsOfRows(), [height], path);
        assert.deepEqual(await page.evaluate(tallerThanRow), [], path);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      await opened.visit('users');
      await page.locator('tbody tr').first().waitFor();
      const [onPhone = 0] = await heightsOfRows();
      assert(onPhone >= 44, 'a finger hits it');
      assert.deepEqual(await page.evaluate(tallerThanRow), []);
      await page.evaluate("localStorage.removeItem('fieldroster-density')");
    });
  }
});

/** Views that differ from another one only in their content. */
const isRepeated: ReadonlySet<string> = new Set([
  'users-nothing-found',
  'stores-unassigned',
  'settings-sessions',
  'settings-open-links',
  'not-found',
]);

const fontSizeOf = (selector: string) =>
  `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).fontSize`;

/** Returns the names and values of filters for which their field has no room. */
const cutFilters = `(() => {
  const writing = document.createElement('canvas').getContext('2d');
  const filters = document.getElementById(document.querySelector('main [aria-expanded][aria-controls]').getAttribute('aria-controls'));
  return [...filters.querySelectorAll('input:not([type=date])')].flatMap((field) => {
    const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(field);
    writing.font = fontSize + ' ' + fontFamily;
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const text = field.value || field.placeholder;
    return field.offsetParent !== null && writing.measureText(text).width > room + 1 ? [text] : [];
  });
})()`;

/**
 * Returns the icons that did not grow with the text: at twice the usual size, the smallest icon is 28 pixels wide instead
 * of 14.
 */
const smallIcons = `[...document.querySelectorAll('svg.tabler-icon, nav img')]
  .filter((icon) => icon.getClientRects().length > 0)
  .filter((icon) => icon.getBoundingClientRect().width < 28)
  .map((icon) => icon.outerHTML)`;

/** Returns the parts of rows that extend above or below their row. */
const tallerThanRow = `[...document.querySelectorAll('tbody tr')].flatMap((row) => {
  const { top, bottom } = row.getBoundingClientRect();
  return [...row.querySelectorAll('*')]
    .filter((part) => part.getClientRects().length > 0 && part.clientWidth > 0)
    .filter((part) => part.getBoundingClientRect().top < top - 0.5 || part.getBoundingClientRect().bottom > bottom + 0.5)
    .map((part) => part.tagName + ' ' + part.textContent);
})`;

/** Returns the texts of a page that end with an ellipsis, except in fields, which cannot have a second line. */
const endingWithEllipsis = `[...document.querySelectorAll('main *')]
  .filter((part) => part.tagName !== 'INPUT' && part.getClientRects().length > 0 && part.clientWidth > 2)
  .filter((part) => getComputedStyle(part).clipPath === 'none' && getComputedStyle(part).overflowX !== 'visible')
  .filter((part) => getComputedStyle(part).textOverflow === 'ellipsis' && part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.textContent)`;

/** Returns the visible texts on the button of the search, without those for screen readers. */
const hintSeen = `[...document.querySelectorAll('header [aria-haspopup=dialog] > span')]
  .filter((part) => part.getBoundingClientRect().width > 2)
  .map((part) => part.textContent)`;

/** Returns the parts of the header that overflow, or extend beyond the edge of the screen. */
const cutInHeader = `[...document.querySelectorAll('header *')]
  .filter((part) => part.getClientRects().length > 0 && part.getBoundingClientRect().width > 2)
  .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0 ||
    part.getBoundingClientRect().right > innerWidth || part.getBoundingClientRect().left < 0)
  .map((part) => part.tagName + ' ' + part.className + ' ' + part.textContent)`;

/** Returns the rows that begin before the one above them ends. */
const rowsOverlapping = `(() => {
  const places = [...document.querySelectorAll('tbody tr')].map((row) => [row.getBoundingClientRect(), row.textContent]);
  places.sort(([one], [other]) => one.top - other.top);
  return places.filter(([place], index) => index > 0 && place.top < places[index - 1][0].bottom - 0.5).map(([, text]) => text);
})()`;

/** Replaces each duration in the figures of the calls by the longest possible text. */
const showSlowCalls = `for (const figure of document.querySelectorAll('main dd'))
  if (figure.textContent.endsWith('ms')) figure.textContent = '≤ 500 ms'`;

/** Returns what extends beyond the screen, unless it ends with an ellipsis or its table scrolls sideways. */
const beyondEdge = `(() => {
  const width = document.documentElement.clientWidth;
  const faults = document.documentElement.scrollWidth > width ? ['the document'] : [];
  const main = document.querySelector('main');
  if (main !== null && main.scrollWidth > main.clientWidth) faults.push('the page');
  const isAllowed = (part) => {
    if (part === null || part === main) return false;
    const { textOverflow, overflowX } = getComputedStyle(part);
    return textOverflow === 'ellipsis' || overflowX === 'auto' || isAllowed(part.parentElement);
  };
  for (const part of document.querySelectorAll('main *, header *, [role=dialog] *')) {
    const { left, right } = part.getBoundingClientRect();
    const isPainted = part.getClientRects().length > 0 && getComputedStyle(part).clipPath === 'none';
    if (isPainted && (right > width + 1 || left < -1) && !isAllowed(part))
      faults.push(part.tagName + ' ' + part.textContent.slice(0, 40));
  }
  return faults;
})()`;
