import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConsolePage, ownerName } from './console-page.ts';

describe('unsaved text in a profile', () => {
  let opened: ConsolePage;

  beforeEach(async () => {
    opened = await ConsolePage.open();
    await opened.goTo('users/5');
  });

  afterEach(() => opened?.close());

  const drawer = () => opened.page.getByRole('dialog').first();
  const nickname = () => drawer().getByLabel('Nickname');
  const question = () => opened.page.getByRole('dialog', { name: 'Discard your changes?' });
  const button = (name: string) => opened.page.getByRole('button', { name, exact: true });
  const titled = (name: string) => opened.page.getByRole('heading', { name, exact: true }).waitFor();

  async function signOut(name: 'Sign out' | 'Sign out everywhere' = 'Sign out'): Promise<void> {
    await opened.page.getByRole('button', { name: `Account: ${ownerName}` }).focus();
    await opened.page.keyboard.press('Enter');
    await opened.page.getByRole('menuitem', { name, exact: true }).click();
  }

  for (const way of ['Sign out', 'Sign out everywhere'] as const)
    test(`${way} asks first, and ends the session only then`, async () => {
      await nickname().fill('typed');
      await signOut(way);
      await question().waitFor();
      await opened.requireAccessible();
      await button('Keep editing').click();
      await question().waitFor({ state: 'detached' });
      assert.equal(await nickname().inputValue(), 'typed');
      await opened.change('POST', '/tenants/1/store', { code: 'S-1', name: 'The session goes on' });
      await signOut(way);
      await button('Discard changes').click();
      await titled('Sign in');
      await opened.settled();
      assert.deepEqual(await opened.page.context().cookies(), []);
      assert.equal(await opened.page.getByRole('dialog').count(), 0);
    });

  test('without any, signing out asks nothing', async () => {
    await nickname().waitFor();
    await signOut();
    await titled('Sign in');
  });

  test('it is asked for before the page goes on to a user who was just added', async () => {
    const { page } = opened;
    await nickname().fill('typed');
    await button('Add user').focus();
    await page.keyboard.press('Enter');
    const adding = page.getByRole('dialog', { name: 'Add user' });
    const add = async (username: string) => {
      await adding.getByLabel('Username').fill(username);
      await adding.getByRole('textbox', { name: 'Password' }).fill('bicycles never end');
      await adding.getByRole('button', { name: 'Add user' }).click();
      await page.getByText(`${username} added`).waitFor();
    };
    await add('one.more');
    await question().waitFor();
    await button('Keep editing').click();
    assert.equal(await nickname().inputValue(), 'typed');
    await adding.waitFor({ state: 'detached' });
    assert.match(page.url(), /users\/5$/);
    await nickname().fill('');
    await button('Add user').focus();
    await page.keyboard.press('Enter');
    await add('and.one.more');
    await page.getByRole('heading', { name: /^and\.one\.more/ }).waitFor();
    assert.equal(await question().count(), 0);
  });

  test('while it is being saved, the question says so, on another tab of the drawer too', async () => {
    const { page } = opened;
    const [sent, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/tenants/1/user', async (route) => {
      sent.resolve();
      await asked.promise;
      await route.continue();
    });
    const leaving = page.getByRole('dialog', { name: 'Leave while this is being saved?' });
    await nickname().fill('typed');
    await button('Save changes').click();
    await sent.promise;
    for (const tab of ['Profile', 'Stores']) {
      await drawer().getByRole('tab', { name: tab }).click();
      await drawer().getByRole('button', { name: 'Close' }).click();
      await leaving.waitFor();
      await button('Stay').click();
      await leaving.waitFor({ state: 'detached' });
    }
    asked.resolve();
    await page.getByText('Saved', { exact: true }).waitFor();
    await drawer().getByRole('button', { name: 'Close' }).click();
    await drawer().waitFor({ state: 'detached' });
  });
});
