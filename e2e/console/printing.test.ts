import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
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
      const shown = await page.locator('tbody tr').count();
      assert(shown < 80, 'on the screen, only the rows in view exist again');
      await page.emulateMedia({ colorScheme: null });
    });
  }

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
    assert.equal(await page.getByRole('navigation').filter({ visible: true }).count(), 0);
    assert.equal(await page.getByRole('table', { name: 'Users' }).filter({ visible: true }).count(), 0);
    assert.deepEqual(await page.evaluate(cutAtBottom), []);
    await page.emulateMedia({ media: null });
    const { sheets } = await print();
    assert(sheets >= 1);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('a page that is longer than the screen is printed to its end', async () => {
    const { page } = opened;
    await opened.goTo('audit');
    await page.locator('main ol > li').first().waitFor();
    const { sheets } = await print();
    assert(sheets >= 2, `${sheets} sheets`);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.getByRole('navigation').filter({ visible: true }).count(), 0);
    assert.deepEqual(await page.evaluate(cutAtBottom), []);
    await page.emulateMedia({ media: null });
  });
});

/** Notes what is there once the page has prepared itself for printing. */
const notePrinted = `addEventListener('beforeprint', () => {
  const rows = document.querySelectorAll('tbody tr').length;
  globalThis.printed = { rows, text: document.body.innerText };
}, { once: true })`;

/** Names what scrolls inside of the page, of which paper shows a part only. */
const cutAtBottom = `[...document.querySelectorAll('main, [role=dialog], [role=dialog] *')]
  .filter((part) => part.getClientRects().length > 0 && /auto|scroll|hidden/.test(getComputedStyle(part).overflowY))
  .filter((part) => part.scrollHeight > part.clientHeight + 1)
  .map((part) => part.tagName + ' ' + part.className)`;
