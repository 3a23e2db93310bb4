import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';

/** More presses of Tab than any path in these tests needs. */
const pressesMax = 80;

describe('a journey by the keyboard alone, with the focus always in view', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    await opened.goTo('users');
  });

  after(() => opened?.close());

  const button = (name: string | RegExp) => opened.page.getByRole('button', { name, exact: true });
  const field = (name: string) => opened.page.getByRole('textbox', { name, exact: true });
  const hasFocus = (element: Locator) => element.and(opened.page.locator(':focus')).waitFor();

  /** Presses a key, and asserts that the focused element is then on the screen and marked. */
  async function press(key: string): Promise<void> {
    await opened.page.keyboard.press(key);
    await opened.settled();
    const focus = await opened.page.evaluate<string>(describeFocus);
    assert.equal(focus.replace(/^seen .*/, 'seen'), 'seen', `after ${key}: ${focus}`);
  }

  /** Moves the focus to an element, and asserts that it is in view at each step. */
  async function go(element: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await opened.settled();
    for (let presses = 0; presses < pressesMax; presses++) {
      if ((await element.and(opened.page.locator(':focus')).count()) > 0) return;
      await opened.page.keyboard.press(key);
      const focus = await opened.page.evaluate<string>(describeFocus);
      assert.match(focus, /^seen|^nowhere/, `on the way to ${element}: ${focus}`);
    }
    assert.fail(`${element} is not reached by ${key}`);
  }

  test('signs in, and arrives at the page of the address', async () => {
    const { page } = opened;
    await page.context().clearCookies();
    await page.reload();
    await field('Username').waitFor();
    await hasFocus(field('Username'));
    await page.keyboard.type(ownerName);
    await press('Tab');
    await page.keyboard.type(ownerPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /Mara Okafor/ }).waitFor();
    assert.match(page.url(), /\/users$/);
    opened.complaints.length = 0;
  });

  test('finds a user by the search, changes a field, and comes back to the list', async () => {
    const { page } = opened;
    await opened.visit('users');
    await page.getByRole('row', { name: /Mara Okafor/ }).waitFor();
    await press('Control+k');
    await hasFocus(page.getByRole('dialog', { name: 'Search' }).getByRole('combobox'));
    await page.keyboard.type('mateo');
    await page.getByRole('option', { name: /Mateo/ }).waitFor();
    await press('Enter');
    await page.getByRole('heading', { name: /Mateo/ }).waitFor();
    await go(field('Nickname'));
    await page.keyboard.type('Teo');
    await go(button('Save changes'));
    await press('Enter');
    await page.getByText('Saved').waitFor();
    await opened.settled();
    await hasFocus(button('Save changes'));
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.match(page.url(), /\/users$/);
    assert.match(await page.evaluate<string>(describeFocus), /^seen/);
  });

  test('opens a row, and Escape returns to that row', async () => {
    const { page } = opened;
    await opened.visit('users');
    const row = page.getByRole('row', { name: /Mara Okafor/ });
    await row.waitFor();
    await go(row);
    await press('ArrowDown');
    await press('ArrowDown');
    const place = () => page.locator('tr:focus').getAttribute('data-index');
    assert.equal(await place(), '2');
    await press('Enter');
    await page.getByRole('dialog').getByRole('tab', { name: 'Profile' }).waitFor();
    await opened.settled();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await place(), '2');
  });

  test('moves the stores of one user to another, and undoes it', async () => {
    const { page } = opened;
    await opened.visit('users');
    await page.getByRole('row', { name: /Mara Okafor/ }).waitFor();
    await go(page.getByRole('link', { name: 'Move stores' }).or(button('Move stores')));
    await press('Enter');
    const from = page.getByRole('combobox', { name: 'From' });
    await go(from);
    await page.keyboard.type('okafor');
    await page.getByRole('option', { name: /Mara Okafor/ }).waitFor();
    // Others are listed until the search has an answer.
    await page.getByRole('option').nth(1).waitFor({ state: 'detached' });
    await press('ArrowDown');
    await press('Enter');
    const to = page.getByRole('combobox', { name: 'To' });
    await go(to);
    await page.keyboard.type('tanaka');
    await page.getByRole('option', { name: /Jun Tanaka/ }).waitFor();
    await page.getByRole('option').nth(1).waitFor({ state: 'detached' });
    await press('ArrowDown');
    await press('Enter');
    const box = page.getByRole('region', { name: 'From' }).getByRole('checkbox').nth(1);
    await box.waitFor();
    await go(box, 'Shift+Tab');
    await press('Space');
    const move = button(/^Move \d+ stores?$/);
    await go(move);
    await press('Enter');
    await page.getByText(/moved from Mara Okafor to Jun Tanaka/).waitFor();
    const undo = button('Undo');
    await go(undo, 'Shift+Tab');
    await press('Enter');
    await page.getByText(/back with Mara Okafor/).waitFor();
    await opened.settled();
    assert.match(await page.evaluate<string>(describeFocus), /^seen/);
  });

  test('imports a file, and the focus follows each step', async () => {
    const { page } = opened;
    await opened.visit('import');
    await button('Choose file').waitFor();
    // The browser needs a moment until it reports a dialog instead of showing it.
    const chosen = page.waitForEvent('filechooser');
    await go(button('Choose file'));
    await opened.settled();
    await page.keyboard.press('Enter');
    const buffer = Buffer.from('username,real_name\nby.keys,By Keys\n');
    await (await chosen).setFiles({ name: 'staff.csv', mimeType: 'text/csv', buffer });
    await button('Show what would change').waitFor();
    await go(button('Show what would change'));
    await press('Enter');
    await page.getByRole('row').filter({ hasText: 'by.keys' }).waitFor();
    await go(button('Import 1 user'));
    await press('Enter');
    await button('Import another file').waitFor();
    await opened.settled();
    assert.match(await page.evaluate<string>(describeFocus), /^seen/);
    await go(button('Import another file'));
    await press('Enter');
    await button('Choose file').waitFor();
    assert.match(await page.evaluate<string>(describeFocus), /^seen/);
  });
});

/** Says where the focus is: `seen`, `nowhere` on the page, or why it is not seen. */
const describeFocus = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return 'nowhere';
  // A segmented control hides its radio button, and shows the label beside it.
  const shown = element.type === 'radio' ? element.nextElementSibling : element;
  const { top, bottom, left, right, width } = shown.getBoundingClientRect();
  const name = element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.textContent).slice(0, 40);
  const isInView = width > 0 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  if (!isInView) return 'out of view: ' + name;
  return (element.matches(':focus-visible') ? 'seen ' : 'not marked: ') + name;
})()`;
