import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsolePage } from './console-page.ts';

describe('the command palette', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    await opened.goTo('');
    await opened.page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  after(() => opened?.close());

  const palette = () => opened.page.getByRole('dialog', { name: 'Search' });
  const option = (name: string) => palette().getByRole('option', { name });

  async function openPalette(): Promise<void> {
    await opened.page.keyboard.press('Control+k');
    // Text typed before the field has the focus goes elsewhere.
    await palette().getByRole('combobox', { name: 'Search' }).and(opened.page.locator(':focus')).waitFor();
  }

  test('Ctrl K finds a user by part of the name, and Enter opens the first hit', async () => {
    const { page } = opened;
    await openPalette();
    await opened.requireAccessible();
    await page.keyboard.type('okaf');
    await option('Mara Okafor').waitFor();
    await opened.requireAccessible();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/users\/1$/);
    await palette().waitFor({ state: 'detached' });
    await page.getByRole('dialog').getByRole('heading', { name: 'Mara Okafor' }).waitFor();
  });

  test('what is typed while the palette loads for the first time arrives, and Enter opens what it finds', async () => {
    const { page } = opened;
    const held = Promise.withResolvers<void>();
    await page.route(/\/palette-[^/]*\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await opened.goTo('audit');
    const search = page.getByRole('button', { name: /^Search users, stores, pages/ });
    await search.focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('okaf');
    await opened.requireAccessible();
    held.resolve();
    const field = palette().getByRole('combobox', { name: 'Search' });
    await field.and(page.locator(':focus')).waitFor();
    assert.equal(await field.inputValue(), 'okaf');
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
    await search.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('mara.okaf');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/users\/1$/);
  });

  test('Enter that is pressed before the search has ended opens what the whole text finds', async () => {
    const { page } = opened;
    await opened.visit('audit');
    await openPalette();
    await page.keyboard.type('n-007');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/stores\/N-007$/);
  });

  test('the selected one of two stores opens, although their codes differ only in a space', async () => {
    const { page } = opened;
    await opened.change('POST', '/tenants/1/store', { code: 'QQ 1', name: 'Quince with a space' });
    await opened.change('POST', '/tenants/1/store', { code: 'QQ-1', name: 'Quince with a hyphen' });
    await opened.visit('audit');
    await openPalette();
    await page.keyboard.type('quince');
    await option('Quince with a hyphen').waitFor();
    // The first letters also find people, whom the next answer takes away.
    await palette()
      .getByRole('option')
      .filter({ hasNotText: 'Quince' })
      .first()
      .waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    assert.match(await palette().getByRole('option', { selected: true }).innerText(), /with a hyphen/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('heading', { name: 'Quince with a hyphen' }).waitFor();
    await palette().waitFor({ state: 'detached' });
  });

  test('it finds stores by code, name and address from every page', async () => {
    const { page } = opened;
    await opened.visit('audit');
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    await page.getByRole('button', { name: /^Search users, stores, pages/ }).click();
    await palette().getByRole('combobox', { name: 'Search' }).fill('n-007');
    const found = palette().getByRole('option').filter({ hasText: 'N-007' });
    await found.waitFor();
    await found.click();
    await page.waitForURL(/\/stores\/N-007$/);
  });

  test('it finds pages, moves by arrows, and closes by Escape', async () => {
    const { page } = opened;
    await openPalette();
    await option('Roles').waitFor();
    await page.keyboard.type('organi');
    await option('Applications').waitFor({ state: 'detached' });
    await option('Organizations').waitFor();
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
    await openPalette();
    await option('Overview').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/stores$/);
  });

  test('on a phone, the phone number of a user is shown in full', async (t) => {
    const { page } = opened;
    t.after(() => page.setViewportSize({ width: 1280, height: 800 }));
    await page.setViewportSize({ width: 390, height: 844 });
    await openPalette();
    await page.keyboard.type('priya.raman');
    const details = option('Priya Raman').getByText(/\+44 20 7946 0104$/);
    await details.waitFor();
    const cutPixels = await details.evaluate(
      (node) => Reflect.get(node, 'scrollWidth') - Reflect.get(node, 'clientWidth'),
    );
    assert.equal(cutPixels, 0);
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
  });

  test('it says that nothing matches', async () => {
    const { page } = opened;
    await openPalette();
    await page.keyboard.type('nothing is called so');
    await palette().getByText('Nothing matches').waitFor();
    await page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
  });
});
