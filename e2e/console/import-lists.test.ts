import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { ConsolePage } from './console-page.ts';

describe('importing stores, organizations and roles in the console', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const button = (name: string | RegExp) => opened.page.getByRole('button', { name });
  const row = (text: string | RegExp) => opened.page.getByRole('row').filter({ hasText: text });

  async function choose(kind: string, name: string, lines: readonly string[]): Promise<void> {
    const { page } = opened;
    await opened.goTo('import');
    const again = button(/^(Import another file|Choose another file|Choose file)$/).first();
    await again.waitFor();
    if ((await again.innerText()) !== 'Choose file') await again.click();
    await page.getByRole('radiogroup').getByText(kind, { exact: true }).click();
    await page.getByRole('heading', { name: `Import ${kind.toLowerCase()}` }).waitFor();
    const chosen = page.waitForEvent('filechooser');
    await button('Choose file').click();
    await (await chosen).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  }

  async function downloadResult(): Promise<string[]> {
    const download = opened.page.waitForEvent('download');
    await button('Download result').click();
    return readFileSync(await (await download).path(), 'utf8')
      .trimEnd()
      .split('\n');
  }

  test('stores: the diff and the bad rows are seen first, and only differences are written', async () => {
    const { page } = opened;
    await choose('Stores', 'stores.csv', [
      'Store code,Store name,Where',
      'N-001,Harbour Foods Pier Street,5 Pier Street',
      'N-002,Harbour Foods Lighthouse,',
      'Z-001,Zebra Crossing Kiosk,1 High Street',
      'Z-001,Twice,',
      '1E+05,Shortened,',
    ]);
    await page.getByRole('combobox', { name: 'Becomes: Where' }).click();
    await page.getByRole('option', { name: 'Address' }).click();
    await button('Show what would change').click();
    await row('N-001').getByText('Address: 4 Pier Street, Northport → 5 Pier Street').waitFor();
    await row('Z-001').getByText('the same is already in line 4').waitFor();
    await page.getByText('2 wrong rows are left out.').waitFor();
    await opened.requireAccessible();
    await button('Import 2 stores').click();
    await page.getByText('The import is complete').waitFor();
    assert.deepEqual(await downloadResult(), [
      '\ufeffline,code,outcome,message',
      '2,N-001,updated,',
      '3,N-002,unchanged,',
      '4,Z-001,created,',
      '5,Z-001,failed,the same is already in line 4',
      '6,1E+05,failed,"code is 1E+05, a number that a spreadsheet has shortened; format the column as text there, and enter the value again"',
    ]);
    await opened.goTo('stores?search=Z-001');
    await row('Zebra Crossing Kiosk').getByText('1 High Street').waitFor();
  });

  test('organizations: parents come first, and one below nothing is wrong', async () => {
    const { page } = opened;
    await choose('Organizations', 'orgs.csv', [
      'id,name,parent_id',
      '901,Below the new one,900',
      '900,New region,1',
      '902,Lost,999999',
    ]);
    await button('Show what would change').click();
    await row('902').getByText('there is no organization 999999').waitFor();
    await button('Import 2 organizations').click();
    await page.getByText('The import is complete').waitFor();
    assert.deepEqual((await downloadResult()).slice(1, 3), ['2,901,created,', '3,900,created,']);
    await opened.goTo('orgs');
    await page.getByRole('link', { name: 'Below the new one' }).waitFor();
  });

  test('roles: after a reload whose answer was lost, a role without an id exists once', async () => {
    const { page } = opened;
    const names = Array.from({ length: 12 }, (_, index) => `Imported role ${index}`);
    await choose('Roles', 'roles.csv', [
      'id,name',
      ',Imported role 0',
      ...names.slice(1).map((name) => `,${name}`),
    ]);
    await button('Show what would change').click();
    const ids: (string | undefined)[] = [];
    await page.route('**/role', async (route) => {
      ids.push(route.request().headers()['change-id']);
      if (ids.length !== 1) return route.continue();
      // The server applies it; the page never hears of it.
      await route.fetch();
      return route.abort();
    });
    await Promise.all([page.waitForEvent('requestfailed'), button('Import 12 roles').click()]);
    await page.reload();
    await page.getByText('The import is complete').waitFor();
    assert.equal(ids[0], ids[1], 'the same change is sent again');
    await page.getByText('New 11').waitFor();
    await page.getByText('Done 1', { exact: true }).waitFor();
    await page.unroute('**/role');
    await opened.goTo('roles');
    await row('Imported role 11').waitFor();
    assert.equal(await row(/Imported role 0/).count(), 1);
    // The browser reports the call that was cut off and the repetition that was refused.
    for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource/);
  });

  test('roles: an id that exists is changed, and the same file again changes nothing', async () => {
    const { page } = opened;
    const lines = ['id,name,description', '1,Sales representative,Knows every shop'];
    await choose('Roles', 'again.csv', lines);
    await button('Show what would change').click();
    await page.getByText(/Description: .+ → Knows every shop/).waitFor();
    await button('Import 1 role').click();
    await page.getByText('The import is complete').waitFor();
    await choose('Roles', 'again.csv', lines);
    await button('Show what would change').click();
    await page.getByText('There is nothing to import').waitFor();
  });
});
