import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { accessibilityViolations } from '../accessibility-violations.ts';
import { ConsolePage, ownerPassword } from './console-page.ts';
import { createAccount } from './create-account.ts';

describe('the console for an operator who may only look', () => {
  let opened: ConsolePage;
  let guest: BrowserContext | undefined;
  let page: Page;

  before(async () => {
    opened = await ConsolePage.open();
    const access = { role: 'viewer', all_tenants: true, tenant_ids: [] };
    const { token } = await opened.change('POST', '/operators', { ...access, password: ownerPassword });
    guest = await opened.page.context().browser()?.newContext({ locale: 'en-GB' });
    assert(guest !== undefined);
    page = await guest.newPage();
    await createAccount(page, `${opened.origin}/console/link#${token}`, 'vivian', 'one more long passphrase');
  });

  after(async () => {
    await guest?.close();
    await opened?.close();
  });

  test('the account button is called by the letters on it, then by the whole name', async () => {
    await page.getByRole('button', { name: 'VI Account: vivian', exact: true }).waitFor();
    assert.deepEqual(await accessibilityViolations(page), []);
  });

  for (const [of, list] of [
    ['users', 'Users'],
    ['stores', 'Stores'],
  ] as const) {
    test(`the import of ${of} asks for no file, says who can import and leads to the list`, async () => {
      await page.goto(`${opened.origin}/console/t/1/import?of=${of}`);
      await page.getByRole('heading', { name: 'Only a manager can import' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Choose file' }).count(), 0);
      assert.deepEqual(await accessibilityViolations(page), []);
      await page.getByRole('link', { name: `Show all ${of}` }).click();
      await page.getByRole('heading', { level: 1, name: list }).waitFor();
    });
  }

  test('an empty list offers nothing to somebody who may not fill it', async () => {
    const { id } = await opened.change('POST', '/tenants', { name: 'empty' });
    await page.goto(`${opened.origin}/console/t/${id}/stores`);
    await page.getByText('No stores yet').waitFor();
    assert.equal(await page.getByRole('main').getByRole('link', { name: 'Import' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Add store' }).count(), 0);
  });

  test('somebody who may not move stores is told so above the choice of two people', async () => {
    await page.goto(`${opened.origin}/console/t/1/move-stores`);
    const note = page.getByText('You can view stores, but only a manager can move them.');
    const [told, asked] = [
      await note.boundingBox(),
      await page.getByRole('main').getByRole('combobox').first().boundingBox(),
    ];
    assert(told !== null && asked !== null && told.y < asked.y);
    assert.deepEqual(await accessibilityViolations(page), []);
  });

  test('a row that opens nothing does not look as if it did', async () => {
    const cursorOf = async (path: string, name: string) => {
      await page.goto(`${opened.origin}/console/t/1/${path}`);
      const row = page.getByRole('row').filter({ hasText: name });
      return row.evaluate((element) => element.ownerDocument.defaultView.getComputedStyle(element).cursor);
    };
    assert.notEqual(await cursorOf('roles', 'Team leader'), 'pointer');
    assert.equal(await cursorOf('users', 'Mara Okafor'), 'pointer');
  });

  test('a store that nobody looks after offers no assignment', async () => {
    await opened.change('POST', '/tenants/1/store', { code: 'Q-1', name: 'Lonely shop' });
    await page.goto(`${opened.origin}/console/t/1/stores/Q-1`);
    const drawer = page.getByRole('dialog', { name: 'Lonely shop' });
    await drawer.getByText('This store has no representative.').waitFor();
    assert.equal(await drawer.getByRole('combobox').count(), 0);
    assert.equal(await drawer.getByRole('button', { name: 'Assign representative' }).count(), 0);
  });

  test('the fields of a user are no place to type, and do not look like one', async () => {
    await page.goto(`${opened.origin}/console/t/1/users/3`);
    const drawer = page.getByRole('dialog', { name: 'Amelia Hughes' });
    await drawer.getByText('You can view users, but only a manager can change them.').waitFor();
    const role = drawer.getByRole('combobox', { name: 'Role' });
    const nickname = drawer.getByRole('textbox', { name: 'Nickname' });
    for (const field of [role, nickname]) assert.equal(await field.getAttribute('readonly'), '');
    assert.deepEqual(await page.evaluate(backgroundsOfFields), ['rgba(0, 0, 0, 0)']);
    assert.equal(await drawer.locator('.mantine-Select-section').filter({ visible: true }).count(), 0);
    assert.deepEqual(await accessibilityViolations(page), []);
  });
});

const backgroundsOfFields = `[...new Set(
  [...document.querySelectorAll('[role=dialog] input:not([type=hidden])')].map((field) => getComputedStyle(field).backgroundColor),
)]`;
