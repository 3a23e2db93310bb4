import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { hideIn, number, text, workbook, workbookOf } from '../../packages/tables/test/workbook.ts';
import { ConsolePage } from './console-page.ts';
import { chooseFile, openImport } from './import-file.ts';

describe('importing users in the console', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const button = (name: string | RegExp) => opened.page.getByRole('button', { name });
  const row = (name: string) => opened.page.getByRole('row').filter({ hasText: name });

  async function choose(name: string, content: string | Uint8Array): Promise<void> {
    await openImport(opened);
    await chooseFile(opened.page, name, content);
  }

  async function downloadResult(): Promise<string> {
    const download = opened.page.waitForEvent('download');
    await button('Download result').click();
    return readFileSync(await (await download).path(), 'utf8');
  }

  const csv = [
    'Login,Full name,Tel,Branch',
    'mara.okafor,Mara Okafor-Lind,+44 20 7946 0100,x',
    'new.one,New One,1,x',
    'new.two,=1+1,2,x',
    'new.one,Twice,3,x',
    ',Nobody,4,x',
  ].join('\n');

  test('hidden rows and a hidden sheet of a workbook are counted, before the preview and in it', async () => {
    const { page } = opened;
    const book = workbookOf([
      [1, text('username')],
      [2, text('hidden.a')],
      [3, text('hidden.b')],
      [4, text('hidden.c')],
    ]);
    const rows = page.getByText('2 rows are hidden in the sheet “Staff”. They are imported too');
    await choose('staff.xlsx', hideIn(book, { name: 'Staff', rows: [3, 4] }));
    await rows.waitFor();
    await opened.requireAccessible();
    await button('Show what would change').click();
    await button('Import 3 users').waitFor();
    await row('hidden.c').waitFor();
    await rows.waitFor();
    await choose('staff.xlsx', hideIn(book, { name: 'Old', state: 'hidden' }));
    await page
      .getByText('The first sheet, “Old”, is hidden in the workbook. Its 3 rows are imported')
      .waitFor();
    await page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await page.reload();
    await page.getByText('第一个工作表“Old”在工作簿中已隐藏').waitFor();
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await page.reload();
  });

  test('columns are mapped, the diff and the bad rows are seen first, and the result is downloaded', async () => {
    const { page } = opened;
    await choose('staff.csv', csv);
    await page.getByRole('cell', { name: /mara\.okafor · new\.one/ }).waitFor();
    await opened.requireAccessible();
    await page.getByRole('combobox', { name: 'Becomes: Tel' }).click();
    await page.getByRole('option', { name: 'Phone' }).click();
    await button('Show what would change').click();
    await row('mara.okafor').getByText('Name: Mara Okafor → Mara Okafor-Lind').waitFor();
    // The focus goes along.
    await page.locator(':focus').waitFor();
    await page.getByRole('columnheader', { name: 'What changes', exact: true }).waitFor();
    await row('new.one').getByText('The username is already in line 3').waitFor();
    await page.getByText('2 invalid rows will be skipped.').waitFor();
    await opened.requireAccessible();
    await page.getByText('Invalid 2').click();
    await row('new.two').waitFor({ state: 'detached' });
    await page.getByText('Username is missing').waitFor();
    await button('Import 3 users').click();
    await page.getByText('3 users imported; 2 rows were skipped', { exact: true }).waitFor();
    await row('Username is missing').waitFor();
    assert.equal(await row('new.two').count(), 0, 'the rows that were not imported are shown first');
    await page.getByText('New 2').waitFor();
    await page.getByRole('columnheader', { name: 'What changed, or why not', exact: true }).waitFor();
    await opened.requireAccessible();
    assert.equal(
      await downloadResult(),
      [
        '\ufeffline,username,outcome,message',
        '2,mara.okafor,updated,',
        '3,new.one,created,',
        '4,new.two,created,',
        '5,new.one,failed,"The username is already in line 3; a user has one row, with all of its stores"',
        '6,,failed,Username is missing',
        '',
      ].join('\n'),
    );
    await page.getByText('All 5').click();
    await row('new.two').click();
    await page.getByRole('dialog').getByRole('link', { name: 'Open user' }).click();
    // The address changes before the page does.
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
    await page.getByRole('dialog').getByText('new.two').first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Show changed users' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^3 users$/ })
      .waitFor();
    for (const name of ['Mara Okafor-Lind', 'New One', '=1+1']) await row(name).waitFor();
    await opened.requireAccessible();
    await page.reload();
    const filter = button(/^Changed since .*: remove this filter$/);
    await filter.waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^3 users$/ })
      .waitFor();
    await page.goBack();
    await page.getByText('3 users imported; 2 rows were skipped').waitFor();
    await page.goForward();
    await filter.click();
    await page.waitForURL(/users$/);
    await page
      .getByRole('status')
      .filter({ hasText: /^82 users$/ })
      .waitFor();
  });

  test('after an import of stores alone its users are shown, and after one that changed nobody the button says all', async () => {
    const { page } = opened;
    await choose('stores.csv', 'username,stores\nnew.one,N-001');
    await button('Show what would change').click();
    await button('Import 1 user').click();
    await page.getByRole('link', { name: 'Show changed users' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^1 user$/ })
      .waitFor();
    await row('New One').waitFor();
    await opened.change('POST', '/tenants/1/store', { code: 'X-9', name: 'Soon gone' });
    await choose('late.csv', 'username,stores\nlate.one,X-9');
    await button('Show what would change').click();
    await button('Import 1 user').waitFor();
    await opened.change('DELETE', '/tenants/1/store?code=X-9');
    await button('Import 1 user').click();
    await page.getByText('0 users imported; 1 row was skipped').waitFor();
    await page.getByText('Not imported 1').waitFor();
    await page.getByRole('link', { name: 'Show all users' }).click();
    await page.waitForURL(/users$/);
  });

  test('the mapping is remembered, and a file that says nothing new changes nothing', async () => {
    const { page } = opened;
    await choose('again.csv', csv);
    await button('Show what would change').waitFor();
    assert.equal(await page.getByRole('combobox', { name: 'Becomes: Tel' }).inputValue(), 'Phone');
    await button('Show what would change').click();
    await page.getByText('Unchanged 3').waitFor();
    await page.getByText('No row would change anything. 2 invalid rows will be skipped.').waitFor();
    assert.equal(await button('Import users').isDisabled(), true);
  });

  test('every field of a profile is recognised and imported', async () => {
    const { page } = opened;
    const names = 'username,real_name,nickname,gender,email,phone,department,unique_code,avatar';
    const values = 'all.fields,All Fields,Al,female,al@example.com,+1,North,E-77,https://example.com/al.png';
    await choose('fields.csv', `${names}\n${values}`);
    for (const [name, field] of [
      ['email', 'Email'],
      ['unique_code', 'Code'],
      ['nickname', 'Nickname'],
      ['gender', 'Gender'],
      ['avatar', 'Picture (URL)'],
    ]) {
      const becomes = page.getByRole('combobox', { name: `Becomes: ${name}` });
      await becomes.waitFor();
      assert.equal(await becomes.inputValue(), field);
    }
    let release = () => {};
    const compared = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/users/batch', async (route) => {
      await compared;
      await route.continue();
    });
    await button('Show what would change').click();
    await page.getByText('Comparing 0 of 1 row').waitFor();
    assert.equal(await button('Import users').isDisabled(), true, 'no number before it is known');
    release();
    await button('Import 1 user').click();
    await page.getByText('The import is complete').waitFor();
    await page.unroute('**/users/batch');
    const answer = await page.request.get(`${opened.origin}/console/api/tenants/1/user?username=all.fields`);
    const { id: _, ...user } = (await answer.json()).data as Record<string, unknown>;
    assert.deepEqual(Object.keys(user).length > 8, true);
    const [fields, cells] = [names.split(','), values.split(',')];
    const expected = Object.fromEntries(fields.map((field, index) => [field, cells[index]]));
    for (const [field, value] of Object.entries({ ...expected, gender: 2 }))
      assert.equal(user[field], value, field);
  });

  test('usual names of columns need no choice, and the list of roles has the ids that such a file names', async () => {
    const { page } = opened;
    await opened.goTo('roles');
    const role = page.getByRole('row').filter({ hasText: 'Regional manager' });
    await role.getByText('3', { exact: true }).waitFor();
    await choose('usual.csv', 'Login,Full name,Role,Store\nusual.one,Usual One,3,N-001');
    for (const [column, field] of [
      ['Login', 'Username'],
      ['Full name', 'Name'],
      ['Role', 'Role (name or ID)'],
      ['Store', 'Stores (codes, separated by ;)'],
    ]) {
      const becomes = page.getByRole('combobox', { name: `Becomes: ${column}` });
      await becomes.waitFor();
      assert.equal(await becomes.inputValue(), field);
    }
  });

  test('the problem of a missing role leads to the page that lists the roles', async () => {
    const { page } = opened;
    await choose('names.csv', 'username,role id\nrole.name,Boss\nrole.gone,99');
    await button('Show what would change').click();
    const wrong = 'No role is called "Boss"; enter the name of a role, or its ID. ';
    await row('role.name').getByText(wrong).waitFor();
    await row('role.gone').getByText('No role has ID 99. Each role’s ID is on the page “Roles”.').waitFor();
    await row('role.name').click();
    await page.getByRole('dialog').getByText(wrong).waitFor();
    await page.getByRole('dialog').getByRole('link', { name: 'Show all roles' }).click();
    await page.getByRole('heading', { name: 'Roles', exact: true }).waitFor();
    await page.goBack();
    await row('role.name').getByText(wrong).waitFor();
  });

  test('a workbook is read, and a file in another encoding once it is chosen', async () => {
    const { page } = opened;
    await choose('book.xlsx', workbook());
    await page.getByRole('cell', { name: /book\.a · 1001/ }).waitFor();
    const gbk = Buffer.concat([
      Buffer.from('username,real_name\ngbk,', 'latin1'),
      Buffer.from([0xc0, 0xee, 0xce, 0xb0]),
    ]);
    await choose('gbk.csv', gbk);
    await page.getByRole('alert').filter({ hasText: 'the text is not UTF-8' }).waitFor();
    await page.getByRole('combobox', { name: 'Encoding of the file' }).click();
    await page.getByRole('option', { name: 'GB18030' }).click();
    await page.getByRole('cell', { name: '李伟' }).waitFor();
  });

  test('the columns step shows what is read from a workbook: dates, and columns with the same name or without one', async () => {
    const { page } = opened;
    const names = [text('Username'), text('Role (id)'), text('Name'), text('Name'), text('')];
    const first = [text('kept.one'), number('2'), text('First'), text('Second'), text('aside')];
    const second = [text('kept.two'), number('45000', 1), number('45000.5', 1), text('x'), text('')];
    const rows = [names, first, second].map((cells, index) => [index + 2, cells.join('')] as const);
    await choose('kept.xlsx', workbookOf(rows));
    const rest = '1 column has no name in the first row and is left out.';
    await page.getByText(`2 rows in the first sheet · ${rest}`).waitFor();
    const becomes = (name: string) => page.getByRole('combobox', { name: `Becomes: ${name}`, exact: true });
    assert.equal(await becomes('Role (id)').inputValue(), 'Role (name or ID)');
    await page.getByRole('cell', { name: '2 · 2023-03-15' }).waitFor();
    await page.getByRole('cell', { name: 'First · 2023-03-15 12:00:00' }).waitFor();
    await page.getByRole('cell', { name: 'Second · x' }).waitFor();
    assert.equal(await becomes('Name').inputValue(), 'Name');
    assert.equal(await becomes('Name (2)').inputValue(), 'Leave out');
    await opened.requireAccessible();
    await button('Show what would change').click();
    await row('kept.one').getByText('Name: First').waitFor();
    await choose('cover.xlsx', workbookOf([]));
    await page.getByRole('alert').getByText('The first sheet is empty. Only this sheet is read').waitFor();
  });

  test('an import continues after a reload, and a batch whose answer is lost takes effect once', async () => {
    const { page } = opened;
    const names = Array.from({ length: 1200 }, (_, index) => `bulk.${index}`);
    await choose('bulk.csv', ['username,phone', ...names.map((name) => `${name},1`)].join('\n'));
    await button('Show what would change').click();
    const ids: (string | undefined)[] = [];
    const applied = Promise.withResolvers<void>();
    let isCut = false;
    await page.route('**/users/batch', async (route) => {
      const request = route.request();
      if (request.postData()?.includes('"dry_run":true') === true) return route.continue();
      ids.push(request.headers()['change-id']);
      if (isCut) return route.continue();
      isCut = true;
      // The server applies it; the page waits for the answer until it is closed.
      await route.fetch();
      applied.resolve();
    });
    await page.getByText('New 1,200').waitFor();
    await button('Import 1,200 users').click();
    await applied.promise;
    await page.reload();
    await page.getByText('The import is complete').waitFor();
    assert.equal(ids[0], ids[1], 'the same change is sent again');
    await page.unroute('**/users/batch');
    await page.getByText('Done 500').waitFor();
    await page.getByText('New 700').waitFor();
    await opened.goTo('audit?operation=batch-users');
    const result = await page.request.get(
      `${opened.origin}/console/api/tenants/1/users?search=bulk.&limit=500`,
    );
    const { users } = (await result.json()).data as { users: { revision: number }[] };
    assert.equal(users.length, 500);
    assert(users.every(({ revision }) => revision === 1));
    // The browser reports the call that was cut off and the repetition that was refused.
    for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource/);
  });
});
