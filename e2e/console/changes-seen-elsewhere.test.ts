import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { ConsolePage } from './console-page.ts';

describe('what one page of the console changes, as another page of it shows it', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const dialog = () => opened.page.getByRole('dialog').last();
  const button = (name: string) => opened.page.getByRole('button', { name, exact: true });
  const row = (name: string) => opened.page.getByRole('row').filter({ hasText: name });

  /** Follows a link to a user and waits for the profile, which the page keeps for a while. */
  async function seeUser(id: number): Promise<void> {
    await opened.follow(`users/${id}`);
    await opened.page.waitForURL(new RegExp(`/users/${id}$`));
    await dialog().getByLabel('Nickname').waitFor();
    await dialog().getByText(`ID ${id}`, { exact: false }).waitFor();
  }

  async function choose(field: Locator, text: string, option: RegExp): Promise<void> {
    await field.fill(text);
    await opened.page.getByRole('option', { name: option }).click();
  }

  /** Asserts that a new nickname is saved at once, not refused as a change that somebody else has overtaken. */
  async function requireSaved(nickname: string): Promise<void> {
    await dialog().getByLabel('Nickname').fill(nickname);
    await button('Save changes').click();
    const answer = opened.page.getByText(/^(Saved|Somebody else has changed this user in the meantime)$/);
    assert.equal(await answer.first().innerText(), 'Saved');
  }

  test('the profile is saved after a store was assigned and unassigned beside it', async () => {
    await opened.goTo('users/20');
    await dialog().getByRole('tab', { name: 'Stores' }).click();
    await choose(
      dialog().getByRole('combobox', { name: 'Code, name or address of a store' }),
      'N-007',
      /N-007/,
    );
    await button('Assign store').click();
    await button('Unassign N-007').waitFor();
    await dialog().getByRole('tab', { name: 'Profile' }).click();
    await requireSaved('after assigning');
    await opened.page.getByText('Saved', { exact: true }).waitFor({ state: 'detached' });
    await dialog().getByRole('tab', { name: 'Stores' }).click();
    await button('Unassign N-007').click();
    await button('Unassign N-007').waitFor({ state: 'detached' });
    await dialog().getByRole('tab', { name: 'Profile' }).click();
    await requireSaved('after unassigning');
  });

  test('the profile is saved after a store assigned the user', async () => {
    await opened.goTo('users');
    await seeUser(21);
    const name = await dialog().getByRole('heading').first().innerText();
    await opened.follow('stores/N-007');
    const field = dialog().getByRole('combobox', { name: 'Name, phone or code of a user' });
    await choose(field, name.split('\n')[0] ?? '', /./);
    await button('Assign representative').click();
    await opened.page.getByText(/now looks after/).waitFor();
    await seeUser(21);
    await requireSaved('after a store assigned me');
  });

  test('the profile is saved after stores were moved from the user', async () => {
    await opened.change('POST', '/tenants/1/store', { code: 'M-1', name: 'Moving kiosk' });
    await opened.change('POST', '/tenants/1/user/store', { user_id: 22, store_code: 'M-1' });
    await opened.goTo('users');
    await seeUser(22);
    await opened.follow('move-stores?from=22&to=23');
    await opened.page.getByRole('checkbox', { name: /M-1/ }).check();
    await button('Move 1 store').click();
    await opened.page.getByText(/1 store moved from/).waitFor();
    await seeUser(22);
    await requireSaved('after moving');
  });

  test('the profile is saved after a store of the user was deleted', async () => {
    await opened.change('POST', '/tenants/1/store', { code: 'D-1', name: 'Doomed kiosk' });
    await opened.change('POST', '/tenants/1/user/store', { user_id: 24, store_code: 'D-1' });
    await opened.goTo('users');
    await seeUser(24);
    await opened.follow('stores/D-1');
    await button('Delete store').click();
    await dialog().getByText('unassigns 1 person').waitFor();
    await dialog().getByRole('textbox').fill('D-1');
    await dialog().getByRole('button', { name: 'Delete store' }).click();
    await dialog().getByText('Nothing was deleted').waitFor();
    await dialog().getByRole('textbox').fill('D-1');
    await button('Unassign and delete').click();
    await opened.page.getByText('Doomed kiosk deleted').waitFor();
    // The browser reports the first attempt, which was refused.
    opened.expectReports(409);
    await seeUser(24);
    await requireSaved('after a deletion');
  });

  test('a store shows the status and the phone number that its representative has now', async () => {
    const { page } = opened;
    await opened.change('POST', '/tenants/1/store', { code: 'R-1', name: 'Known kiosk' });
    await opened.change('POST', '/tenants/1/user/store', { user_id: 25, store_code: 'R-1' });
    await opened.goTo('stores/R-1');
    const entry = dialog().getByRole('listitem');
    await entry.getByText('Active').waitFor();
    await seeUser(25);
    await button('Disable user').click();
    await button('Make user active').waitFor();
    await opened.follow('stores/R-1');
    await entry.getByText('Disabled').waitFor();
    await button('Undo').click();
    await entry.getByText('Active').waitFor();
    await seeUser(25);
    await dialog().getByLabel('Phone').fill('+49 30 5550100');
    await button('Save changes').click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await opened.follow('stores/R-1');
    await entry.getByText('+49 30 5550100').waitFor();
  });

  test('a store shows who looks after it now', async () => {
    await opened.change('POST', '/tenants/1/store', { code: 'R-2', name: 'Lost kiosk' });
    await opened.change('POST', '/tenants/1/user', {
      username: 'leaves.soon',
      password: 'bicycles never end',
    });
    await opened.change('POST', '/tenants/1/user/store', { user_id: 26, store_code: 'R-2' });
    await opened.goTo('stores/R-2');
    await dialog().getByRole('listitem').waitFor();
    await seeUser(26);
    await dialog().getByRole('tab', { name: 'Stores' }).click();
    await button('Unassign R-2').click();
    await button('Unassign R-2').waitFor({ state: 'detached' });
    await opened.follow('stores/R-2');
    await dialog().getByText('This store has no representative.').waitFor();
    await button('Undo').click();
    await dialog().getByRole('listitem').waitFor();
  });

  test('a store no longer shows a representative who was deleted', async () => {
    await opened.change('POST', '/tenants/1/store', { code: 'R-3', name: 'Left kiosk' });
    await opened.change('POST', '/tenants/1/user/store', { user_id: 27, store_code: 'R-3' });
    await opened.goTo('stores/R-3');
    await dialog().getByRole('listitem').waitFor();
    await seeUser(27);
    await button('Delete user').click();
    const field = dialog().getByRole('textbox');
    const label = (await dialog().locator('label').innerText()).replace(/^Type | to confirm$/g, '');
    await field.fill(label);
    await dialog().getByRole('button', { name: 'Delete user' }).click();
    await opened.page.getByText(/ deleted$/).waitFor();
    await opened.follow('stores/R-3');
    await dialog().getByText('This store has no representative.').waitFor();
  });

  test('the list of users shows the new names of a role and an organization', async () => {
    const { page } = opened;
    await opened.goTo('users?search=mara.okafor');
    const [role, org] = ['Sales representative', 'Harbour team'];
    await row('Mara Okafor').getByText(role).waitFor();
    await opened.follow('roles');
    // The row of the user has the role's name, too.
    await page.locator('main h1', { hasText: 'Roles' }).waitFor();
    await row(role).click();
    await dialog().getByLabel('Name').fill('Field agent');
    await button('Save changes').click();
    await dialog().waitFor({ state: 'detached' });
    await opened.follow('users?search=mara.okafor');
    await row('Mara Okafor').getByText('Field agent').waitFor();
    await opened.follow('orgs');
    await page.getByRole('button', { name: `More: ${org}` }).click();
    await page.getByRole('menuitem', { name: 'Edit or move' }).click();
    await dialog().getByLabel('Name').fill('Quay team');
    await button('Save changes').click();
    await dialog().waitFor({ state: 'detached' });
    await opened.follow('users?search=mara.okafor');
    await row('Mara Okafor').getByText('Quay team').waitFor();
  });
});
