import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Route } from 'playwright-core';
import { number, text, workbookOf } from '../../packages/tables/test/workbook.ts';
import { ConsolePage } from './console-page.ts';
import { chooseFile, openImport } from './import-file.ts';

describe('importing stores, organizations and roles in the console', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const button = (name: string | RegExp) => opened.page.getByRole('button', { name });
  const row = (text: string | RegExp) => opened.page.getByRole('row').filter({ hasText: text });

  async function choose(kind: string, name: string, content: readonly string[] | Uint8Array): Promise<void> {
    const { page } = opened;
    await openImport(opened);
    await page.getByRole('radiogroup').getByText(kind, { exact: true }).click();
    await page.getByRole('heading', { name: `Import ${kind.toLowerCase()}` }).waitFor();
    await chooseFile(page, name, content instanceof Uint8Array ? content : content.join('\n'));
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
    await row('Z-001').getByText('Line 4 already has this entry; remove one of the two lines').waitFor();
    await page.getByText('2 invalid rows will be skipped.').waitFor();
    await opened.requireAccessible();
    await button('Import 2 stores').click();
    await page.getByText('2 stores imported; 2 rows were skipped').waitFor();
    await row('1E+05').waitFor();
    assert.deepEqual(await downloadResult(), [
      '\ufeffline,code,outcome,message',
      '2,N-001,updated,',
      '3,N-002,unchanged,',
      '4,Z-001,created,',
      '5,Z-001,failed,"Line 4 already has this entry; remove one of the two lines"',
      '6,1E+05,failed,"Code is 1E+05, a number that a spreadsheet has shortened; format the column as text there, and enter the value again"',
    ]);
    const all = page.getByRole('link', { name: 'Show all stores' });
    assert.match((await all.getAttribute('href')) ?? '', /stores$/);
    await page.getByText('All 5').click();
    await row('Z-001').filter({ hasText: 'New' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Open store' }).click();
    await page.waitForURL(/stores\/Z-001$/);
    await page.getByRole('dialog').getByRole('heading', { name: 'Zebra Crossing Kiosk' }).waitFor();
    await opened.goTo('stores?search=Z-001');
    await row('Zebra Crossing Kiosk').getByText('1 High Street').waitFor();
  });

  test('stores: an import that is left while the rows of a refused batch are sent one by one writes every row', async () => {
    const { page } = opened;
    const codes = [0, 1, 2, 3, 4, 5, 6].map((number) => `Left-${number}`);
    await opened.change('POST', '/tenants/1/store', { code: codes[0], name: 'Kiosk' });
    await choose('Stores', 'left.csv', ['code,name', ...codes.map((code) => `${code},Kiosk`)]);
    await button('Show what would change').click();
    await row('Left-6').waitFor();
    const written = Promise.withResolvers<void>();
    let requests = 0;
    await page.route('**/stores', async (route) => {
      const body = route.request().postData() ?? '';
      // Stands for a rule that only the server knows: it refuses the last row, and so the whole batch.
      const postData = body.replace('"code":"Left-6","name":"Kiosk"', '"code":"Left-6","name":""');
      requests++;
      if (requests !== 3) return route.continue({ postData });
      // The server writes the second row; the page waits for the answer until it is closed.
      await route.fetch({ postData });
      written.resolve();
    });
    await button('Import 6 stores').click();
    await written.promise;
    await page.reload();
    await button('Download result').waitFor();
    await page.unroute('**/stores');
    assert.deepEqual((await downloadResult()).slice(1), [
      '2,Left-0,unchanged,',
      '3,Left-1,applied,',
      '4,Left-2,applied,',
      ...[3, 4, 5].map((number) => `${number + 2},Left-${number},created,`),
      '8,Left-6,failed,Name must not be empty',
    ]);
    await page.getByText('5 stores imported; 1 row was skipped').waitFor();
    await opened.goTo('stores?search=Left-');
    for (const code of codes.slice(0, 6)) await row(code).waitFor();
    // The browser reports the calls that were refused or cut off.
    for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource/);
  });

  test('stores: an import that is left twice, after its first row was refused, writes every other row once', async () => {
    const { page } = opened;
    const codes = [0, 1, 2, 3, 4].map((number) => `Twice-${number}`);
    await choose('Stores', 'twice.csv', ['code,name', ...codes.map((code) => `${code},Kiosk`)]);
    await button('Show what would change').click();
    await row('Twice-4').waitFor();
    let written = Promise.withResolvers<void>();
    const left = new Set(['Twice-1', 'Twice-3']);
    await page.route('**/stores', async (route) => {
      const body = route.request().postData() ?? '';
      // Stands for a rule that only the server knows: it refuses the first row, and so the whole batch.
      const postData = body.replace('"code":"Twice-0","name":"Kiosk"', '"code":"Twice-0","name":""');
      const [, only] = /^\{"stores":\[\{"code":"([^"]+)"[^{]*$/.exec(body) ?? [];
      if (only === undefined || !left.delete(only)) return route.continue({ postData });
      // The server writes the row; the page waits for the answer until it is closed.
      await route.fetch({ postData });
      written.resolve();
    });
    await button('Import 5 stores').click();
    await written.promise;
    written = Promise.withResolvers<void>();
    await page.reload();
    await written.promise;
    await page.reload();
    await button('Download result').waitFor();
    await page.unroute('**/stores');
    assert.deepEqual((await downloadResult()).slice(1), [
      '2,Twice-0,failed,Name must not be empty',
      ...[1, 2, 3].map((number) => `${number + 2},Twice-${number},applied,`),
      '6,Twice-4,created,',
    ]);
    await opened.goTo('stores?search=Twice-');
    for (const code of codes.slice(1)) await row(code).waitFor();
    // The browser reports the calls that were refused or cut off.
    for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource/);
  });

  test('stores: an import whose answer was lost counts only the rows that needed a change', async () => {
    const { page } = opened;
    await choose('Stores', 'lost.csv', ['code,name', 'Left-0,Kiosk', 'Lost-1,Kiosk', 'Lost-2,Kiosk']);
    await button('Show what would change').click();
    const written = Promise.withResolvers<void>();
    const answerNothing = async (route: Route) => {
      // The server writes the rows; the page waits for the answer until it is closed.
      await route.fetch();
      written.resolve();
    };
    await page.route('**/stores', answerNothing, { times: 1 });
    await button('Import 2 stores').click();
    await written.promise;
    await page.reload();
    await page.getByText('The import is complete').waitFor();
    await page.unroute('**/stores');
    await page.getByText('Done 2', { exact: true }).waitFor();
    assert.deepEqual((await downloadResult()).slice(1), [
      '2,Left-0,unchanged,',
      '3,Lost-1,applied,',
      '4,Lost-2,applied,',
    ]);
    // The browser reports the call that was cut off.
    for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource/);
  });

  test('stores: a wrong row shows the code that was read, and never a name in its place', async () => {
    await choose('Stores', 'wrong.csv', [
      'code,name,address',
      ',Corner Shop,2 High Street',
      'W-301,Too Short',
      'W-302,Right,',
    ]);
    await button('Show what would change').click();
    await row('Code is missing').getByText('No code: Corner Shop', { exact: true }).waitFor();
    await row(/^W-301/)
      .getByText('W-301', { exact: true })
      .waitFor();
    await opened.requireAccessible();
    await button('Import 1 store').click();
    const [, withoutCode = '', tooShort = ''] = await downloadResult();
    assert.match(withoutCode, /^2,,failed,/);
    assert.match(tooShort, /^3,W-301,failed,/);
  });

  test('stores: a code that differs from another one in case only is imported, after a warning that names the other', async () => {
    const { page } = opened;
    await choose('Stores', 'case.csv', [
      'code,name',
      'W-018,Willow Kiosk',
      'w-018,Willow Kiosk',
      'n-001,Pier Street',
    ]);
    await button('Show what would change').click();
    const warning = page.getByRole('alert').filter({ hasText: '2 new codes differ from others' });
    await warning.getByText('w-018 (line 3) differs from W-018 (line 2) only in case;').waitFor();
    await warning.getByText('n-001 (line 4) differs from the existing N-001 only in case.').waitFor();
    await row(/^n-001/)
      .getByText('Differs from the existing N-001 only in case')
      .waitFor();
    await opened.requireAccessible();
    await page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await page.reload();
    await page.getByText('有 2 个新编号与其他编号仅大小写不同').waitFor();
    await page.getByText('第 3 行的 w-018 与第 2 行的 W-018 仅大小写不同').waitFor();
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await page.reload();
    await button('Import 3 stores').click();
    await page.getByText('The import is complete').waitFor();
    await opened.change('DELETE', '/tenants/1/store?code=w-018');
    await opened.change('DELETE', '/tenants/1/store?code=n-001');
    await opened.change('DELETE', '/tenants/1/store?code=W-018');
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
    await row('902').getByText('There is no organization 999999').waitFor();
    await button('Import 2 organizations').click();
    await page.getByText('2 organizations imported; 1 row was skipped').waitFor();
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
    const applied = Promise.withResolvers<void>();
    await page.route('**/role', async (route) => {
      ids.push(route.request().headers()['change-id']);
      if (ids.length !== 1) return route.continue();
      // The server applies it; the page waits for the answer until it is closed.
      await route.fetch();
      applied.resolve();
    });
    await button('Import 12 roles').click();
    await applied.promise;
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

  test('a workbook of each kind is read, with its numbers and without what it has rounded', async () => {
    const { page } = opened;
    const cells = (...values: readonly string[]) => values.map((value) => text(value)).join('');
    const stores = workbookOf([
      [1, cells('code', 'name', 'address')],
      [2, number('7001') + cells('Numbered Kiosk', '1 Low Street')],
      [3, number('1.3800138000123501E+17') + cells('Rounded', '')],
    ]);
    await choose('Stores', 'stores.xlsx', stores);
    await button('Show what would change').click();
    await row('7001').getByText('Numbered Kiosk').waitFor();
    await page.getByText('1 invalid row will be skipped.').waitFor();
    await button('Import 1 store').click();
    await page.getByText('1 store imported; 1 row was skipped').waitFor();
    const [, created, failed] = await downloadResult();
    assert.equal(created, '2,7001,created,');
    assert.match(failed ?? '', /^3,.*,failed,.*a number/);
    const orgs = workbookOf([
      [1, cells('id', 'name', 'parent_id')],
      [2, number('9007199254740993') + cells('Rounded region', '1')],
      [3, number('910') + cells('Region of a workbook') + number('1')],
    ]);
    await choose('Organizations', 'orgs.xlsx', orgs);
    await button('Show what would change').click();
    await button('Import 1 organization').click();
    await page.getByText('1 organization imported; 1 row was skipped').waitFor();
    await choose(
      'Roles',
      'roles.xlsx',
      workbookOf([
        [1, cells('name')],
        [2, cells('Role of a workbook')],
      ]),
    );
    await button('Show what would change').click();
    await button('Import 1 role').click();
    await page.getByText('The import is complete').waitFor();
    await opened.goTo('orgs');
    await page.getByRole('link', { name: 'Region of a workbook' }).waitFor();
    await opened.goTo('roles');
    await row('Role of a workbook').waitFor();
  });

  const noZip = new Uint8Array([0x50, 0x4b, 3, 4, 1, 2, 3]);
  for (const [name, content, reason] of [
    ['stores.xlsx', noZip, /cannot be read as a workbook/],
    ['orgs.xlsx', new TextEncoder().encode('id,name'), /cannot be read as a workbook/],
    ['roles.pdf', ['id,name', '1,x'], /roles\.pdf must end in \.csv or \.xlsx/],
    ['stores.csv', new Uint8Array(), /The file is empty\. Its first row must name the columns\./],
    ['roles.csv', ['id,name', '"1,x'], /quote/],
  ] as const) {
    test(`a file that cannot be read says why, and another one can be chosen: ${name}, ${reason}`, async () => {
      const { page } = opened;
      const [kind = ''] = name.split('.');
      await choose({ stores: 'Stores', orgs: 'Organizations' }[kind] ?? 'Roles', name, content);
      await page.getByRole('alert').filter({ hasText: reason }).waitFor();
      assert.equal(await button('Show what would change').count(), 0);
      await opened.requireAccessible();
      await button('Choose another file').click();
      await button('Choose file').waitFor();
    });
  }

  for (const [isLate, name] of [
    [true, 'Role that arrived'],
    [false, 'Role that was lost'],
  ] as const) {
    test(`roles: a change that is sent again too late takes effect once: ${name}`, async () => {
      const { page } = opened;
      await choose('Roles', 'late.csv', ['id,name', `,${name}`]);
      await button('Show what would change').click();
      await button('Import 1 role').waitFor();
      const answers: string[] = [];
      const sent = Promise.withResolvers<void>();
      await page.route('**/role', async (route) => {
        const headers = route.request().headers();
        if (answers.length === 0) {
          answers.push('none');
          if (isLate) await route.fetch();
          // The page waits for the answer until it is closed.
          return sent.resolve();
        }
        // The server refuses changes that are older than a minute, as this one is after a long absence.
        const tooOld = { ...headers, 'change-id': '01900000-0000-7000-8000-000000000000' };
        const answer = await route.fetch(answers.length === 1 ? { headers: tooOld } : {});
        answers.push(String(((await answer.json()) as { code: number }).code));
        return route.fulfill({ response: answer });
      });
      await button('Import 1 role').click();
      await sent.promise;
      await page.reload();
      await page.getByText('The import is complete').waitFor();
      assert.deepEqual(answers, isLate ? ['none', '1012'] : ['none', '1012', '0']);
      await page.getByText(isLate ? 'Done 1' : 'New 1', { exact: true }).waitFor();
      await page.unroute('**/role');
      await opened.goTo('roles');
      await row(name).waitFor();
      assert.equal(await row(name).count(), 1);
      // The browser reports the call that was cut off and the one that was refused.
      for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource/);
    });
  }

  for (const [path, empty, title] of [
    ['users', 'No users yet', 'Import users'],
    ['stores', 'No stores yet', 'Import stores'],
    ['orgs', 'No organizations yet', 'Import organizations'],
    ['roles', 'No roles yet', 'Import roles'],
  ] as const) {
    test(`the empty list of ${path} offers to import a file beside adding one entry, also on a phone`, async () => {
      const { page } = opened;
      const { id } = await opened.change('POST', '/tenants', { name: `without ${path}` });
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${opened.origin}/console/t/${id}/${path}`);
      await page.getByText(empty, { exact: true }).waitFor();
      await opened.requireAccessible();
      await page.getByRole('main').getByRole('link', { name: 'Import', exact: true }).click();
      await page.getByRole('heading', { name: title }).waitFor();
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  }
});
