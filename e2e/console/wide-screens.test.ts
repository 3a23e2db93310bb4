import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsolePage } from './console-page.ts';

describe('the console at a desk', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  test('the button that opens the menu is hidden, because the navigation is beside every page', async () => {
    const { page } = opened;
    await opened.visit('users');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Menu' }).count(), 0);
  });

  test("the styles of the console win over those of its components' library", async () => {
    const { page } = opened;
    await opened.visit('users');
    const search = page.getByRole('button', { name: /Search users, stores, pages/ });
    assert.equal(await search.evaluate((button) => getComputedStyle(button).borderTopWidth), '1px');
    await search.click();
    const option = page.getByRole('option').first();
    assert.equal(await option.evaluate((found) => getComputedStyle(found).paddingLeft), '12px');
    await page.keyboard.press('Escape');
  });

  test('the names of the columns stay in view while a list scrolls', async () => {
    const { page } = opened;
    await opened.visit('users');
    await page.locator('tbody tr').first().waitFor();
    const head = page.getByRole('columnheader', { name: 'Phone' });
    const before = await head.boundingBox();
    await page.locator('tbody tr').first().focus();
    await page.keyboard.press('End');
    await page.getByText('Gabriel Laurent').waitFor();
    assert.deepEqual(await head.boundingBox(), before);
  });
});
