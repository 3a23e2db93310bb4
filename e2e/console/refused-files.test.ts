import { after, before, test } from 'node:test';
import { ConsolePage } from './console-page.ts';
import { chooseFile, openImport } from './import-file.ts';

let opened: ConsolePage;

before(async () => {
  opened = await ConsolePage.open();
});

after(() => opened?.close());

const csv = 'username,real_name\nprivate.one,Private One\nprivate.two,Private Two';

const button = (name: string) => opened.page.getByRole('button', { name });

/** Refuses some of what the import keeps, the way private windows of Safari do: the whole transaction fails later. */
async function refuse(condition: string): Promise<void> {
  await opened.page.addInitScript(`{
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (value, ...key) {
      if (!(${condition})) return put.call(this, value, ...key);
      // The database refuses a second record with the key of the first.
      this.add({ owner: 'refused' });
      return this.add({ owner: 'refused' });
    };
  }`);
}

test('an import runs to its end, across a reload, in a browser that keeps bytes but no files', async () => {
  const { page } = opened;
  await refuse('value.file instanceof Blob');
  await page.reload();
  await openImport(opened);
  await chooseFile(page, 'staff.csv', csv);
  await button('Show what would change').waitFor();
  await page.reload();
  await button('Show what would change').click();
  await button('Import 2 users').click();
  await button('Download result').waitFor();
});

test('a browser that keeps nothing says so when a file is chosen', async () => {
  const { page } = opened;
  await openImport(opened);
  await refuse('value.file !== undefined');
  await page.reload();
  await chooseFile(page, 'staff.csv', csv);
  await page.getByRole('alert').getByText('That did not work').waitFor();
  await button('Choose file').waitFor();
});
