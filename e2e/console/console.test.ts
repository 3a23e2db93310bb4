import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';
import { createAccount } from './create-account.ts';
import { countKeptImports, keepImport } from './kept-imports.ts';

describe('the console in a browser', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.openByLink();
  });

  after(() => opened?.close());

  const row = (name: string) => opened.page.getByRole('row').filter({ hasText: name });
  const drawer = () => opened.page.getByRole('dialog');
  const hasFocus = (element: Locator) => element.and(opened.page.locator(':focus')).waitFor();

  test('the first link works once, and shows the people of the sample', async () => {
    await opened.visit('users');
    await row('Mara Okafor').waitFor();
    await opened.requireAccessible();
    const other = await opened.page.context().newPage();
    await other.goto(opened.firstLink);
    await other.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await other.close();
  });

  test('typing a search narrows the list, and the address keeps the search', async () => {
    const { page } = opened;
    await opened.visit('users');
    await row('Mara Okafor').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('tanaka');
    await row('Mara Okafor').waitFor({ state: 'detached' });
    await row('Jun Tanaka').waitFor();
    await page.waitForURL(/search=tanaka/);
    await page.getByText('1 user', { exact: true }).waitFor();
    await page.reload();
    await row('Jun Tanaka').waitFor();
    assert.equal(await page.getByRole('row').count(), 2, 'the heading and one user');
  });

  test('the keyboard moves through the list and opens a user with an address to share', async () => {
    const { page } = opened;
    await opened.visit('users');
    await row('Mara Okafor').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await drawer().getByRole('heading', { name: 'Jun Tanaka' }).waitFor();
    await opened.requireAccessible();
    await page.reload();
    await drawer().getByRole('heading', { name: 'Jun Tanaka' }).waitFor();
  });

  test('a store is assigned and the change undone, and both are in the history', async () => {
    const { page } = opened;
    await opened.visit('users/80');
    await drawer().getByRole('tab', { name: 'Stores' }).click();
    // Part of the name is enough; nobody knows every code.
    await drawer().getByRole('combobox', { name: 'Code, name or address of a store' }).fill('fishermen');
    await page.getByRole('option', { name: /N-007/ }).click();
    await drawer().getByRole('button', { name: 'Assign store' }).click();
    await page.getByRole('button', { name: 'Unassign N-007' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Unassign N-007' }).waitFor({ state: 'detached' });
    await drawer().getByRole('tab', { name: 'History' }).click();
    await drawer().getByText('Unassigned a store').waitFor();
    await drawer().getByText('Assigned a store', { exact: true }).waitFor();
  });

  test('the stores of one user after another are seen without choosing the tab again', async () => {
    const { page } = opened;
    await opened.visit('users');
    await row('Mara Okafor').click();
    await drawer().getByRole('tab', { name: 'Stores' }).click();
    // The drawer is in front of the other columns.
    await row('Jun Tanaka').getByText('Jun Tanaka').click();
    await drawer().getByRole('heading', { name: 'Jun Tanaka' }).waitFor();
    await drawer().getByText('Three Bridges Market').waitFor();
    await page.keyboard.press('Escape');
    await drawer().waitFor({ state: 'detached' });
    await row('Jun Tanaka').click();
    await drawer().getByRole('tab', { name: 'Profile', selected: true }).waitFor();
  });

  test('a store deleted in the meantime is refused with a reason, and the choice is not lost', async () => {
    const { page } = opened;
    await opened.change('POST', '/tenants/1/store', { code: 'X-1', name: 'Short-lived kiosk' });
    await opened.visit('users/80');
    await drawer().getByRole('tab', { name: 'Stores' }).click();
    const field = drawer().getByRole('combobox', { name: 'Code, name or address of a store' });
    await field.fill('no such store');
    await page.getByText('No store matches').waitFor();
    await field.fill('short-lived');
    await page.getByRole('option', { name: /X-1/ }).click();
    await opened.change('DELETE', '/tenants/1/store?code=X-1');
    await drawer().getByRole('button', { name: 'Assign store' }).click();
    await page.getByRole('alert').filter({ hasText: 'There is no such store' }).waitFor();
    assert.equal(await field.inputValue(), 'Short-lived kiosk (X-1)');
    // The answer's status is an error, which the browser reports.
    opened.expectReports(404);
  });

  test('a refusal is explained in the language of the reader, with the server’s sentence below', async () => {
    const { page } = opened;
    await opened.change('POST', '/tenants/1/store', { code: 'X-2', name: 'Short-lived kiosk' });
    await page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await opened.goTo('users/80');
    await drawer().getByRole('tab', { name: '门店' }).click();
    await drawer().getByRole('combobox', { name: '门店编号、名称或地址' }).fill('X-2');
    await page.getByRole('option', { name: /X-2/ }).click();
    await opened.change('DELETE', '/tenants/1/store?code=X-2');
    await drawer().getByRole('button', { name: '绑定门店' }).click();
    await page.getByText('没有这家门店，请检查编号。').waitFor();
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo('users');
    opened.expectReports(404);
  });

  test('the users of a store are listed, even when only the address names the store', async () => {
    const { page } = opened;
    await opened.visit('users?store=N-019');
    const filter = page.getByRole('combobox', { name: 'Store', exact: true });
    assert.equal(await filter.inputValue(), 'N-019', 'what narrows the list is seen above it');
    await page.getByRole('row', { name: /Amelia Hughes/ }).waitFor();
    await filter.fill('pier street');
    await page.getByRole('option', { name: 'Harbour Foods Pier Street (N-001)' }).click();
    await page.getByRole('row', { name: /Mara Okafor/ }).waitFor();
    assert.match(page.url(), /\?store=N-001$/);
  });

  test('a session that has ended asks to sign in again, and keeps unsaved text', async () => {
    const { page } = opened;
    await opened.goTo('users/4');
    await drawer().getByLabel('Nickname').fill('typed');
    await page.context().clearCookies();
    await drawer().getByRole('button', { name: 'Save changes' }).click();
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    assert.equal(await again.getByLabel('Username').inputValue(), ownerName);
    // Typed straight away, the password goes where nobody can read it.
    await again.locator('input[type="password"]:focus').waitFor();
    await page.keyboard.type(ownerPassword);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    await drawer().getByRole('heading', { name: 'Mateo Fernández' }).waitFor();
    assert.equal(await drawer().getByLabel('Nickname').inputValue(), 'typed');
    await drawer().getByLabel('Nickname').fill('');
    opened.expectReports(401);
  });

  for (const [path, name, text, found, refused] of [
    ['move-stores?from=1', 'To', 'tanaka', /Jun Tanaka/, /\/users\?/],
    ['users', 'Store', 'pier st', /Harbour Foods Pier Street/, /\/find-stores/],
    ['users', 'Organization', 'harb', /Harbour team/, /\/roles\?/],
    ['audit', 'User', 'tanaka', /Jun Tanaka/, /\/users\?/],
    ['audit', 'Operation', 'issued', 'Issued an application', /\/applications$/],
  ] as const) {
    test(`a session that has ended keeps what is typed in a field with choices: ${path}, ${name}`, async () => {
      const { page } = opened;
      const typed = Promise.withResolvers<void>();
      const noSession = { status: 401, json: { code: 1601, message: 'no session', data: null } };
      await page.route(refused, async (route) => {
        await typed.promise;
        await route.fulfill(noSession);
      });
      await opened.goTo(path);
      const field = page.getByRole('combobox', { name, exact: true });
      await field.fill(text);
      // The page asks whether its session has really ended.
      await page.route('**/api/session', (route) => route.fulfill(noSession));
      typed.resolve();
      const again = page.getByRole('dialog', { name: 'Your session has ended' });
      await again.getByRole('textbox', { name: 'Password' }).fill(ownerPassword);
      await page.unrouteAll();
      await again.getByRole('button', { name: 'Sign in' }).click();
      await again.waitFor({ state: 'detached' });
      await field.and(page.locator(':focus')).waitFor();
      assert.equal(await field.inputValue(), text);
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: found }).waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      assert.equal(await field.inputValue(), '', 'nothing was chosen');
      opened.expectReports(401);
    });
  }

  test('a tab starts over when another one signs in as somebody else, and changes nothing in that name', async () => {
    const { page } = opened;
    await opened.goTo('users/5');
    await drawer().getByLabel('Nickname').fill('typed by the owner');
    const access = { role: 'manager', all_tenants: true, tenant_ids: [] };
    const { token } = await opened.change('POST', '/operators', { ...access, password: ownerPassword });
    const other = await page.context().newPage();
    await createAccount(other, `${opened.origin}/console/link#${token}`, 'kim', 'one more long passphrase');
    await page.getByRole('button', { name: 'Account: kim' }).waitFor();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await drawer().waitFor({ state: 'detached' });
    await page.goto(`${opened.origin}/console/sign-in`);
    await page.getByLabel('Username').fill(ownerName);
    await page.getByRole('textbox', { name: 'Password' }).fill(ownerPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await other.getByRole('button', { name: `Account: ${ownerName}` }).waitFor();
    await other.close();
  });

  test('a simultaneous change is shown beside the operator’s own version', async () => {
    const { page } = opened;
    await opened.visit('users/2');
    const field = page.getByLabel('Nickname');
    await field.waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByLabel('Nickname').fill('theirs');
    await other.getByRole('button', { name: 'Save changes' }).click();
    await other.getByText('Saved').waitFor();
    await other.close();
    await field.fill('mine');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Somebody else has changed this user in the meantime').waitFor();
    await page.getByRole('cell', { name: 'theirs' }).waitFor();
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('Saved').waitFor();
    await page.getByRole('cell', { name: 'theirs' }).waitFor({ state: 'detached' });
    await opened.settled();
    await opened.change('PUT', '/tenants/1/user', { id: 2, nickname: 'theirs again' });
    await field.fill('mine again');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Somebody else has changed this user in the meantime').waitFor();
    await opened.settled();
    assert.deepEqual(await page.getByRole('row', { name: 'Nickname' }).getByRole('cell').allInnerTexts(), [
      'mine again',
      'theirs again',
    ]);
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await field.and(page.locator('[value="theirs again"]')).waitFor();
    opened.expectReports(409);
  });

  test('a profile that is saved twice in a row is no conflict with itself, however late the page learns of the first', async () => {
    const { page } = opened;
    await opened.visit('users/3');
    const field = page.getByLabel('Nickname');
    await field.fill('once');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/user-details\?/, async (route) => {
      await held;
      await route.continue();
    });
    const save = page.getByRole('button', { name: 'Save changes' });
    // The page asks once it knows that the first save is done.
    const reloads = page.waitForRequest(/\/user-details\?/);
    await save.click();
    await reloads;
    await field.fill('twice');
    const asked = page.waitForRequest((request) => request.method() === 'PUT');
    await save.click();
    release();
    assert.equal((await (await asked).response())?.status(), 200);
    await opened.settled();
    assert.equal(await drawer().getByRole('alert').count(), 0);
    await page.unrouteAll();
  });

  test('a simultaneous change that cannot be loaded is reported, and can be asked for again', async () => {
    const { page } = opened;
    await opened.visit('users/4');
    const field = page.getByLabel('Nickname');
    await field.fill('mine');
    await opened.change('PUT', '/tenants/1/user', { id: 4, nickname: 'theirs' });
    const refusal = { status: 500, json: { code: 1500, message: 'internal error' } };
    await page.route(/\/user-details\?/, (route) => route.fulfill(refusal));
    await page.getByRole('button', { name: 'Save changes' }).click();
    const retry = drawer().getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    assert.equal(await field.inputValue(), 'mine');
    await page.unrouteAll();
    await retry.click();
    await drawer().getByRole('cell', { name: 'theirs' }).waitFor();
    await drawer().getByRole('button', { name: 'Keep mine' }).click();
    await drawer().getByRole('cell', { name: 'theirs' }).waitFor({ state: 'detached' });
    await opened.settled();
    assert.equal(await drawer().getByRole('alert').count(), 0);
    opened.expectReports(409, 500);
  });

  test('a typed profile outlives a change of tabs, and is not thrown away without a question', async () => {
    const { page } = opened;
    await opened.visit('users');
    await row('Mara Okafor').click();
    const phone = drawer().getByLabel('Phone');
    await phone.fill('+44 1');
    await drawer().getByRole('tab', { name: 'Stores' }).click();
    await drawer().getByRole('tab', { name: 'Profile' }).click();
    assert.equal(await phone.inputValue(), '+44 1');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(await phone.inputValue(), '+44 1');
    await row('Jun Tanaka').click({ position: { x: 80, y: 10 } });
    await question.waitFor();
    await opened.settled();
    await opened.requireAccessible();
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await drawer().getByRole('heading', { name: 'Jun Tanaka' }).waitFor();
  });

  test('a dialog with typed text asks before Escape closes it', async () => {
    const { page } = opened;
    await opened.visit('stores');
    await page.getByRole('button', { name: 'Add store' }).click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill('Half a name');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    assert.equal(await name.inputValue(), 'Half a name');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await name.waitFor({ state: 'detached' });
  });

  test('a link says what refuses it: only an invalid one is called used or expired', async () => {
    const page = await opened.page.context().newPage();
    await page.route('**/console/api/link**', (route) =>
      route.fulfill({
        status: 403,
        json: { code: 1605, message: 'a change did not come from the console’s own page' },
      }),
    );
    await page.goto(`${opened.origin}/console/link#some-token`);
    await page.getByText('--public-url').waitFor();
    assert.equal(await page.getByText('no longer works').count(), 0);
    await page.close();
  });

  test('the address of a deleted user says so, and shows the history with names', async () => {
    const { id } = await opened.change('POST', '/tenants/1/user', {
      username: 'short.lived',
      password: 'a long password',
      real_name: 'Short Lived',
      gender: 0,
    });
    await opened.change('DELETE', `/tenants/1/user?user_id=${id}`);
    await opened.visit(`users/${id}`);
    await drawer().getByText('This user was deleted').waitFor();
    await drawer().getByText('Deleted the user').waitFor();
    await drawer().getByText(ownerName).first().waitFor();
    // The answer's status is an error, which the browser reports.
    opened.expectReports(404);
  });

  test('the focus moves to where the user continues after saving and after adding', async () => {
    const { page } = opened;
    // Loading the page removes the notices of the tests before.
    await opened.goTo('users/3');
    await page.getByLabel('Nickname').fill('N3');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved').waitFor();
    await hasFocus(page.getByRole('button', { name: 'Save changes' }));
    await opened.visit('orgs');
    await page.getByRole('button', { name: 'Add organization' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Islands');
    await page.getByRole('dialog').getByRole('button', { name: 'Add organization' }).click();
    await page.getByText('Islands added').waitFor();
    await hasFocus(page.getByRole('button', { name: 'Add organization' }));
    await opened.visit('users');
    await page.getByRole('button', { name: 'Add user' }).click();
    await page.getByRole('dialog').getByLabel('Username').fill('new.person');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill('a long password');
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click();
    await page.getByText('new.person added').waitFor();
    await hasFocus(page.locator('[role=dialog] *'));
  });

  test('an application is issued, and its secret is shown once', async () => {
    const { page } = opened;
    const { appSecret: secret } = await opened.showNewApplication('HR sync');
    assert.match(secret, /^[0-9a-f]{64}$/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await row('HR sync').waitFor();
    // It fades out with the secret in it.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await opened.settled();
    await opened.requireAccessible();
    assert.doesNotMatch(await page.content(), new RegExp(secret));
  });

  test('every page is accessible in both themes', async () => {
    const { page } = opened;
    const paths = {
      light: ['', 'stores', 'stores/N-001', 'orgs', 'roles', 'applications', 'requests', 'audit'],
      // Colours are the same for every table.
      dark: ['users/1', 'applications', 'audit'],
    };
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const path of paths[colorScheme]) {
        await opened.visit(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await opened.settled();
        await opened.requireAccessible();
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('a user has a name for screen readers before its data has arrived', async () => {
    const { page } = opened;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const query = /\/user-details\?/;
    await page.route(query, async (route) => {
      await released;
      await route.continue();
    });
    await opened.visit('users/2');
    await page.getByRole('dialog', { name: 'User 2', exact: true }).waitFor();
    await opened.requireAccessible();
    release();
    await page.getByRole('dialog', { name: 'Jun Tanaka' }).waitFor();
    await page.unroute(query);
  });

  test('markup in names is text', async () => {
    const { page } = opened;
    await opened.visit('stores');
    await page.getByRole('button', { name: 'Add store' }).click();
    await page.getByLabel('Code').last().fill('X-1');
    const name = '<img src=x onerror="document.title=1">';
    await page.getByLabel('Name').fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Add store' }).click();
    await page.getByText(`${name} added`).waitFor();
    await opened.visit('stores/X-1');
    await page.getByRole('heading', { name }).waitFor();
    await opened.isTitled('Stores · Fieldroster');
  });

  test('the chosen language is remembered', async () => {
    const { page } = opened;
    await opened.visit('users');
    await page.getByRole('button', { name: `Account: ${ownerName}` }).click();
    await page.getByRole('menuitemradio', { name: '简体中文' }).click();
    await page.getByRole('heading', { name: '用户' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: '用户' }).waitFor();
    await page.getByRole('button', { name: `账号：${ownerName}` }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Users' }).waitFor();
  });

  test('signing out shows the sign-in, which leads back, and leaves nothing of the directory in the browser', async () => {
    const { page } = opened;
    await opened.visit('users');
    await keepImport(page);
    const [name = ''] = (await page.getByRole('row').nth(1).innerText()).match(/[\p{L}. ]{6,}/u) ?? [];
    assert.notEqual(name, '');
    await page.getByRole('button', { name: `Account: ${ownerName}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await requireNothingStored(page, [...name.split(/\s+/), ownerName]);
    await opened.goTo('orgs');
    await page.getByLabel('Username').fill(ownerName);
    await page.getByRole('textbox', { name: 'Password' }).fill('a wrong password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    // Nobody was asked for a code.
    await page.getByText('The username or the password is wrong. Correct it, then try again.').waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill(ownerPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Organizations' }).waitFor();
    opened.expectReports(401);
  });

  test('the password of the sign-in is masked, and a password manager can fill and paste it', async () => {
    const page = await opened.page.context().browser()?.newPage();
    assert.ok(page !== undefined);
    await page.goto(opened.page.url());
    const field = page.getByRole('textbox', { name: 'Password' });
    assert.equal(await field.getAttribute('type'), 'password');
    assert.equal(await field.getAttribute('autocomplete'), 'current-password');
    const paste = "new ClipboardEvent('paste', { bubbles: true, cancelable: true })";
    const isAccepted = await page.evaluate(
      `document.querySelector('[type=password]').dispatchEvent(${paste})`,
    );
    await page.close();
    assert.equal(isAccepted, true);
  });
});

/** Asserts that the browser stores none of these as a whole word, no search, no cookie and no import. */
async function requireNothingStored(page: Page, words: readonly string[]): Promise<void> {
  const texts = await page.evaluate<string>(
    '(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, await caches.keys()]))()',
  );
  assert.deepEqual(await countKeptImports(page), [0, 0]);
  assert.ok(!texts.includes('?'), texts);
  // The router's random keys may contain a short name.
  const storedWords = new Set(texts.split(/[^\p{L}\p{N}]+/u));
  for (const word of words) assert.ok(!storedWords.has(word), `${word} is in ${texts}`);
  assert.deepEqual(await page.context().cookies(), []);
}
