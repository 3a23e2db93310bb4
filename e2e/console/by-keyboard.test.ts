import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';
import { describeFocus, Keyboard } from './keyboard.ts';

describe('a journey by the keyboard alone, with the focus always in view', () => {
  let opened: ConsolePage;
  let keyboard: Keyboard;

  before(async () => {
    opened = await ConsolePage.open();
    keyboard = new Keyboard(opened);
    await opened.goTo('users');
  });

  after(() => opened?.close());

  const button = (name: string | RegExp) => opened.page.getByRole('button', { name, exact: true });
  const field = (name: string) => opened.page.getByRole('textbox', { name, exact: true });

  test('signs in, and arrives at the page of the address', async () => {
    const { page } = opened;
    await page.context().clearCookies();
    await page.reload();
    await field('Username').waitFor();
    await keyboard.hasFocus(field('Username'));
    await page.keyboard.type(ownerName);
    await keyboard.press('Tab');
    await page.keyboard.type(ownerPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /Mara Okafor/ }).waitFor();
    assert.match(page.url(), /\/users$/);
    opened.expectReports(401);
  });

  test('finds a user by the search, changes a field, and comes back to the list', async () => {
    const { page } = opened;
    await opened.visit('users');
    await page.getByRole('row', { name: /Mara Okafor/ }).waitFor();
    await keyboard.press('Control+k');
    await keyboard.hasFocus(page.getByRole('dialog', { name: 'Search' }).getByRole('combobox'));
    await page.keyboard.type('mateo');
    await page.getByRole('option', { name: /Mateo/ }).waitFor();
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: /Mateo/ }).waitFor();
    await keyboard.go(field('Nickname'));
    await page.keyboard.type('Teo');
    await keyboard.go(button('Save changes'));
    // The notice is shown for four seconds, and the press waits until everything has settled.
    await Promise.all([keyboard.press('Enter'), page.getByText('Saved').waitFor()]);
    await opened.settled();
    await keyboard.hasFocus(button('Save changes'));
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.match(page.url(), /\/users$/);
    assert.match(await page.evaluate<string>(describeFocus), /^seen/);
  });

  test('opens a row, and Escape returns to that row', async () => {
    const { page } = opened;
    await opened.visit('users');
    const row = page.getByRole('row', { name: /Mara Okafor/ });
    await row.waitFor();
    await keyboard.go(row);
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    const place = () => page.locator('tr:focus').getAttribute('data-index');
    assert.equal(await place(), '2');
    await keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('tab', { name: 'Profile' }).waitFor();
    await opened.settled();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await place(), '2');
  });

  test('moves the stores of one user to another, and undoes it', async () => {
    const { page } = opened;
    await opened.visit('users');
    await page.getByRole('row', { name: /Mara Okafor/ }).waitFor();
    await keyboard.go(page.getByRole('link', { name: 'Move stores' }).or(button('Move stores')));
    await keyboard.press('Enter');
    const from = page.getByRole('combobox', { name: 'From' });
    await keyboard.go(from);
    await page.keyboard.type('okafor');
    await page.getByRole('option', { name: /Mara Okafor/ }).waitFor();
    // Others are listed until the search has an answer.
    await page.getByRole('option').nth(1).waitFor({ state: 'detached' });
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    const to = page.getByRole('combobox', { name: 'To' });
    await keyboard.go(to);
    await page.keyboard.type('tanaka');
    await page.getByRole('option', { name: /Jun Tanaka/ }).waitFor();
    await page.getByRole('option').nth(1).waitFor({ state: 'detached' });
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await page.waitForURL(/to=/);
    await opened.settled();
    // The field keeps the focus after a choice.
    await to.and(page.locator(':focus')).waitFor();
    const box = page.getByRole('region', { name: 'From' }).getByRole('checkbox').nth(1);
    await box.waitFor();
    await keyboard.go(box, 'Shift+Tab');
    await keyboard.press('Space');
    const move = button(/^Move \d+ stores?$/);
    await keyboard.go(move);
    await keyboard.press('Enter');
    await page.getByText(/moved from Mara Okafor to Jun Tanaka/).waitFor();
    const undo = button('Undo');
    await keyboard.go(undo, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText(/back with Mara Okafor/).waitFor();
    // The button takes the focus along with its notice, which moves out of view before it is gone.
    await undo.waitFor({ state: 'detached' });
    await opened.settled();
    assert.match(await page.evaluate<string>(describeFocus), /^seen/);
  });

  test('imports a file, and the focus follows each step', async () => {
    const { page } = opened;
    await opened.visit('import');
    await button('Choose file').waitFor();
    // The browser needs a moment until it reports a dialog instead of showing it.
    const chosen = page.waitForEvent('filechooser');
    await keyboard.go(button('Choose file'));
    await opened.settled();
    await page.keyboard.press('Enter');
    const buffer = Buffer.from('username,real_name\nby.keys,By Keys\n');
    await (await chosen).setFiles({ name: 'staff.csv', mimeType: 'text/csv', buffer });
    await button('Show what would change').waitFor();
    await keyboard.go(button('Show what would change'));
    await keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'by.keys' }).waitFor();
    await button('Import 1 user').waitFor();
    await keyboard.go(button('Import 1 user'));
    await keyboard.press('Enter');
    await button('Import another file').waitFor();
    await opened.settled();
    assert.match(await page.evaluate<string>(describeFocus), /^seen/);
    await keyboard.go(button('Import another file'));
    await keyboard.press('Enter');
    await button('Choose file').waitFor();
    assert.match(await page.evaluate<string>(describeFocus), /^seen/);
  });
});
