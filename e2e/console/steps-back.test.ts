import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { ConsolePage } from './console-page.ts';

describe('a step back of the browser while something is unsaved', () => {
  let opened: ConsolePage;

  beforeEach(async () => {
    opened = await ConsolePage.open();
    await opened.goTo('stores');
  });

  afterEach(() => opened?.close());

  const dialog = (name: string) => opened.page.getByRole('dialog', { name });
  const discarding = () => dialog('Discard your changes?');
  const leaving = () => dialog('Leave while this is being saved?');
  const noDialog = () => opened.page.getByRole('dialog').first().waitFor({ state: 'detached' });
  const path = () => opened.page.evaluate<string>(`location.pathname.replace('/console/t/1/', '')`);
  const press = (button: Locator) => button.press('Enter');
  const goBack = () => opened.page.evaluate('history.back()');

  const shows = (name: string) =>
    opened.page.getByRole('main').getByRole('heading', { name, exact: true }).waitFor();

  async function follow(name: string): Promise<void> {
    await press(opened.page.getByRole('navigation').getByRole('link', { name }));
    await shows(name);
  }

  /** Holds the answers to what a page sends to a path, once the server has made the change, until the test lets go. */
  async function hold(pattern: string): Promise<() => void> {
    const held = Promise.withResolvers<void>();
    await opened.page.route(pattern, async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      const response = await route.fetch();
      await held.promise;
      await route.fulfill({ response });
    });
    return held.resolve;
  }

  /** Types into the drawer of a user, and into the form of a new user above it. */
  async function fillTwo(): Promise<Locator> {
    await opened.follow('users/5');
    await opened.page.getByLabel('Nickname').fill('typed');
    return fillNewUser();
  }

  async function fillNewUser(): Promise<Locator> {
    const { page } = opened;
    await press(page.getByRole('button', { name: 'Add user' }));
    const adding = dialog('Add user');
    await adding.getByLabel('Username').fill('one.more');
    await adding.getByRole('textbox', { name: 'Password' }).fill('bicycles never end');
    return adding;
  }

  test('the address is that of the page while the question is open, and after its form closed by itself', async () => {
    const { page } = opened;
    await follow('Roles');
    const release = await hold('**/tenants/1/role');
    await press(page.getByRole('button', { name: 'Add role' }));
    await page.getByLabel('Name').fill('Night shift');
    await page.getByLabel('Name').press('Enter');
    await goBack();
    await leaving().waitFor();
    assert.equal(await path(), 'roles');
    release();
    await leaving().waitFor({ state: 'detached' });
    await dialog('Add role').waitFor({ state: 'detached' });
    assert.equal(await path(), 'roles');
    await shows('Roles');
    await goBack();
    await shows('Stores');
    assert.equal(await path(), 'stores');
  });

  test('steps forward and back under an open question leave page and address together', async () => {
    const { page } = opened;
    await follow('Roles');
    await press(page.getByRole('button', { name: 'Add role' }));
    await page.getByLabel('Name').fill('Night shift');
    await goBack();
    await discarding().waitFor();
    await page.evaluate('history.forward()');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await discarding().waitFor({ state: 'detached' });
    await goBack();
    await discarding().waitFor();
    await goBack();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await shows('Stores');
    assert.equal(await path(), 'stores');
    await page.evaluate('history.forward()');
    await shows('Roles');
    assert.equal(await path(), 'roles');
  });

  test('each form asks, and nothing is lost unless each agrees', async () => {
    const { page } = opened;
    const adding = await fillTwo();
    await goBack();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await discarding().waitFor({ state: 'detached' });
    assert.equal(await adding.getByLabel('Username').inputValue(), 'one.more');
    assert.equal(await path(), 'users/5');
    await goBack();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await noDialog();
    await shows('Stores');
    assert.equal(await path(), 'stores');
  });

  test('a form that is saved while another one asks neither asks nor holds the page', async () => {
    const { page } = opened;
    const release = await hold('**/tenants/1/user');
    await opened.follow('users/5');
    await page.getByLabel('Nickname').fill('typed');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await fillNewUser();
    await goBack();
    await discarding().waitFor();
    release();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await noDialog();
    await shows('Stores');
    assert.equal(await path(), 'stores');
  });

  test('a step back goes from a user who was just added to the page before', async () => {
    const { page } = opened;
    const adding = await fillTwo();
    const release = await hold('**/tenants/1/user');
    await press(adding.getByRole('button', { name: 'Add user' }));
    await goBack();
    await discarding().or(leaving()).waitFor();
    release();
    await adding.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('dialog', { name: 'one.more' }).waitFor();
    await goBack();
    await page.getByRole('dialog', { name: 'one.more' }).waitFor({ state: 'detached' });
    assert.equal(await path(), 'users/5');
  });

  for (const [list, entry, button, field] of [
    ['users', 'users/5', 'Add user', 'Username'],
    ['stores', 'stores/N-001', 'Add store', 'Code'],
    ['applications', undefined, 'Issue application', 'Name'],
  ] as const)
    test(`a step back from an entry to its list closes the dialog "${button}", as its question says`, async () => {
      const { page } = opened;
      await opened.follow(list);
      await page.getByRole('row').nth(1).waitFor();
      if (entry === undefined) await page.getByRole('row').nth(1).click();
      else await opened.follow(entry);
      await page.getByRole('dialog').getByRole('heading').first().waitFor();
      await press(page.getByRole('button', { name: button }));
      await dialog(button).getByLabel(field).first().fill('typed');
      await goBack();
      await page.getByRole('button', { name: 'Discard changes' }).click();
      await dialog(button).waitFor({ state: 'detached' });
      assert.equal(await path(), list);
      await press(page.getByRole('button', { name: button }));
      assert.equal(await dialog(button).getByLabel(field).first().inputValue(), '');
      await page.keyboard.press('Escape');
      await dialog(button).waitFor({ state: 'detached' });
    });
});
