import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SignedClient } from '../signed-client.ts';
import { ConsolePage } from './console-page.ts';

describe('what the console tells about a change', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    using client = new SignedClient(opened.server.url, await opened.issueUsableApplication('HR sync'));
    await client.call('GET', '/user?user_id=999999');
    await opened.goTo('');
  });

  after(() => opened?.close());

  const row = (name: string) => opened.page.getByRole('row').filter({ hasText: name });
  const drawer = () => opened.page.getByRole('dialog').first();

  const notices = () => opened.page.getByRole('alert').filter({ has: opened.page.getByText('Undo') });

  /** Disables a user of the list, and waits for the notice. Returns the user's name. */
  async function disable(index: number): Promise<string> {
    const { page } = opened;
    const line = page.locator(`tbody [data-index="${index}"]`);
    const name = (await line.getByRole('cell').nth(1).innerText()).split('\n')[0] ?? '';
    await line.getByRole('button', { name: /^More: / }).click();
    await page.getByRole('menuitem', { name: 'Disable user' }).click();
    await notices()
      .filter({ hasText: `${name} is disabled` })
      .waitFor();
    return name;
  }

  /** Undoes by the notices, and waits until each is gone. */
  async function undo(names: readonly string[]): Promise<void> {
    const { page } = opened;
    for (const name of names) {
      const notice = notices().filter({ hasText: `${name} is disabled` });
      await notice.getByRole('button', { name: 'Undo' }).click();
      await notice.waitFor({ state: 'detached' });
      // Notices stay while the pointer is on one of them.
      await page.mouse.move(190, 10);
    }
  }

  test('a new notice with Undo is above the older ones, of which as many are shown as leave the navigation free', async () => {
    const { page } = opened;
    await opened.visit('users');
    const names: string[] = [];
    for (const index of [0, 1, 2, 3, 4]) {
      names.unshift(await disable(index));
      await opened.settled();
      const shown = await notices().allInnerTexts();
      const expected = names.slice(0, 3).map((name) => `${name} is disabled`);
      assert.deepEqual(
        shown.map((text) => text.split('\n')[0]),
        expected,
      );
    }
    const last = await page.getByRole('navigation').getByRole('link').last().boundingBox();
    const first = await notices().first().boundingBox();
    assert.ok(last !== null && first !== null && last.y + last.height <= first.y);
    // The oldest are there again once there is room.
    await undo(names);
  });

  test('as many notices are shown as fit, as soon as the height of the window changes', async () => {
    const { page } = opened;
    await opened.visit('users');
    const names: string[] = [];
    for (const index of [0, 1, 2]) names.unshift(await disable(index));
    for (const [height, count] of [
      [500, 1],
      [700, 2],
      [800, 3],
    ] as const) {
      await page.setViewportSize({ width: 1280, height });
      await opened.settled();
      assert.equal(await notices().count(), count, `${height} pixels high`);
    }
    await undo(names);
  });

  test('the menu of a row opens above the notices', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 800 });
    await opened.visit('users');
    const names: string[] = [];
    for (const index of [0, 1, 2]) names.unshift(await disable(index));
    await opened.settled();
    const covered = await notices().first().boundingBox();
    assert(covered !== null);
    await row('Priya Raman')
      .getByRole('button', { name: /^More: / })
      .click();
    await opened.settled();
    const item = page.getByRole('menuitem').last();
    const place = await item.boundingBox();
    assert(place !== null);
    const overlap = Math.round(place.y + place.height - covered.y);
    assert.ok(overlap > place.height / 2, `${overlap} px of the menu are where the notices are`);
    assert.ok(
      await item.evaluate((element, { x, y, width, height }) => {
        return element.contains(element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2));
      }, place),
    );
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await undo(names);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  for (const [path, label, none, all] of [
    ['users', 'Search users', /^0 users$/, /^80 users$/],
    ['stores', 'Search stores', /^0 stores$/, /^40 stores$/],
    ['requests', 'Request id', /^No failed call matches$/, /^$/],
  ] as const) {
    test(`a search that finds nothing is told in a part of the page that was there before (${path})`, async () => {
      const { page } = opened;
      await opened.visit(path);
      const status = page.getByRole('main').getByRole('status');
      await page.locator('tbody tr').first().waitFor();
      await status.filter({ hasText: all }).waitFor({ state: 'attached' });
      await status.evaluate((element) => element.setAttribute('data-before', ''));
      await page.getByRole('searchbox', { name: label }).fill('no such entry');
      // Where a notice in place of the list says the same, only a screen reader says it: the part then takes no room.
      const told = status.and(page.locator('[data-before]')).filter({ hasText: none });
      await told.waitFor({ state: 'attached' });
      await opened.requireAccessible();
      assert.equal(await status.count(), 1);
    });
  }

  test('the bar about a server that does not answer appears in a part that was there before', async () => {
    const { page } = opened;
    await opened.visit('users');
    const statuses = page.getByRole('status');
    await row('Mara Okafor').waitFor();
    await statuses.evaluateAll((all) => {
      for (const one of all) one.setAttribute('data-before', '');
    });
    await page.route('**/console/api/**', (route) => route.abort());
    await page.getByRole('searchbox', { name: 'Search users' }).fill('mara');
    await page.locator('[data-before]').filter({ hasText: 'The server does not answer' }).waitFor();
    await page.unrouteAll();
    await page.getByText('The server does not answer').waitFor({ state: 'detached' });
    for (const line of opened.complaints.splice(0)) assert.match(line, /Failed to load|ERR_/);
  });

  test('a user who is deleted is no longer selected', async () => {
    const { page } = opened;
    await opened.change('POST', '/tenants/1/user', { username: 'leaver', password: 'a long passphrase' });
    await opened.goTo('users');
    await page.getByRole('checkbox', { name: 'Select Jun Tanaka' }).check();
    await page.getByRole('searchbox', { name: 'Search users' }).fill('leaver');
    await page.getByRole('checkbox', { name: 'Select leaver' }).check();
    await page.getByText('2 selected').waitFor();
    await row('leaver').click();
    await drawer().getByRole('button', { name: 'Delete user' }).click();
    const confirmation = page.getByRole('dialog', { name: 'Delete user' });
    await confirmation.getByRole('textbox').fill('leaver');
    await confirmation.getByRole('button', { name: 'Delete user' }).click();
    await drawer().waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search users' }).fill('');
    await page.getByText('1 selected').waitFor();
  });

  test('two filters that change at the same time are both changed', async () => {
    const { page } = opened;
    await opened.goTo('users?role=1&status=active&changed=1700000000000');
    await page.getByRole('button', { name: /: remove this filter$/ }).waitFor();
    await opened.settled();
    const clearOf = (filter: string) =>
      page.getByRole('combobox', { name: filter }).locator('..').locator('button');
    const both = clearOf('Role').or(clearOf('Status'));
    assert.equal(await both.count(), 2);
    // No click of a mouse follows another one before the page has drawn the first change.
    await both.evaluateAll((buttons) => {
      for (const button of buttons) button.dispatchEvent(new Event('click', { bubbles: true }));
    });
    await page.waitForURL(/users\?changed=1700000000000$/);
  });

  test('clearing the filters of the audit empties an incomplete day too', async () => {
    const { page } = opened;
    await opened.goTo('audit?operation=update-user');
    const from = page.getByLabel('From', { exact: true });
    await from.click();
    await page.keyboard.type('12');
    await opened.settled();
    const isIncomplete = () => from.evaluate((field) => field.matches(':invalid') || field.validity.badInput);
    assert.equal(await isIncomplete(), true);
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.waitForURL(/audit$/);
    await opened.settled();
    assert.equal(await isIncomplete(), false);
  });
});
