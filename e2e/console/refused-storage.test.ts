import { after, before, test } from 'node:test';
import { ConsolePage, ownerName } from './console-page.ts';

let opened: ConsolePage;

before(async () => {
  opened = await ConsolePage.open();
});

after(() => opened?.close());

test('signing out leads to the sign-in in a browser that refuses its database', async () => {
  const { page } = opened;
  await page.addInitScript(
    "IDBFactory.prototype.open = () => { throw new DOMException('denied', 'SecurityError'); };",
  );
  await opened.goTo('users');
  await page.getByRole('button', { name: `Account: ${ownerName}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
