import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsolePage, ownerName } from './console-page.ts';

describe('an address that no page of the console has', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const title = (name: string) => opened.page.getByRole('main').getByRole('heading', { level: 1, name });
  const navigation = (name: string) => opened.page.getByRole('navigation', { name });

  for (const path of ['no-such-page', 'users/3/no-such-page', 'no/such/page?search=x']) {
    test(`${path} shows a message inside the shell, whose links still work`, async () => {
      const { page } = opened;
      await opened.goTo(path);
      await title('There is no such page').waitFor();
      await opened.isTitled('There is no such page · Fieldroster');
      await navigation('Main').getByRole('link', { name: 'Users' }).waitFor();
      await page.getByRole('button', { name: `Account: ${ownerName}` }).waitFor();
      await opened.requireAccessible();
      await page.getByRole('link', { name: 'Go to the overview' }).click();
      await title('Overview').waitFor();
      assert.equal(new URL(page.url()).pathname, '/console/t/1');
      await page.goBack();
      await navigation('Main').getByRole('link', { name: 'Users' }).click();
      await title('Users').waitFor();
    });
  }

  for (const [path, page] of [
    ['no-such-page', 'There is no such page'],
    ['no/such/page?search=x', 'There is no such page'],
    ['users?search=mara', 'Users'],
  ] as const) {
    test(`${path} without a tenant is the first tenant's, inside the shell`, async () => {
      await opened.visit('');
      await opened.page.goto(`${opened.origin}/console/${path}`);
      await title(page).waitFor();
      assert.equal(opened.page.url(), `${opened.origin}/console/t/1/${path}`);
      await navigation('Main').getByRole('link', { name: 'Users' }).waitFor();
      await opened.requireAccessible();
      await opened.page.goBack();
      await title('Overview').waitFor();
    });
  }

  for (const path of ['', 'users', 'settings', 'no-such-page']) {
    test(`/t/999/${path} names the tenant as missing, and every link leads to one that exists`, async () => {
      const { page } = opened;
      await page.goto(`${opened.origin}/console/t/999/${path}`);
      await title('There is no such tenant').waitFor();
      await opened.isTitled('There is no such tenant · Fieldroster');
      await opened.requireAccessible();
      const hrefs = await page
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      assert.deepEqual(hrefs, ['#content', '/console/t/1']);
      await page.getByRole('link', { name: 'default' }).click();
      await title('Overview').waitFor();
      await navigation('Main').getByRole('link', { name: 'Users' }).click();
      await title('Users').waitFor();
    });
  }

  test('a tenant that was created meanwhile is found', async () => {
    await opened.visit('');
    const { id } = await opened.change('POST', '/tenants', { name: 'brand new' });
    await opened.page.evaluate(
      `history.pushState({}, '', '/console/t/${id}/roles'); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await title('Roles').waitFor();
    await opened.page.getByRole('combobox', { name: 'Tenant' }).waitFor();
  });

  test('an application that does not exist is named as missing, not as loading', async () => {
    await opened.visit('applications/fr0000000000000000');
    const drawer = opened.page.getByRole('dialog', { name: 'fr0000000000000000' });
    await drawer.getByText('There is no such application').waitFor();
    await opened.requireAccessible();
  });

  test('a store that does not exist is named as missing, not as a failure', async () => {
    await opened.visit('stores/NOPE');
    const drawer = opened.page.getByRole('dialog', { name: 'NOPE' });
    await drawer.getByText('There is no such store').waitFor();
    assert.equal(await drawer.getByRole('button', { name: 'Try again' }).count(), 0);
    await opened.requireAccessible();
    // The answer's status is an error, which the browser reports.
    opened.expectReports(404);
  });

  test('the address of a user without a number says that there is no such user', async () => {
    await opened.visit('users/abc');
    const drawer = opened.page.getByRole('dialog', { name: 'abc' });
    await drawer.getByText('There is no such user').waitFor();
    await opened.requireAccessible();
  });

  for (const [path, shown, address] of [
    ['users?role=99999999999999999999999', '80 users', 'users'],
    ['users?role=9223372036854775808&status=disabled', '1 user', 'users?status=disabled'],
    ['users?org=99999999999999999999', '80 users', 'users'],
    ['audit?user=99999999999999999999', 'Loaded the sample directory', 'audit'],
    ['move-stores?from=99999999999999999999', 'Choose the representative', 'move-stores'],
    ['import?of=nothing', 'Drop a CSV file', 'import'],
    ['?range=year', 'Last hour', ''],
  ] as const)
    test(`${path} drops the part that is not valid from the page and from the address`, async () => {
      const { page } = opened;
      await opened.goTo(path);
      await page.getByRole('main').getByText(shown).first().waitFor();
      await page.waitForURL(`${opened.origin}/console/t/1${address.replace(/^(?=\w)/, '/')}`);
      assert.equal(await page.getByRole('button', { name: 'Clear filters' }).count(), 0);
    });

  test('the address of a user beyond 64 bits says that there is no such user', async () => {
    await opened.visit('users/9223372036854775808');
    await opened.page.getByRole('dialog').getByText('There is no such user').waitFor();
  });

  test('an id that JavaScript would round is asked for exactly', async () => {
    const { page } = opened;
    await opened.goTo('users?org=9007199254740993');
    await page.getByText('No organization has ID 9007199254740993').waitFor();
    assert.equal(page.url(), `${opened.origin}/console/t/1/users?org=9007199254740993`);
    // The browser reports each call that was refused.
    await opened.settled();
    opened.expectReports(404);
  });

  test('it is in the language of the reader', async () => {
    const { page } = opened;
    await opened.goTo('no-such-page');
    await page.getByRole('button', { name: `Account: ${ownerName}` }).click();
    await page.getByRole('menuitemradio', { name: '简体中文' }).click();
    await title('没有这个页面').waitFor();
    await page.getByRole('link', { name: '前往总览' }).click();
    await title('总览').waitFor();
  });

  test('a visitor signs in first, and then gets the message', async () => {
    const context = await opened.page.context().browser()?.newContext({ locale: 'en-GB' });
    assert(context !== undefined);
    const visitor = await context.newPage();
    await visitor.goto(`${opened.origin}/console/t/1/no-such-page`);
    await visitor.getByRole('button', { name: 'Sign in' }).waitFor();
    assert.match(visitor.url(), /\/sign-in\?next=/);
    await context.close();
  });
});
