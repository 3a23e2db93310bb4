import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { SignedClient } from '../signed-client.ts';
import { ConsolePage } from './console-page.ts';

describe('an operator in the first hour, and somebody who answers questions', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const button = (name: string) => opened.page.getByRole('button', { name, exact: true });
  const dialog = () => opened.page.getByRole('dialog').last();

  test('the page of a disabled user says that they cannot sign in, and who disabled them', async () => {
    const { page } = opened;
    await opened.goTo('users/1');
    await button('Disable user').click();
    const notice = page.getByRole('alert').filter({ hasText: 'Mara Okafor cannot sign in' });
    await notice.getByText(/Disabled by mo, (now|\d+ (sec|min)\.? ago)\./).waitFor();
    await opened.requireAccessible();
    await button('Make user active').click();
    await notice.waitFor({ state: 'detached' });
  });

  test('the page of a user who was disabled with others says who did it, whatever happened since', async () => {
    const { page } = opened;
    await opened.goTo('users');
    await page.getByRole('checkbox', { name: 'Select Jun Tanaka' }).check();
    await button('Disable…').click();
    await dialog().getByRole('button', { name: 'Disable 1 user' }).click();
    await page.getByText('1 user disabled').waitFor();
    await opened.change('PUT', '/tenants/1/user', { id: 2, nickname: 'JT' });
    await opened.goTo('users/2');
    const notice = page.getByRole('alert').filter({ hasText: 'Jun Tanaka cannot sign in' });
    await notice.getByText(/Disabled by mo, /).waitFor();
    await button('Make user active').click();
    await notice.waitFor({ state: 'detached' });
  });

  test('an operator sets the password of somebody who forgot it', async () => {
    const { page } = opened;
    await opened.goTo('users/1');
    await button('Set password').click();
    await opened.requireAccessible();
    await button('Set password').last().click();
    await dialog().getByText('Fill in this field.').waitFor();
    await dialog().getByRole('textbox', { name: 'New password' }).fill('several unrelated words');
    await button('Set password').last().click();
    await page.getByText('New password of Mara Okafor set').waitFor();
    await button('Set password').and(page.locator(':focus')).waitFor();
    const client = new SignedClient(opened.server.url, await opened.issueUsableApplication('Till'));
    const check = { username: 'mara.okafor', password: 'several unrelated words' };
    assert.equal((await client.call('POST', '/user/password/check', check)).code, 0);
    client.close();
  });

  test('the list of stores says how many representatives each has, and a store leads to its changes', async () => {
    const { page } = opened;
    const change = { user_id: 2, store_code: 'N-001' };
    await opened.change('POST', '/tenants/1/user/store', change);
    await opened.goTo('stores');
    const row = page.getByRole('row').filter({ hasText: 'N-001' });
    await row.getByRole('cell', { name: '11', exact: true }).waitFor();
    await opened.change('POST', '/tenants/1/move-stores', {
      from_user_id: 2,
      to_user_id: 5,
      store_codes: ['N-001'],
      kept_store_codes: [],
      expected_store_codes: [],
    });
    await row.click();
    await page.getByRole('link', { name: 'Changes of this store' }).click();
    const handed = page.getByRole('listitem').filter({ hasText: 'Handed over stores to a colleague' });
    await handed.filter({ hasText: 'Jun Tanaka' }).getByText('Priya Raman').first().waitFor();
    assert.match(page.url(), /audit\?store=N-001$/);
    await opened.visit('audit?store=N-002');
    await page.getByText('No change of this store is on record').waitFor();
    assert.equal(await page.getByText('longer period').count(), 0);
  });

  test('a new tenant is one click away in the settings', async () => {
    const { page } = opened;
    await opened.change('POST', '/tenants', { name: 'acme' });
    await opened.goTo('settings');
    await page.getByRole('link', { name: 'Open acme' }).click();
    await page.getByRole('region', { name: 'No users or stores yet' }).waitFor();
    assert.match(page.url(), /\/t\/2\/?$/);
  });

  test('the import recognises every column of the template that it offers', async () => {
    const { page } = opened;
    await opened.goTo('import');
    const saved = page.waitForEvent('download');
    await button('Download template').click();
    const file = await saved;
    assert.equal(file.suggestedFilename(), 'users-template.csv');
    const headings = readFileSync(await file.path(), 'utf8').trim();
    const values = (headings.match(/"[^"]*"|[^,]+/g) ?? []).map((heading) =>
      heading.includes('Username') ? 'filled.in' : '',
    );
    const chosen = page.waitForEvent('filechooser');
    await button('Choose file').click();
    const buffer = Buffer.from(`${headings}\n${values.join()}\n`);
    await (await chosen).setFiles({ name: 'users.csv', mimeType: 'text/csv', buffer });
    await button('Show what would change').waitFor();
    const fields = page.getByRole('main').getByRole('table').getByRole('combobox');
    const chosenFields = await fields.evaluateAll((all) => all.map((field) => Object(field).value));
    assert.equal(new Set(chosenFields).size, values.length);
    assert(!chosenFields.includes('Leave out'), chosenFields.join());
  });

  test('the form for a new user asks for little at first, and has every field', async () => {
    const { page } = opened;
    await opened.goTo('users');
    await button('Add user').click();
    await dialog().getByRole('textbox', { name: 'Phone' }).waitFor();
    const nickname = dialog().getByRole('textbox', { name: 'Nickname' });
    assert.equal(await nickname.isVisible(), false);
    await opened.requireAccessible();
    await dialog().getByText('More fields').press('Enter');
    await nickname.waitFor();
    await opened.requireAccessible();
    await page.keyboard.press('Escape');
  });

  test('the Tab key leaves a table after one row, the one that had the focus last', async () => {
    const { page } = opened;
    await opened.goTo('users');
    const row = (name: RegExp) => page.getByRole('row', { name });
    await row(/Mara Okafor/).focus();
    await page.keyboard.press('ArrowDown');
    await row(/Jun Tanaka/)
      .and(page.locator(':focus'))
      .waitFor();
    for (const control of [
      page.getByRole('checkbox', { name: 'Select Jun Tanaka' }),
      button('More: Jun Tanaka'),
    ]) {
      await page.keyboard.press('Tab');
      await control.and(page.locator(':focus')).waitFor();
    }
    await page.keyboard.press('Tab');
    assert.equal(await page.locator('tbody :focus').count(), 0);
    assert.equal(await page.locator('tbody tr[tabindex="0"]').count(), 1);
  });

  test('the days of a filter are written in the language of the console, until somebody types', async () => {
    const { page } = opened;
    await page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await opened.goTo('requests?from=2026-01-31');
    await page.getByText('2026年1月31日').waitFor();
    await page.getByText('不限').waitFor();
    await page.getByLabel('起始').focus();
    await page.getByText('2026年1月31日').waitFor({ state: 'hidden' });
    await page.evaluate("localStorage.removeItem('fieldroster-language')");
  });

  test('a half-typed day of a filter stays in view, with an error', async () => {
    const { page } = opened;
    await opened.goTo('requests');
    await page.getByLabel('From').focus();
    await page.keyboard.type('31');
    await page.getByRole('heading', { name: 'Requests' }).click();
    await page.getByText('Complete the date, or clear it.').waitFor();
    assert.equal(await page.getByText('Any day').count(), 1);
    await page.getByLabel('From').fill('2026-01-31');
    await page.getByText('Complete the date, or clear it.').waitFor({ state: 'detached' });
  });

  test('fields and buttons of one row have the same height', async () => {
    const { page } = opened;
    await opened.goTo('stores/N-001');
    const field = page.getByRole('dialog').getByRole('combobox');
    await field.waitFor();
    const heights = await Promise.all(
      [field, button('Assign representative'), button('Edit store')].map(async (control) =>
        Math.round((await control.boundingBox())?.height ?? 0),
      ),
    );
    assert.deepEqual(heights, [32, 32, 32]);
  });
});
