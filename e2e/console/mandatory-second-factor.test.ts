import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';
import { countKeptImports, keepImport } from './kept-imports.ts';

describe('a mandatory second factor in the console', () => {
  let opened: ConsolePage;
  let secret: string;
  let recoveryCodes: readonly string[];

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const heading = (name: string) => opened.page.getByRole('heading', { name });
  const textbox = (name: string) => opened.page.getByRole('textbox', { name });
  const button = (name: string) => opened.page.getByRole('button', { name });

  test('once the server requires it, the next call leads to its set-up', async () => {
    await opened.goTo('users');
    await heading('Users').waitFor();
    await opened.server.stop();
    await opened.restartServer('--second-factor', 'owners');
    await opened.page.getByRole('link', { name: 'Audit' }).click();
    await heading('Set up your second factor').waitFor();
    // The page asks on while the server is gone.
    await opened.settled();
    // The server may also have ended in the middle of a call.
    opened.expectReports(
      403,
      'net::ERR_CONNECTION_REFUSED',
      'net::ERR_CONNECTION_RESET',
      'net::ERR_EMPTY_RESPONSE',
    );
    await opened.requireAccessible();
  });

  test('there is no way around it but signing out', async () => {
    await opened.goTo('audit');
    await heading('Set up your second factor').waitFor();
    await keepImport(opened.page);
    await button('Sign out').click();
    await heading('Sign in').waitFor();
    assert.deepEqual(await countKeptImports(opened.page), [0, 0]);
    await textbox('Username').fill(ownerName);
    await textbox('Password').fill(ownerPassword);
    await button('Sign in').click();
    await heading('Set up your second factor').waitFor();
  });

  test('a session that ends before it is set up leads back to the sign-in', async () => {
    await opened.page.context().clearCookies();
    await textbox('Your password').fill(ownerPassword);
    await button('Continue').click();
    await heading('Sign in').waitFor();
    await textbox('Username').fill(ownerName);
    await textbox('Password').fill(ownerPassword);
    await button('Sign in').click();
    await heading('Set up your second factor').waitFor();
    // The browser reports the refused call.
    opened.expectReports(401);
  });

  test('setting it up shows the recovery codes, and then the page that was asked for', async () => {
    const { page } = opened;
    await opened.goTo('roles');
    await textbox('Your password').fill(ownerPassword);
    await button('Continue').click();
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await textbox('Code').and(page.locator(':focus')).waitFor();
    await opened.requireAccessible();
    secret = await textbox('Secret, if you cannot scan').inputValue();
    await textbox('Code').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await button('Turn on second factor').click();
    await page.getByRole('listitem').first().waitFor();
    recoveryCodes = await page.getByRole('listitem').allInnerTexts();
    assert.equal(recoveryCodes.length, 10);
    await button('I have stored them').click();
    await heading('Roles').waitFor();
    await page.getByRole('row').filter({ hasText: 'Sales representative' }).waitFor();
  });

  test('the settings offer to replace it, not to turn it off', async () => {
    await opened.visit('settings');
    await button('Replace the authenticator').waitFor();
    assert.equal(await button('Turn off second factor').count(), 0);
    await button('Replace the authenticator').click();
    const dialog = opened.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
    await dialog.getByRole('textbox', { name: 'Current code' }).fill(recoveryCodes[0] ?? '');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const next = dialog.getByRole('textbox', { name: 'Secret, if you cannot scan' });
    const nextSecret = await next.inputValue();
    assert.notEqual(nextSecret, secret);
    await dialog
      .getByRole('textbox', { name: 'Code' })
      .fill(new TOTP({ secret: Secret.fromBase32(nextSecret) }).generate());
    await dialog.getByRole('button', { name: 'Replace the authenticator' }).click();
    await button('I have stored them').click();
    await opened.shows('10 recovery codes are left.');
  });
});

test('a session that ends while the recovery codes are shown leads back to the sign-in once they are stored', async (t) => {
  const opened = await ConsolePage.open();
  t.after(() => opened.close());
  const { page } = opened;
  await page.clock.install();
  const button = (name: string) => page.getByRole('button', { name });
  await opened.goTo('users');
  await page.getByRole('heading', { name: 'Users' }).waitFor();
  await opened.server.stop();
  await opened.restartServer('--second-factor', 'owners');
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
  await button('Continue').click();
  const secret = await page.getByRole('textbox', { name: 'Secret, if you cannot scan' }).inputValue();
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await button('Turn on second factor').click();
  await page.getByRole('listitem').first().waitFor();
  const other = await page.context().newPage();
  await other.goto(`${opened.origin}/console/t/1`);
  await other.getByRole('button', { name: `Account: ${ownerName}` }).click();
  await other.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  // The page asks who is signed in again when it is looked at after a minute.
  await page.clock.fastForward('01:30');
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
  await opened.settled();
  assert.equal(await page.getByRole('listitem').count(), 10);
  await button('I have stored them').click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  // The browser reports the refused calls.
  opened.expectReports(401, 403);
});
