import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Route } from 'playwright-core';
import { ConsolePage } from './console-page.ts';

describe('the lists and the header of the console', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const row = (name: string) => opened.page.getByRole('row').filter({ hasText: name });
  const drawer = () => opened.page.getByRole('dialog');
  const actionsOf = (name: string) => opened.page.getByRole('button', { name: `More: ${name}` });
  const opacityOf = (name: string) =>
    actionsOf(name).evaluate(
      (button) =>
        button.ownerDocument.defaultView.getComputedStyle(button.closest('[data-row-actions]')).opacity,
    );

  test('the line above the users counts all of them, and leads to those without a store', async () => {
    const { page } = opened;
    await opened.visit('users');
    const status = page.getByRole('main').getByRole('status');
    await status.filter({ hasText: /^80 users$/ }).waitFor();
    const lacking = page.getByRole('link', { name: /^\d+ without a store$/ });
    const count = Number.parseInt(await lacking.innerText(), 10);
    await lacking.click();
    await page.waitForURL(/users\?missing=store$/);
    await status.filter({ hasText: new RegExp(`^${count} users$`) }).waitFor();
    await row('Mara Okafor').waitFor({ state: 'detached' });
    assert.equal(await lacking.count(), 0, 'the number is about all users');
    await page.getByRole('searchbox', { name: 'Search users' }).fill('no such person');
    await page.getByText('No user matches').waitFor();
  });

  test('a total that the loaded rows do not show comes from the server, and says if it is not all', async () => {
    const { page } = opened;
    const status = page.getByRole('main').getByRole('status');
    const more = { users: [], next_cursor: 'more' };
    await page.route('**/find-users?*', async (route) => {
      const { data } = await (await route.fetch()).json();
      await route.fulfill({ json: { code: 0, message: '', data: { ...more, users: data.users } } });
    });
    for (const [counted, text, rows] of [
      [{ users: 12_408, is_more: false }, /^12,408 users$/, 12_409],
      [{ users: 10_000, is_more: true }, /^10,000\+ users$/, -1],
    ] as const) {
      await page.route('**/count-users*', (route) =>
        route.fulfill({ json: { code: 0, message: '', data: counted } }),
      );
      await opened.goTo('users');
      await status.filter({ hasText: text }).waitFor();
      // A screen reader says it as the number of rows; -1 if nobody knows it.
      await page.locator(`table[aria-rowcount="${rows}"]`).waitFor();
      await page.unroute('**/count-users*');
    }
    await page.goto('about:blank');
    await page.unroute('**/find-users?*');
  });

  test('the line above the stores counts them, and leads to those that nobody looks after', async () => {
    const { page } = opened;
    await opened.goTo('stores');
    const status = page.getByRole('main').getByRole('status');
    await status.filter({ hasText: /^40 stores$/ }).waitFor();
    assert.equal(await page.getByRole('link', { name: /without a representative/ }).count(), 0);
    await opened.change('POST', '/tenants/1/store', { code: 'X-1', name: 'Lonely kiosk' });
    await opened.goTo('stores');
    await status.filter({ hasText: /^41 stores$/ }).waitFor();
    await page.getByRole('link', { name: '1 without a representative' }).click();
    await status.filter({ hasText: /^1 store$/ }).waitFor();
    assert(await page.getByRole('switch', { name: 'Without a representative' }).isChecked());
    await opened.visit('users/80');
    await drawer().getByRole('tab', { name: 'Stores' }).click();
    await drawer().getByRole('combobox', { name: 'Code, name or address of a store' }).fill('lonely');
    await page.getByRole('option', { name: /X-1/ }).click();
    await drawer().getByRole('button', { name: 'Assign store' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await opened.visit('stores');
    await status.filter({ hasText: /^41 stores$/ }).waitFor();
    await opened.settled();
    assert.equal(await page.getByRole('link', { name: /without a representative/ }).count(), 0);
    await undo.click();
    await page.getByRole('link', { name: '1 without a representative' }).waitFor();
  });

  test('each user has the number of their stores, which follows an assignment', async () => {
    const { page } = opened;
    await opened.visit('users');
    const cells = row('Mara Okafor').getByRole('cell');
    await cells.first().waitFor();
    const titles = await page.getByRole('columnheader').allInnerTexts();
    const cell = cells.nth(titles.indexOf('Stores'));
    assert.equal(await cell.innerText(), '14');
    const { textAlign, fontVariantNumeric } = await cell.evaluate((element) => {
      const { textAlign, fontVariantNumeric } = element.ownerDocument.defaultView.getComputedStyle(element);
      return { textAlign, fontVariantNumeric };
    });
    assert.deepEqual(
      { textAlign, fontVariantNumeric },
      { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
    );
    await row('Mara Okafor').click();
    await drawer().getByRole('tab', { name: 'Stores' }).click();
    await drawer().getByRole('button', { name: 'Unassign N-003' }).click();
    await cell.filter({ hasText: /^13$/ }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await cell.filter({ hasText: /^14$/ }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('the button that unassigns a store shows that it is at work, and no other button does', async () => {
    const { page } = opened;
    await opened.visit('users');
    await row('Mara Okafor').click();
    await drawer().getByRole('tab', { name: 'Stores' }).click();
    const held = Promise.withResolvers<Route>();
    const unassigning = /user\/store\?/;
    await page.route(unassigning, (route) =>
      route.request().method() === 'DELETE' ? held.resolve(route) : route.continue(),
    );
    const pressed = drawer().getByRole('button', { name: 'Unassign N-003' });
    await pressed.click();
    const route = await held.promise;
    const working = drawer().locator('button[data-loading]');
    await working.waitFor();
    assert.equal(await working.getAttribute('aria-label'), 'Unassign N-003');
    assert.equal(await drawer().getByRole('button', { name: 'Unassign N-004' }).isDisabled(), true);
    await route.continue();
    await pressed.waitFor({ state: 'detached' });
    await page.unroute(unassigning);
    await page.getByRole('button', { name: 'Undo' }).click();
    await pressed.waitFor();
    assert.equal(await working.count(), 0);
    await page.keyboard.press('Escape');
  });

  test('the columns of the users fit beside each other at a desk', async () => {
    const { page } = opened;
    await opened.visit('users');
    await row('Mara Okafor').waitFor();
    const frame = page.locator('table').locator('..');
    // Some systems show a scroll bar of this width beside the rows.
    await page.setViewportSize({ width: 1280 - 15, height: 800 });
    await opened.settled();
    const isCut = await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    await page.setViewportSize({ width: 1280, height: 800 });
    assert.equal(isCut, false);
  });

  test('the Tab key reaches one row of a list, wherever it is scrolled to', async () => {
    const { page } = opened;
    await opened.visit('users');
    await row('Mara Okafor').and(page.locator('[tabindex="0"]')).waitFor();
    const frame = page.locator('table').locator('..');
    await frame.evaluate((element) => element.scrollTo(0, 1500));
    await row('Mara Okafor').waitFor({ state: 'detached' });
    await opened.settled();
    const stop = page.locator('tbody tr[tabindex="0"]');
    assert.equal(await stop.count(), 1);
    const scrolled = await frame.evaluate((element) => element.scrollTop);
    await stop.focus();
    await opened.settled();
    assert.ok(scrolled - (await frame.evaluate((element) => element.scrollTop)) < 80, 'it is in view');
    // The console would show the list as it was left.
    await page.keyboard.press('Home');
    await page.locator('tr:focus', { hasText: 'Mara Okafor' }).waitFor();
  });

  test('a name that does not fit is cut at its end in either writing direction, and a tooltip shows it in full', async () => {
    const { page } = opened;
    const name = 'محمد عبد الرحمن عبد العزيز بن خليفة الهاشمي القحطاني';
    await opened.change('POST', '/tenants/1/user', {
      username: 'rtl',
      password: 'a long passphrase',
      real_name: name,
    });
    await opened.visit('users?search=rtl');
    const cell = row('rtl').getByRole('cell').nth(1);
    const shown = cell.getByText(name);
    await shown.hover();
    assert.equal(await shown.getAttribute('title'), name);
    const style = await shown.evaluate((element) => {
      const { direction, textAlign } = element.ownerDocument.defaultView.getComputedStyle(element);
      return { direction, textAlign };
    });
    assert.deepEqual(style, { direction: 'rtl', textAlign: 'left' });
    const values = await row('rtl').getByRole('cell').allInnerTexts();
    const titles = await page.getByRole('columnheader').allInnerTexts();
    for (const title of ['Role', 'Organization', 'Stores', 'Phone'])
      assert.equal(values[titles.indexOf(title)], '–', title);
  });

  test('the menu of the account says which language and which theme are chosen', async () => {
    const { page } = opened;
    await opened.visit('roles');
    const chosen = page.getByRole('menuitemradio', { checked: true });
    const open = () => page.getByRole('button', { name: /^MO Account: / }).click();
    await open();
    await chosen.first().waitFor();
    assert.deepEqual(await chosen.allInnerTexts(), ['English', 'Same as the system']);
    await opened.requireAccessible();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
    await open();
    await chosen.first().waitFor();
    assert.deepEqual(await chosen.allInnerTexts(), ['English', 'Dark']);
    await page.getByRole('menuitemradio', { name: 'Same as the system' }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

  test('rows become dense by a switch that the browser remembers', async () => {
    const { page } = opened;
    await opened.visit('stores');
    const height = async () => (await page.locator('tbody tr').first().boundingBox())?.height;
    await row('N-001').waitFor();
    assert.equal(await height(), 40);
    await page.getByRole('button', { name: /Account: / }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Dense rows' }).click();
    await page.keyboard.press('Escape');
    await opened.settled();
    assert.equal(await height(), 36);
    await opened.goTo('users');
    await row('Mara Okafor').waitFor();
    assert.equal(await height(), 36, 'also where a row has two lines');
    const isCut = await row('Mara Okafor').evaluate((element) =>
      [...element.querySelectorAll('td')].some((cell) => cell.scrollHeight > cell.clientHeight + 1),
    );
    assert.equal(isCut, false, 'both lines are whole');
    await opened.requireAccessible();
    await page.getByRole('button', { name: /Account: / }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Dense rows' }).click();
    await page.keyboard.press('Escape');
    await opened.settled();
    assert.equal(await height(), 40);
  });

  test('the actions of an organization show when it is pointed at or has the focus', async () => {
    const { page } = opened;
    await opened.visit('orgs');
    await page.mouse.move(0, 0);
    assert.equal(await opacityOf('North region'), '0');
    await page.getByRole('main').getByText('North region').hover();
    assert.equal(await opacityOf('North region'), '1');
  });

  test('the actions of a row show when it is pointed at or has the focus, and the keyboard reaches them', async () => {
    const { page } = opened;
    await opened.goTo('users');
    await row('Mara Okafor').waitFor();
    await page.mouse.move(0, 0);
    assert.deepEqual([await opacityOf('Mara Okafor'), await opacityOf('Jun Tanaka')], ['0', '0']);
    await row('Jun Tanaka').hover();
    assert.deepEqual([await opacityOf('Mara Okafor'), await opacityOf('Jun Tanaka')], ['0', '1']);
    await page.mouse.move(0, 0);
    await row('Mara Okafor').focus();
    assert.deepEqual([await opacityOf('Mara Okafor'), await opacityOf('Jun Tanaka')], ['1', '0']);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    assert.equal(await actionsOf('Mara Okafor').evaluate((button) => button.matches(':focus')), true);
    await page.keyboard.press('Enter');
    const disable = page.getByRole('menuitem', { name: 'Disable user' });
    // The menu takes the focus a moment after it shows, and with it perhaps its first item.
    await page.locator('[role=menu]:focus-within').waitFor();
    for (let presses = 0; presses < 2; presses++) {
      if (await disable.evaluate((one) => one.matches(':focus'))) break;
      await page.keyboard.press('ArrowDown');
    }
    await disable.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Mara Okafor is disabled').waitFor();
    await row('Mara Okafor').getByText('Disabled').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Mara Okafor').getByText('Active').waitFor();
  });

  for (const [path, name] of [
    ['users', 'Mara Okafor'],
    ['stores', 'Harbour Foods Pier Street'],
    ['roles', 'Team leader'],
  ] as const) {
    test(`in the list of ${path}, the focus ring around the actions of a row is not cut off`, async () => {
      const { page } = opened;
      await opened.visit(path);
      await row(name).focus();
      await page.keyboard.press('Tab');
      await actionsOf(name).focus();
      const cutBy = await actionsOf(name).evaluate((button) => {
        const styleOf = (element: typeof button) =>
          element.ownerDocument.defaultView.getComputedStyle(element);
        const { outlineStyle, outlineWidth, outlineOffset } = styleOf(button);
        const ring = Number.parseInt(outlineWidth, 10) + Number.parseInt(outlineOffset, 10);
        const { left, right, top, bottom } = button.getBoundingClientRect();
        const cutting = [outlineStyle];
        for (let around = button.parentElement; around !== null; around = around.parentElement) {
          const edge = around.getBoundingClientRect();
          const isInside =
            left - ring >= edge.left &&
            right + ring <= edge.right &&
            top - ring >= edge.top &&
            bottom + ring <= edge.bottom;
          if (!isInside && styleOf(around).overflowX !== 'visible') cutting.push(around.tagName);
        }
        return cutting;
      });
      assert.deepEqual(cutBy, ['solid']);
    });
  }

  test('forced colours show what is chosen', async () => {
    const { page } = opened;
    const shot = async (control: Locator) => {
      await page.mouse.move(0, 0);
      await page.evaluate('document.activeElement.blur()');
      await opened.settled();
      return (await control.screenshot()).toString('base64');
    };
    /** Asserts that a control looks different once something is done to it. */
    const isSeen = async (control: Locator, act: () => Promise<void>) => {
      const before = await shot(control);
      await act();
      assert.notEqual(await shot(control), before);
    };
    await page.emulateMedia({ forcedColors: 'active' });
    await opened.visit('users');
    const box = page.getByRole('checkbox', { name: 'Select Jun Tanaka' });
    await isSeen(box, () => box.check());
    await opened.visit('stores');
    const lonely = page.getByRole('switch', { name: 'Without a representative' });
    await isSeen(lonely, () => lonely.check());
    await opened.visit('');
    const last = page.getByRole('radiogroup').filter({ hasText: 'Last week' });
    await isSeen(last, () => last.getByText('Last week').click());
    await opened.visit('users/3');
    const tab = (selected: boolean) => drawer().getByRole('tab', { selected }).first();
    await tab(true).waitFor();
    const line = 'border-bottom-color';
    assert.notEqual(await styleOf(tab(true), line), await styleOf(tab(false), line));
    const dot = drawer().getByText('Active', { exact: true }).locator('xpath=preceding-sibling::*');
    assert.notEqual(await styleOf(dot, 'background-color'), await styleOf(drawer(), 'background-color'));
    await opened.visit('applications');
    await page.getByRole('button', { name: 'Issue application' }).click();
    const scope = drawer().getByRole('radio').last();
    await isSeen(scope, () => scope.check());
    for (const edge of ['top', 'left'])
      assert.equal(await styleOf(drawer(), `border-${edge}-style`), 'solid');
    await page.keyboard.press('Escape');
    await opened.visit('move-stores?from=3');
    const move = page.getByRole('main').getByRole('button', { name: 'Move stores' });
    await move.and(page.locator('[data-disabled]')).waitFor();
    const placeholder = page.getByRole('combobox', { name: 'From' });
    assert.notEqual(await styleOf(move, 'color'), await styleOf(placeholder, 'color'));
    await page.emulateMedia({ forcedColors: null });
  });

  test('the actions of a row stay in view on a touch screen', async () => {
    const { page } = opened;
    const browser = page.context().browser();
    const touch = await browser?.newContext({
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
    });
    assert(touch !== undefined);
    await touch.addCookies(await page.context().cookies());
    const phone = await touch.newPage();
    await phone.goto(`${opened.origin}/console/t/1/users`);
    const button = phone.getByRole('button', { name: 'More: Mara Okafor' });
    await button.waitFor();
    assert.equal(
      await button.evaluate(
        (one) => one.ownerDocument.defaultView.getComputedStyle(one.closest('td')).opacity,
      ),
      '1',
    );
    await button.tap();
    await phone.getByRole('menuitem', { name: 'Show as a full page' }).tap();
    await phone.getByRole('dialog').getByRole('heading', { name: 'Mara Okafor' }).waitFor();
    await touch.close();
  });

  test('a full page has an address to reload and share, and Back leads to the list as it was', async () => {
    const { page } = opened;
    await opened.goTo('users?status=active');
    await row('Mara Okafor').waitFor();
    const frame = page.locator('table').locator('..');
    await frame.evaluate((element) => element.scrollTo(0, 1500));
    // The rows from before the scrolling would go while the pointer is on its way to them.
    await opened.settled();
    const found = page.locator('tbody tr').nth(20);
    const person = (await found.locator('td').nth(1).innerText()).split('\n')[0] ?? '';
    await row(person).hover();
    await actionsOf(person).click();
    // The pointer may have scrolled the row into view.
    const scrolled = await frame.evaluate((element) => element.scrollTop);
    assert.ok(scrolled > 200, `${scrolled}`);
    await page.getByRole('menuitem', { name: 'Show as a full page' }).click();
    await page.waitForURL(/users\/\d+\?status=active&view=page$/);
    await drawer().getByRole('heading', { name: person }).waitFor();
    await opened.isTitled(`${person} · Fieldroster`);
    assert.equal(await page.locator('#content').evaluate((element) => element.matches('[inert]')), true);
    await page.goBack();
    await drawer().waitFor({ state: 'detached' });
    assert.match(page.url(), /users\?status=active$/);
    assert.equal(await frame.evaluate((element) => element.scrollTop), scrolled);
    await opened.isTitled('Users · Fieldroster');
    await page.goForward();
    await drawer().getByRole('heading', { name: person }).waitFor();
    await page.reload();
    await drawer().getByRole('button', { name: 'Show beside the list' }).waitFor();
    await drawer().getByRole('heading', { name: person }).waitFor();
    await opened.requireAccessible();
    await page.goBack();
    // The list is there behind the full page too.
    await drawer().waitFor({ state: 'detached' });
    await row(person).waitFor();
    await opened.settled();
    assert.equal(await frame.evaluate((element) => element.scrollTop), scrolled, 'after a reload too');
  });

  test('a store has a full page too, which closes to the list with its filters', async () => {
    const { page } = opened;
    await opened.visit('stores?search=harbour');
    await row('N-001').click();
    await drawer().getByRole('button', { name: 'Show as a full page' }).click();
    await page.waitForURL(/stores\/N-001\?search=harbour&view=page$/);
    await page.reload();
    await drawer().getByRole('heading', { name: 'Harbour Foods Pier Street' }).waitFor();
    await drawer().getByRole('button', { name: 'Show beside the list' }).waitFor();
    await drawer().getByRole('button', { name: 'Close' }).click();
    await page.waitForURL(/stores\?search=harbour$/);
    await row('N-001').waitFor();
  });

  test('two versions of a user are compared in the words of the form', async () => {
    const { page } = opened;
    await opened.visit('users/5');
    await drawer().getByLabel('Nickname').fill('Mine');
    await drawer().getByRole('combobox', { name: 'Gender' }).click();
    await page.getByRole('option', { name: 'Female', exact: true }).click();
    await opened.change('PUT', '/tenants/1/user', { id: 5, nickname: 'Theirs', gender: 1 });
    await drawer().getByRole('button', { name: 'Save changes' }).click();
    const conflict = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this user' });
    await conflict.getByRole('row').nth(2).waitFor();
    assert.deepEqual(
      (await conflict.getByRole('row').allInnerTexts()).map((line) => line.split('\t')),
      [
        ['', 'Yours', 'Theirs'],
        ['Nickname', 'Mine', 'Theirs'],
        ['Gender', 'Female', 'Male'],
      ],
    );
    await opened.requireAccessible();
    await conflict.getByRole('button', { name: 'Take theirs' }).click();
    await conflict.waitFor({ state: 'detached' });
    // The answer's status is an error, which the browser reports.
    opened.expectReports(409);
  });

  test('the keyboard goes back to the row when its drawer is closed from within', async () => {
    const { page } = opened;
    await opened.visit('users');
    await row('Jun Tanaka').focus();
    await page.keyboard.press('Enter');
    await drawer().getByLabel('Nickname').focus();
    await page.keyboard.press('Escape');
    await drawer().waitFor({ state: 'detached' });
    await page.locator('tr:focus', { hasText: 'Jun Tanaka' }).waitFor();
  });

  test('the help menu has the shortcuts, the reference and the release', async () => {
    const { page } = opened;
    await opened.visit('users');
    await row('Mara Okafor').waitFor();
    await page.getByRole('button', { name: 'Help' }).click();
    const link = page.getByRole('menuitem', { name: 'Interface reference' });
    const address = await link.evaluate((element) => element.href);
    assert.equal((await page.request.get(address)).status(), 200);
    assert.match(new URL(address).pathname, /\/docs$/);
    const { data } = await (await page.request.get(`${opened.origin}/console/api/session`)).json();
    await page.getByText(`Fieldroster ${data.release}`).waitFor();
    await opened.requireAccessible();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await opened.requireAccessible();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('a question mark shows the shortcuts, except in a field', async () => {
    const { page } = opened;
    await opened.visit('users');
    await row('Mara Okafor').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row('Mara Okafor').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('?');
    await page.waitForURL(/search=/);
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  test('a list says how long ago, although the clock of the browser is ten minutes wrong', async () => {
    const { page } = opened;
    const browser = page.context().browser();
    assert(browser !== null);
    await opened.change('PUT', '/tenants/1/user', { id: 4, nickname: 'changed now' });
    for (const minutes of [-10, 10]) {
      const context = await browser.newContext({
        locale: 'en-GB',
        storageState: await page.context().storageState(),
      });
      await context.clock.install({ time: Date.now() + minutes * 60_000 });
      const elsewhere = await context.newPage();
      await elsewhere.goto(`${opened.origin}/console/t/1/users/4`);
      await elsewhere.getByRole('dialog').getByRole('tab', { name: 'History' }).click();
      const time = elsewhere.getByRole('dialog').locator('time').first();
      assert.match(await time.innerText(), /^(now|\d+ sec ago|[1-5] min ago)$/);
      await context.clock.runFor(30 * 60_000);
      await time.filter({ hasText: /^3\d min ago$/ }).waitFor();
      await context.close();
    }
  });

  test('a slash leaves the focus in a dialog', async () => {
    const { page } = opened;
    await opened.visit('users');
    await page.getByRole('button', { name: 'Add user' }).click();
    const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
    // The dialog takes the focus a moment after it shows.
    await page.locator('[role=dialog]:focus-within').waitFor();
    await cancel.focus();
    await page.keyboard.press('/');
    assert.equal(await cancel.evaluate((element) => element.matches(':focus')), true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('the deletion of a user says how many stores it unassigns', async () => {
    const { page } = opened;
    await opened.visit('users/3?tab=stores');
    await drawer().getByRole('button', { name: 'Delete user' }).click();
    const help = page.getByText(
      /^Deleting .+ removes the profile and every assignment; \d+ stores lose this representative\./,
    );
    await help.waitFor();
    await page.keyboard.press('Escape');
  });

  test('a name with two spaces in a row is shown as it must be typed', async () => {
    const { page } = opened;
    await opened.change('POST', '/tenants/1/role', { name: 'Two  spaces' });
    await opened.goTo('roles');
    await actionsOf('Two spaces').click();
    await page.getByRole('menuitem', { name: 'Delete role' }).click();
    assert.equal(await drawer().locator('label').innerText(), 'Type Two  spaces to confirm');
    await page.keyboard.press('Escape');
  });

  test('a role whose name has a line break and a tab is deleted by typing spaces for them', async () => {
    const { page } = opened;
    await opened.change('POST', '/tenants/1/role', { name: 'Broken\nline\tname' });
    await opened.goTo('roles');
    await actionsOf('Broken line name').click();
    await page.getByRole('menuitem', { name: 'Delete role' }).click();
    await drawer()
      .getByLabel(/^Type Broken/)
      .fill('Broken line name');
    await drawer().getByRole('button', { name: 'Delete role' }).click();
    await page.getByRole('row').filter({ hasText: 'Broken' }).waitFor({ state: 'detached' });
  });

  test('a deletion says how many users it unassigns', async () => {
    const { page } = opened;
    await opened.visit('roles');
    await actionsOf('Team leader').click();
    await page.getByRole('menuitem', { name: 'Delete role' }).click();
    const leaders = await numberOf('role_id', 'Team leader', '/tenants/1/roles', 'roles');
    await drawer()
      .getByText(`Deleting Team leader unassigns ${leaders} people. This cannot be undone.`)
      .waitFor();
    await page.keyboard.press('Escape');
    await opened.visit('orgs');
    await actionsOf('Harbour team').click();
    await page.getByRole('menuitem', { name: 'Delete organization' }).click();
    const members = await numberOf('org_id', 'Harbour team', '/tenants/1/orgs', 'orgs');
    await drawer()
      .getByText(`Deleting Harbour team unassigns ${members} people. This cannot be undone.`)
      .waitFor();
    await page.keyboard.press('Escape');
    await opened.visit('stores/X-1');
    await drawer().getByRole('button', { name: 'Delete store' }).click();
    await page.getByText('Nobody is assigned to X-1. Deleting it cannot be undone.').waitFor();
  });

  /** Returns how many users the signed list has for a role or an organization, found by its name. */
  async function numberOf(filter: string, name: string, path: string, entries: string): Promise<number> {
    const api = `${opened.origin}/console/api`;
    const { data } = await (await opened.page.request.get(`${api}${path}`)).json();
    const { id } = data[entries].find((entry: { name: string }) => entry.name === name);
    const listed = await opened.page.request.get(`${api}/tenants/1/users?limit=500&${filter}=${id}`);
    return (await listed.json()).data.users.length;
  }
});

/** Returns the value of a style as the browser uses it. */
function styleOf(part: Locator, name: string): Promise<string> {
  return part.evaluate(
    (element, property) =>
      element.ownerDocument.defaultView.getComputedStyle(element).getPropertyValue(property),
    name,
  );
}
