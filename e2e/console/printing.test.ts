import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { ConsolePage } from './console-page.ts';

describe('the console on paper', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  /** Prints the page, and returns the number of sheets and what the browser had laid out for them. */
  async function print(): Promise<{ sheets: number; rows: number; text: string }> {
    const { page } = opened;
    await page.evaluate(notePrinted);
    const file = await page.pdf({ format: 'A4' });
    const sheets = file.toString('latin1').match(/\/Type\s*\/Page(?!s)/g)?.length ?? 0;
    const printed = await page.evaluate<{ rows: number; text: string }>('globalThis.printed');
    return { sheets, ...printed };
  }

  for (const theme of ['light', 'dark'] as const) {
    test(`a list has every row that is loaded, on as many sheets as it needs (${theme})`, async () => {
      const { page } = opened;
      await page.emulateMedia({ colorScheme: theme });
      await opened.goTo('users');
      await page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
      const { sheets, rows, text } = await print();
      assert.equal(rows, 80);
      assert(sheets >= 2 && sheets <= 6, `${sheets} sheets`);
      assert.match(text, /Gabriel Laurent/);
      assert.doesNotMatch(text, /not printed/);
      // On the screen, only the rows in view exist again.
      await page.locator('tbody tr').nth(79).waitFor({ state: 'detached' });
      await page.emulateMedia({ colorScheme: null });
    });
  }

  test('a list has every row in a browser that tells of paper only by the media that it lays out for', async () => {
    const { page } = opened;
    await opened.goTo('users');
    await page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.locator('tbody tr').nth(79).waitFor({ state: 'attached' });
    await page.emulateMedia({ media: null });
    await page.locator('tbody tr').nth(79).waitFor({ state: 'detached' });
  });

  test('the names of the columns are on every sheet', async () => {
    const { page } = opened;
    await opened.goTo('users');
    await page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
    const file = await page.pdf({ format: 'A4', printBackground: true });
    const { length: sheets } = file.toString('latin1').match(/\/Type\s*\/Page(?!s)/g) ?? [];
    assert(sheets >= 2);
    assert.equal(contentsOf(file).filter((content) => backgroundOfHead.test(content)).length, sheets);
  });

  test('no name is cut on paper, where nothing tells it on hover', async () => {
    const { page } = opened;
    const real_name = 'Wolfgang Theophilus Maximilian von und zu Hohenzollern-Sigmaringen';
    await opened.change('POST', '/tenants/1/user', { username: 'wolfgang', password: 'x', real_name });
    await opened.goTo('users?search=wolfgang');
    await page.getByRole('row').filter({ hasText: real_name }).waitFor();
    assert.deepEqual(await page.evaluate(cutInRows), [real_name]);
    await page.emulateMedia({ media: 'print' });
    await opened.settled();
    assert.deepEqual(await page.evaluate(cutInRows), []);
    await page.emulateMedia({ media: null });
  });

  test('paper is light, also from a dark screen whose backgrounds are printed, and the screen is dark again then', async () => {
    const { page } = opened;
    await page.emulateMedia({ colorScheme: 'dark' });
    await opened.goTo('users');
    await page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
    const onScreen = await page.evaluate(coloursOfPage);
    const file = await page.pdf({ format: 'A4', printBackground: true });
    assert(contentsOf(file).some((content) => backgroundOfHead.test(content)));
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    await opened.settled();
    assert.deepEqual(await page.evaluate(coloursOfPage), {
      scheme: 'light',
      text: 'rgb(23, 32, 29)',
      head: 'rgb(241, 243, 241)',
    });
    await page.emulateMedia({ colorScheme: 'dark', media: 'screen' });
    await opened.settled();
    assert.deepEqual(await page.evaluate(coloursOfPage), onScreen);
    assert.equal(Object(onScreen).scheme, 'dark');
    await page.emulateMedia({ colorScheme: null, media: null });
  });

  test('an open dialog is printed alone and whole, also above an entry', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 760, height: 300 });
    await opened.goTo('users/1');
    await page.getByRole('dialog', { name: 'Mara Okafor' }).getByRole('tab').first().waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.waitFor();
    await page.emulateMedia({ media: 'print' });
    await opened.settled();
    assert.equal(await page.getByRole('dialog').filter({ visible: true }).count(), 1);
    assert.equal(await page.locator('#root').filter({ visible: true }).count(), 0);
    assert.deepEqual(await page.evaluate(cutAtBottom), []);
    assert.equal(await page.evaluate(backdrop), 0);
    await page.emulateMedia({ media: null });
    const { text } = await print();
    assert.match(text, /Keyboard shortcuts/);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('a list that is not loaded to its end says how many rows are missing', async () => {
    const { page } = opened;
    const stores = Array.from({ length: 210 }, (_, index) => ({
      code: `P-${String(index).padStart(3, '0')}`,
      name: `Printed ${index}`,
    }));
    await opened.change('POST', '/tenants/1/stores', { stores });
    await opened.goTo('stores');
    await page.getByText('250 stores').waitFor();
    const { rows, text } = await print();
    assert(rows < 250, `${rows} rows are loaded`);
    assert.match(text, new RegExp(`${250 - rows} more rows are not printed\\.`));
  });

  test("a user's page is printed whole, without the list behind it and without navigation", async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 1280, height: 400 });
    await opened.goTo('users/1');
    const drawer = page.getByRole('dialog', { name: 'Mara Okafor' });
    await drawer.getByRole('tab').nth(1).click();
    await drawer.getByText('N-007').waitFor();
    await page.emulateMedia({ media: 'print' });
    await opened.settled();
    assert.equal(await page.getByRole('navigation').filter({ visible: true }).count(), 0);
    assert.equal(await page.getByRole('table', { name: 'Users' }).filter({ visible: true }).count(), 0);
    assert.deepEqual(await page.evaluate(cutAtBottom), []);
    await page.emulateMedia({ media: null });
    const { sheets } = await print();
    assert(sheets >= 1);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('a page is printed without the navigation, also while that lies open above it on a phone', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    await opened.goTo('roles');
    await page.getByText('Regional manager').waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Signature lab' }).waitFor();
    await opened.settled();
    await page.emulateMedia({ media: 'print' });
    await opened.settled();
    assert.equal(await page.getByRole('navigation').filter({ visible: true }).count(), 0);
    assert.equal(await page.getByRole('dialog').filter({ visible: true }).count(), 0);
    assert.equal(await page.getByText('Regional manager').filter({ visible: true }).count(), 1);
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('a page that is longer than the screen is printed to its end', async () => {
    const { page } = opened;
    await opened.goTo('audit');
    await page.locator('main ol > li').first().waitFor();
    const { sheets } = await print();
    assert(sheets >= 2, `${sheets} sheets`);
    await page.emulateMedia({ media: 'print' });
    await opened.settled();
    assert.equal(await page.getByRole('navigation').filter({ visible: true }).count(), 0);
    assert.deepEqual(await page.evaluate(cutAtBottom), []);
    await page.emulateMedia({ media: null });
  });
});

/** `--fr-sunken` of the light theme, as a PDF sets it. */
const backgroundOfHead = /\s0?\.945\d* 0?\.95[23]\d* 0?\.945\d* rg/;

/** Returns what a PDF draws: the content of each stream that is compressed. */
function contentsOf(file: Buffer): readonly string[] {
  const text = file.toString('latin1');
  return [...text.matchAll(/stream\r?\n/g)].flatMap(({ index, 0: { length } }) => {
    const end = text.indexOf('endstream', index + length);
    try {
      return [inflateSync(file.subarray(index + length, end)).toString('latin1')];
    } catch {
      return [];
    }
  });
}

const coloursOfPage = `(() => {
  const text = getComputedStyle(document.querySelector('tbody td')).color;
  const head = getComputedStyle(document.querySelector('thead tr')).backgroundColor;
  return { scheme: document.documentElement.dataset.mantineColorScheme, text, head };
})()`;

/** Counts the visible overlays that darken the page behind a dialog. */
const backdrop = `[...document.querySelectorAll('[class*=overlay i]')]
  .filter((part) => part.getClientRects().length > 0).length`;

/** Returns the texts in rows that do not fit into their column. */
const cutInRows = `[...document.querySelectorAll('tbody td *')]
  .filter((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.textContent)`;

/** Records the rows and the text of the page at the moment it is prepared for printing. */
const notePrinted = `addEventListener('beforeprint', () => {
  const rows = document.querySelectorAll('tbody tr').length;
  globalThis.printed = { rows, text: document.body.innerText };
}, { once: true })`;

/** Returns the parts that scroll within the page. Paper would show only what is in view. */
const cutAtBottom = `[...document.querySelectorAll('main, [role=dialog], [role=dialog] *')]
  .filter((part) => part.getClientRects().length > 0 && /auto|scroll|hidden/.test(getComputedStyle(part).overflowY))
  .filter((part) => part.scrollHeight > part.clientHeight + 1)
  .map((part) => part.tagName + ' ' + part.className)`;
