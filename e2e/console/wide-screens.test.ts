import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { ConsolePage } from './console-page.ts';

describe('the console at a desk', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  test('the button that opens the menu is hidden, because the navigation is beside every page', async () => {
    const { page } = opened;
    await opened.visit('users');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Menu' }).count(), 0);
  });

  test("the styles of the console win over those of its components' library", async () => {
    const { page } = opened;
    await opened.visit('users');
    const search = page.getByRole('button', { name: /Search users, stores, pages/ });
    assert.equal(await page.evaluate(styleOf('header [aria-haspopup="dialog"]', 'borderTopWidth')), '1px');
    await search.click();
    await page.getByRole('option').first().waitFor();
    assert.equal(await page.evaluate(styleOf('[role="group"] [role="option"]', 'paddingLeft')), '12px');
    await page.keyboard.press('Escape');
  });

  test('cards are 16 pixels apart on every page', async () => {
    const { page } = opened;
    for (const [path, count] of [
      ['', 4],
      ['settings', 7],
      ['move-stores?from=3', 3],
    ] as const) {
      await opened.visit(path);
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      await opened.settled();
      const gaps: readonly number[] = await page.evaluate(gapsOfCards);
      assert(gaps.length >= count - 1, `${path}: ${gaps}`);
      assert.deepEqual([...new Set(gaps)], [16], path);
    }
    await opened.visit('lab');
    const right = await page.getByRole('region', { name: 'Result' }).boundingBox();
    const left = await page.getByLabel('Headers').boundingBox();
    assert(left !== null && right !== null);
    assert.equal(Math.round(right.x - left.x - left.width), 16);
  });

  test('the names of the columns stay in view while a list scrolls', async () => {
    const { page } = opened;
    await opened.visit('users');
    await page.locator('tbody tr').first().waitFor();
    const head = page.getByRole('columnheader', { name: 'Phone' });
    await opened.settled();
    const before = await head.boundingBox();
    await page.locator('tbody tr').first().focus();
    await page.keyboard.press('End');
    await page.getByText('Gabriel Laurent').waitFor();
    assert.deepEqual(await head.boundingBox(), before);
  });

  test('the focus is never behind the names of the columns, and the row of the open entry is marked', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 1280, height: 500 });
    await opened.goTo('users');
    await page.locator('tbody tr').first().focus();
    const head = page.getByRole('table').getByRole('row').first();
    for (const [arrow, rows] of [
      ['ArrowDown', 20],
      ['ArrowUp', 15],
    ] as const)
      for (let row = 0; row < rows; row++)
        for (const key of [arrow, 'Tab']) {
          await page.keyboard.press(key);
          // The rows are drawn with the next frame.
          await page.evaluate('new Promise(requestAnimationFrame)');
          const focused = page.locator(':focus');
          assert(await focused.evaluate((element) => element.closest('tbody') !== null), `${key} ${row}`);
          const { y = 0, height = 0 } = (await focused.boundingBox()) ?? {};
          const { y: top = 0, height: headHeight = 0 } = (await head.boundingBox()) ?? {};
          assert(y + height / 2 > top + headHeight, `${key} in row ${row}, after ${arrow}`);
        }
    await page.setViewportSize({ width: 1280, height: 800 });
    await opened.visit('users/2');
    const shadowOf = (name: string) =>
      page.evaluate<string>(
        `getComputedStyle([...document.querySelectorAll('tbody tr')].find((row) => row.textContent.includes('${name}'))).boxShadow`,
      );
    await page.locator('tbody tr[data-open=true]').waitFor();
    assert.notEqual(await shadowOf('Jun Tanaka'), 'none');
    assert.equal(await shadowOf('Amelia Hughes'), 'none');
  });

  test('a field shows by more than a colour that it has the focus', async () => {
    const { page } = opened;
    await opened.visit('users');
    for (const name of ['Search users', 'Role', 'Organization', 'Status']) {
      const field = page.locator(`input[aria-label="${name}"]`);
      const outline = () =>
        page.evaluate<string>(
          `getComputedStyle(document.querySelector('input[aria-label="${name}"]')).outlineStyle`,
        );
      await field.waitFor();
      assert.equal(await outline(), 'none', name);
      await field.focus();
      assert.equal(await outline(), 'solid', name);
    }
  });

  test('the notice with Undo covers neither the bar of selected users nor a dialog', async () => {
    const { page } = opened;
    await opened.visit('users?status=active');
    await page.getByRole('checkbox', { name: 'Select Mara Okafor' }).check();
    await page.getByRole('button', { name: 'Disable…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable 1 user' }).click();
    const done = page.getByRole('alert').filter({ hasText: /^1 user disabled/ });
    await done.waitFor();
    await page.getByRole('checkbox', { name: 'Select Jun Tanaka' }).check();
    const bar = page.getByRole('region', { name: 'Selected users' });
    for (const width of [1280, 821, 820, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await opened.settled();
      assert(!(await overlap(done, bar)), `it covers the bar, ${width} pixels wide`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await bar.getByRole('button', { name: 'Set role…' }).click();
    await page.getByRole('dialog').waitFor();
    await opened.settled();
    assert(!(await overlap(done, page.getByRole('dialog'))));
    await page.keyboard.press('Escape');
    await done.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 user changed back').waitFor();
  });

  test('the Undo button is not cut off beside a long message', async () => {
    const { page } = opened;
    await opened.visit('move-stores?from=1&to=2');
    await page.getByRole('checkbox', { name: /Select all/ }).check();
    await page.getByRole('button', { name: /^Move \d+ stores/ }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await opened.settled();
    assert.deepEqual(await page.evaluate(cutTexts), []);
    await undo.click();
    await page.getByRole('checkbox', { name: /Select all/ }).waitFor();
  });

  test('the longest code of a store hides neither the Undo button of its notice nor the end of an option', async () => {
    const { page } = opened;
    const code = 'W'.repeat(100);
    await opened.change('POST', '/tenants/1/store', { code, name: 'Store with the longest code' });
    await opened.visit('users/6');
    await page.getByRole('tab', { name: /^Stores/ }).click();
    await page.getByRole('combobox', { name: 'Code, name or address of a store' }).fill('longest');
    const option = page.getByRole('option', { name: code });
    await option.waitFor();
    assert.deepEqual(await page.evaluate(widerThanTheirList), []);
    await option.click();
    await page.getByRole('button', { name: 'Assign store' }).click();
    const shown = page.getByRole('alert').filter({ hasText: code });
    const undo = shown.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await opened.settled();
    const [button, notice] = [await undo.boundingBox(), await shown.boundingBox()];
    assert(button !== null && notice !== null);
    assert(button.y >= notice.y && button.y + button.height <= notice.y + notice.height, 'it is cut off');
    await undo.click();
    await undo.waitFor({ state: 'detached' });
  });

  test('an entry beside its list becomes a full page at a click, with the navigation beside it', async () => {
    const { page } = opened;
    await opened.visit('users/3');
    const drawer = page.getByRole('dialog', { name: 'Amelia Hughes' });
    await drawer.getByLabel('Nickname').fill('Amy');
    await drawer.getByRole('button', { name: 'Show as a full page' }).click();
    await drawer.getByRole('button', { name: 'Show beside the list' }).waitFor();
    await opened.settled();
    const { x, y, width } = (await drawer.boundingBox()) ?? {};
    assert.deepEqual({ x, y, width }, { x: 208, y: 48, width: 1072 });
    assert.equal(await drawer.getByLabel('Nickname').inputValue(), 'Amy', 'nothing typed is lost');
    await opened.requireAccessible();
    await drawer.getByRole('button', { name: 'Show beside the list' }).click();
    await drawer.getByLabel('Nickname').fill('');
    await drawer.getByRole('button', { name: 'Close' }).click();
    await drawer.waitFor({ state: 'detached' });
  });

  test('a slow search says that it is under way, and never counts the rows of the one before', async () => {
    const { page } = opened;
    await opened.visit('users');
    await page.getByText('80 users').waitFor();
    const slow = Promise.withResolvers<void>();
    await page.route('**/find-users?*search=mateo*', async (route) => {
      await slow.promise;
      await route.continue();
    });
    await page.getByRole('searchbox', { name: 'Search users' }).fill('mateo');
    await page.getByText('Searching…').waitFor();
    assert.equal(await page.getByText('80 users').count(), 0);
    slow.resolve();
    await page.getByText('1 user', { exact: true }).waitFor();
    await page.unroute('**/find-users?*search=mateo*');
  });

  test('each choice of a switch has at least 8 pixels of room at its left', async () => {
    const { page } = opened;
    for (const path of ['', 'audit', 'import']) {
      await opened.visit(path);
      await page.getByRole('main').getByRole('radiogroup').first().waitFor();
      const distances = await page.evaluate<number[]>(aroundChoices);
      assert(distances.length > 0 && distances.every((pixels) => pixels >= 8), `${path}: ${distances}`);
    }
  });

  test('the facts of a store have names', async () => {
    await opened.visit('stores/N-001');
    const drawer = opened.page.getByRole('dialog');
    await drawer.getByRole('definition').first().waitFor();
    const [names, facts] = [drawer.getByRole('term'), drawer.getByRole('definition')];
    assert.deepEqual(await names.allInnerTexts(), ['Code', 'Address']);
    assert.deepEqual(await facts.allInnerTexts(), ['N-001', '4 Pier Street, Northport']);
  });

  test('the details of an application have exact times', async () => {
    const { page } = opened;
    await opened.visit('applications');
    await page.getByRole('row', { name: /First application/ }).click();
    const drawer = page.getByRole('dialog', { name: 'First application' });
    await drawer.getByRole('columnheader', { name: 'Expires' }).waitFor();
    const times = await drawer.locator('time').allInnerTexts();
    assert.equal(times.length, 2, 'when the application and its secret were created');
    for (const time of times)
      assert.match(time, /^\d{1,2} \w{3,4} \d{4}, \d{2}:\d{2}:\d{2} \S+$/, 'names its zone');
  });
});

async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  assert(a !== null && b !== null);
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const styleOf = (selector: string, property: string) =>
  `getComputedStyle(document.querySelector('${selector}')).${property}`;

/** The texts in a notification that are wider than their place. */
const cutTexts = `[...document.querySelectorAll('[role="alert"] *')]
  .filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 0)
  .map((one) => one.innerText)`;

/** The options that reach beyond the list that they are in. */
const widerThanTheirList = `[...document.querySelectorAll('[role="option"]')]
  .filter((option) => option.getBoundingClientRect().right > option.closest('[role="listbox"]').getBoundingClientRect().right)
  .map((option) => option.innerText)`;

/** The room on the left of each choice of the page's switches. */
const aroundChoices = `[...document.querySelectorAll('main [role="radiogroup"] label')]
  .map((label) => Number.parseFloat(getComputedStyle(label).paddingLeft))`;

/** Returns how far each card is from the one above it and from the one before it. */
const gapsOfCards = `(() => {
  const isCard = (part) => {
    const { borderTopWidth, borderLeftWidth, borderRadius, borderStyle } = getComputedStyle(part);
    return borderTopWidth === '1px' && borderLeftWidth === '1px' && borderRadius === '6px' && borderStyle === 'solid' &&
      !part.matches('input, button, button *, [role=radiogroup]');
  };
  const all = [...document.querySelectorAll('main *')].filter(isCard);
  const cards = all.filter((card) => !all.some((other) => other !== card && other.contains(card)));
  const places = cards.map((card) => card.getBoundingClientRect()).filter(({ width }) => width > 200);
  return places.flatMap((place) => {
    const above = places.filter((other) => other.bottom <= place.top && other.left < place.right && other.right > place.left);
    const before = places.filter((other) => other.right <= place.left && other.top < place.bottom && other.bottom > place.top);
    const gaps = [above.map(({ bottom }) => place.top - bottom), before.map(({ right }) => place.left - right)];
    return gaps.filter((found) => found.length > 0).map((found) => Math.round(Math.min(...found)));
  });
})()`;
