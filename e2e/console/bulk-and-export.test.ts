import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { readWorkbookRows } from '@fieldroster/tables/workbook';
import { users as inEnglish } from '../../packages/console/src/i18n/en/users.ts';
import { users as inChinese } from '../../packages/console/src/i18n/zh/users.ts';
import { ConsolePage } from './console-page.ts';

describe('many users at once in the console', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const row = (name: string) => opened.page.getByRole('row').filter({ hasText: name });
  const button = (name: string | RegExp) => opened.page.getByRole('button', { name });
  const dialog = () => opened.page.getByRole('dialog');

  async function select(...names: string[]): Promise<void> {
    for (const name of names) await opened.page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await opened.page.getByText(`${names.length} selected`).waitFor();
  }

  test('a role is set after a preview that shows who changes and who stays as they are', async () => {
    const { page } = opened;
    await opened.visit('users');
    await select('Mara Okafor', 'Jun Tanaka', 'Lukas Brandt');
    await opened.requireAccessible();
    await button('Set role…').click();
    await dialog().getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Team leader' }).click();
    await dialog().getByText('2 of 3 users will change').waitFor();
    await dialog().getByText('Stays as it is').waitFor();
    await opened.requireAccessible();
    await dialog().getByRole('button', { name: 'Set the role of 2 users' }).click();
    await page.getByText('Role set for 2 users').waitFor();
    await row('Jun Tanaka').getByText('Team leader').waitFor();
    assert.equal(await page.getByText('selected').count(), 0, 'nobody is selected any more');
  });

  test('a store is assigned to several users by keyboard, and that is undone', async () => {
    const { page } = opened;
    await opened.visit('users');
    await row('Mara Okafor').focus();
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Assign store…', exact: true }).click();
    await dialog().getByRole('combobox', { name: 'Store' }).fill('S-00');
    await page.getByRole('option', { name: /S-007/ }).click();
    await dialog().getByRole('list', { name: 'What changes' }).getByText('+ S-007').first().waitFor();
    await dialog()
      .getByRole('button', { name: /^Assign a store to \d users?$/ })
      .click();
    await button('Undo').click();
    await page.getByText('changed back').waitFor();
  });

  test('nothing changes when somebody else changes one of the users after the preview', async () => {
    const { page } = opened;
    await opened.visit('users');
    await select('Amelia Hughes', 'Priya Raman');
    await button('Disable…').click();
    await dialog().getByText('2 users will change').waitFor();
    await opened.change('PUT', '/tenants/1/user/status', { id: 3, status: 'disabled' });
    await dialog().getByRole('button', { name: 'Disable 2 users' }).click();
    await dialog().getByRole('alert').filter({ hasText: 'nothing was changed' }).waitFor();
    await dialog().getByText('1 of 2 users will change').waitFor();
    await dialog().getByRole('button', { name: 'Disable 1 user' }).click();
    await page.getByText('1 user disabled').waitFor();
    // The answer's status is an error, which the browser reports.
    opened.expectReports(409);
  });

  test('a newer change of the same user closes the offer to undo the older one, and no other', async () => {
    const { page } = opened;
    await page.reload();
    await opened.visit('users');
    for (const [name, action] of [
      ['Mara Okafor', 'Disable'],
      ['Jun Tanaka', 'Disable'],
      ['Mara Okafor', 'Make active'],
    ] as const) {
      await select(name);
      await button(`${action}…`).click();
      await dialog()
        .getByRole('button', { name: /1 user/ })
        .click();
      await dialog().waitFor({ state: 'detached' });
    }
    const offers = page.getByRole('alert').filter({ has: button('Undo') });
    await offers.filter({ hasText: '1 user made active' }).waitFor();
    await offers.nth(2).waitFor({ state: 'detached' });
    assert.equal(await offers.count(), 2);
    await offers.filter({ hasText: '1 user disabled' }).getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 user changed back').waitFor();
    await row('Jun Tanaka').getByText('Active').waitFor();
  });

  test('columns are chosen, and remembered', async () => {
    const { page } = opened;
    await opened.visit('users');
    await button('Columns').click();
    await page.getByRole('menuitemcheckbox', { name: 'Email' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Phone' }).click();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('columnheader', { name: 'Email' }).waitFor();
    assert.equal(await page.getByRole('columnheader', { name: 'Phone' }).count(), 0);
  });

  async function exported(format: string): Promise<Buffer> {
    await button('Export').click();
    await dialog().locator('input[type="radio"]:focus').waitFor();
    await dialog().getByRole('radio', { name: format }).check();
    const download = opened.page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Export users' }).click();
    const content = readFileSync(await (await download).path());
    await dialog().waitFor({ state: 'detached' });
    return content;
  }

  test('an export whose end is not known announces no share of it', async () => {
    const { page } = opened;
    await opened.visit('users?search=tanaka');
    await row('Jun Tanaka').waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(/\/users\?.*limit=500/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await button('Export').click();
    await dialog().getByRole('button', { name: 'Export users' }).click();
    const bar = dialog().getByRole('progressbar');
    await bar.waitFor();
    assert.equal(await bar.getAttribute('aria-valuenow'), null);
    await opened.requireAccessible();
    const download = page.waitForEvent('download');
    held.resolve();
    await download;
    await page.unrouteAll();
  });

  test('more users than a workbook holds are refused before any is read, in both languages', async () => {
    const { page } = opened;
    const reads: string[] = [];
    page.on('request', (request) => {
      if (/\/users\?.*limit=500/.test(request.url())) reads.push(request.url());
    });
    for (const [language, texts] of [
      ['zh', inChinese],
      ['en', inEnglish],
    ] as const) {
      await page.evaluate(`localStorage.setItem('fieldroster-language', '${language}')`);
      await opened.goTo('users');
      await row('Mara Okafor').waitFor();
      await page.route(/\/count-users/, (route) =>
        route.fulfill({ json: { code: 0, message: '', data: { users: 1_048_576, is_more: false } } }),
      );
      await button(texts.export).click();
      await dialog().getByLabel(texts.exportXlsx).check();
      await dialog().getByRole('button', { name: texts.exportAction }).click();
      await dialog().getByText(texts.tooManyForFile(1_048_575)).waitFor();
      await opened.requireAccessible();
      assert.deepEqual(reads, []);
      await page.unrouteAll();
    }
    await dialog().getByLabel('CSV').check();
    const download = page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Export users' }).click();
    await download;
    await dialog().waitFor({ state: 'detached' });
  });

  test('every user that the filters leave is exported, with formulas as texts', async () => {
    const { page } = opened;
    const formula = '=HYPERLINK("http://evil.example")';
    await opened.visit('users/2');
    await page.getByLabel('Nickname').fill(formula);
    await button('Save changes').click();
    await page.getByText('Saved').waitFor();
    await opened.visit('users?search=tanaka');
    await row('Jun Tanaka').waitFor();
    const csv = (await exported('CSV')).toString('utf8');
    assert.match(csv, /^\ufeffusername,real_name,/);
    assert.equal(csv.trimEnd().split('\n').length, 2);
    assert(csv.includes(`"'=HYPERLINK(""http://evil.example"")"`), csv);
    const rows = await readWorkbookRows(new Uint8Array(await exported('Excel')));
    assert.equal(rows.length, 2);
    assert(rows[1]?.values.includes(formula));
    await opened.visit('users');
    await row('Mara Okafor').waitFor();
    const all = (await exported('CSV')).toString('utf8');
    assert.equal(all.trimEnd().split('\n').length, 81);
  });
});
