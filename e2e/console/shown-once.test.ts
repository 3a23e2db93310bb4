import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import type { Locator } from 'playwright-core';
import { ConsolePage, ownerPassword } from './console-page.ts';

describe('a dialog of the console while the server makes a secret', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const dialog = () => opened.page.getByRole('dialog').last();
  const button = (name: string) => opened.page.getByRole('button', { name, exact: true });
  const rotate = () => opened.page.getByRole('dialog', { name: 'Rotate secret' });

  /** Issues an application, opens it from the list, and opens the dialog that rotates its secret. Returns its APPID. */
  async function beginRotation(name: string): Promise<string> {
    const { page } = opened;
    const { appId } = await opened.issueApplication(name);
    await opened.goTo('applications');
    await page.getByRole('row').filter({ hasText: name }).click();
    await page.waitForURL((url) => url.pathname.endsWith(appId));
    await button('Rotate secret').click();
    return appId;
  }

  const confirm = () => dialog().getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);

  /** Presses a button whose answer comes only after every way to close the dialog was tried. */
  async function triesToLeave(path: string, action: Locator): Promise<void> {
    const { page } = opened;
    const made = Promise.withResolvers<void>();
    const tried = Promise.withResolvers<void>();
    await page.route(path, async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      const response = await route.fetch();
      made.resolve();
      await tried.promise;
      await route.fulfill({ response });
    });
    await action.click();
    await made.promise;
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 400);
    for (const name of ['Cancel', 'Close'])
      for (const way of await dialog().getByRole('button', { name, exact: true }).all())
        await way.evaluate((element) => Reflect.get(element, 'click').call(element));
    tried.resolve();
    await dialog().getByRole('alert').filter({ hasText: 'shown only once' }).waitFor();
    await page.unroute(path);
  }

  test('a new application is not closed, and shows its secret', async () => {
    const { page } = opened;
    await opened.goTo('applications');
    await button('Issue application').click();
    await page.getByLabel('Name').fill('Patient till');
    await triesToLeave(
      '**/tenants/1/applications',
      dialog().getByRole('button', { name: 'Issue application' }),
    );
    assert.match(await page.getByRole('textbox', { name: 'APPSECRET' }).inputValue(), /^\S{20}/);
    await button('I have stored it').click();
    await dialog().waitFor({ state: 'detached' });
  });

  test('a rotation is not closed, and shows the secret', async () => {
    const { page } = opened;
    const { appId } = await opened.issueApplication('Rotated till');
    await opened.goTo(`applications/${appId}`);
    await button('Rotate secret').click();
    await triesToLeave('**/applications/rotate', rotate().getByRole('button', { name: 'Rotate secret' }));
    assert.match(await page.getByRole('textbox', { name: 'APPSECRET' }).inputValue(), /^\S{20}/);
    await button('I have stored it').click();
  });

  test('a link for an operator is not closed', async () => {
    await opened.goTo('settings');
    await button('Invite operator').click();
    await confirm();
    await dialog().getByLabel('All tenants').check();
    await triesToLeave('**/api/operators', dialog().getByRole('button', { name: 'Invite operator' }));
    await button('I have sent it').click();
  });

  test('the second factor and its recovery codes are not closed', async () => {
    const { page } = opened;
    await opened.goTo('settings');
    await button('Turn on second factor').click();
    await confirm();
    await button('Continue').click();
    const secret = await page.getByRole('textbox', { name: 'Secret, if you cannot scan' }).inputValue();
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await dialog().getByRole('textbox', { name: 'Code' }).fill(code);
    await triesToLeave(
      '**/api/second-factor',
      dialog().getByRole('button', { name: 'Turn on second factor' }),
    );
    const [used = ''] = await dialog().getByRole('listitem').allInnerTexts();
    await button('I have stored them').click();
    await button('Make new recovery codes').click();
    await confirm();
    await dialog().getByRole('textbox', { name: 'Current code' }).fill(used);
    await triesToLeave(
      '**/api/recovery-codes',
      dialog().getByRole('button', { name: 'Make new recovery codes' }),
    );
    await button('I have stored them').click();
  });

  test('nobody leaves a secret that is not stored without being asked', async () => {
    const { page } = opened;
    const appId = await beginRotation('Remembered till');
    await rotate().getByRole('button', { name: 'Rotate secret' }).click();
    const secret = page.getByRole('textbox', { name: 'APPSECRET' });
    const shown = await secret.inputValue();
    await page.evaluate('history.back()');
    await page.getByRole('dialog', { name: 'Leave without storing this?' }).waitFor();
    await button('Stay').click();
    assert.equal(await secret.inputValue(), shown);
    const asked = page.waitForEvent('dialog');
    const reload = page.evaluate('location.reload()');
    const question = await asked;
    assert.equal(question.type(), 'beforeunload');
    await question.dismiss();
    await reload;
    assert.equal(await secret.inputValue(), shown);
    await button('I have stored it').click();
    await secret.waitFor({ state: 'detached' });
    await page.evaluate('history.back()');
    await page.waitForURL((url) => !url.pathname.includes(appId));
  });

  test('nobody leaves while a secret is made without being asked, and the question ends once it is shown', async () => {
    const { page } = opened;
    await beginRotation('Hasty till');
    const asked = Promise.withResolvers<void>();
    await page.route('**/applications/rotate', async (route) => {
      const response = await route.fetch();
      await asked.promise;
      await route.fulfill({ response });
    });
    await rotate().getByRole('button', { name: 'Rotate secret' }).click();
    await page.evaluate('history.back()');
    const question = page.getByRole('dialog', { name: 'Leave before it is shown?' });
    await question.waitFor();
    asked.resolve();
    await question.waitFor({ state: 'detached' });
    const secret = page.getByRole('textbox', { name: 'APPSECRET' });
    assert.match(await secret.inputValue(), /^\S{20}/);
    await page.unroute('**/applications/rotate');
    await page.evaluate('history.back()');
    await page.getByRole('dialog', { name: 'Leave without storing this?' }).waitFor();
    await button('Stay').click();
    await button('I have stored it').click();
    await secret.waitFor({ state: 'detached' });
  });
});
