import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';

describe('the second factor in the settings of the console', () => {
  let opened: ConsolePage;
  /** Those that the page showed last, without those that the test has used. */
  let recoveryCodes: string[];
  let lastCode: string;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const section = () => opened.page.getByRole('region', { name: 'Second factor' });
  const dialog = () => opened.page.getByRole('dialog');
  const button = (name: string) => opened.page.getByRole('button', { name });
  const textbox = (name: string) => opened.page.getByRole('textbox', { name });

  function takeRecoveryCode(): string {
    const code = recoveryCodes.shift();
    assert(code !== undefined);
    return code;
  }

  /** Scans the secret, confirms it by a code, and stores the recovery codes. */
  async function confirmNewOne(action: string): Promise<void> {
    const secret = await textbox('Secret, if you cannot scan').inputValue();
    lastCode = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await dialog().getByRole('textbox', { name: 'Code' }).fill(lastCode);
    await dialog().getByRole('button', { name: action }).click();
    await storeCodes();
  }

  async function storeCodes(): Promise<void> {
    await dialog().getByText('The recovery codes are shown only once').waitFor();
    recoveryCodes = await dialog().getByRole('listitem').allInnerTexts();
    assert.equal(recoveryCodes.length, 10);
    const downloading = opened.page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Download' }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), 'fieldroster-recovery-codes.txt');
    const [title, , ...lines] = readFileSync(await download.path(), 'utf8').split('\n');
    assert.match(title ?? '', new RegExp(`^Fieldroster recovery codes of ${ownerName} at 127\\.0\\.0\\.1:`));
    assert.deepEqual(lines, [...recoveryCodes, '']);
    await opened.requireAccessible();
    await dialog().getByRole('button', { name: 'I have stored them' }).click();
    await section().getByText('10 recovery codes are left.').waitFor();
  }

  async function prove(code: string, action: string): Promise<void> {
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
    await dialog().getByRole('textbox', { name: 'Current code' }).fill(code);
    await dialog().getByRole('button', { name: action }).click();
  }

  test('once it is on, the section says how many recovery codes are left', async () => {
    await opened.visit('settings');
    await section().getByText('The second factor is off.').waitFor();
    await button('Turn on second factor').click();
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
    await button('Continue').click();
    await confirmNewOne('Turn on second factor');
  });

  test('makes new recovery codes, but not by a code that was used', async () => {
    await button('Make new recovery codes').click();
    await opened.requireAccessible();
    await prove(lastCode, 'Make new recovery codes');
    await dialog().getByText('wait for the next').waitFor();
    // The browser reports the refused call.
    opened.expectReports(401);
    const before = [...recoveryCodes];
    await prove(takeRecoveryCode(), 'Make new recovery codes');
    await storeCodes();
    assert.equal(new Set([...before, ...recoveryCodes]).size, 20);
  });

  test('a sign-in by a recovery code says how many are left', async () => {
    await button('Sign out everywhere').click();
    await textbox('Username').fill(ownerName);
    await textbox('Password').fill(ownerPassword);
    await button('Sign in').click();
    await textbox('Code').fill(takeRecoveryCode());
    await button('Sign in').click();
    await opened.shows('You signed in with a recovery code. 9 recovery codes are left.');
    // The browser reports the sign-in that was refused until it had a code.
    for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource: .*401/);
  });

  test('two recovery codes or fewer are a reason to warn, in the settings and at a sign-in', async () => {
    const credentials = { username: ownerName, password: ownerPassword };
    while (recoveryCodes.length > 2)
      await opened.change('POST', '/session', { ...credentials, code: takeRecoveryCode() });
    await opened.goTo('settings');
    await section().getByRole('alert').getByText('2 recovery codes are left.').waitFor();
    await opened.requireAccessible();
    await button('Sign out everywhere').click();
    await textbox('Username').fill(ownerName);
    await textbox('Password').fill(ownerPassword);
    await button('Sign in').click();
    await textbox('Code').fill(takeRecoveryCode());
    await button('Sign in').click();
    await opened.shows('1 recovery code is left. Make new ones in the settings.');
    await opened.requireAccessible();
    // The browser reports the sign-in that was refused until it had a code.
    for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource: .*401/);
  });

  test('the authenticator is replaced without turning it off', async () => {
    await opened.visit('settings');
    await button('Replace the authenticator').click();
    await dialog().getByText('The old authenticator works until').waitFor();
    await prove(takeRecoveryCode(), 'Continue');
    await textbox('Secret, if you cannot scan').waitFor();
    await opened.requireAccessible();
    // The notice is shown for four seconds.
    await Promise.all([
      confirmNewOne('Replace the authenticator'),
      opened.shows('The authenticator was replaced'),
    ]);
  });

  test('turning it off asks for a code as well', async () => {
    await button('Turn off second factor').click();
    await prove(takeRecoveryCode(), 'Turn off second factor');
    await section().getByText('The second factor is off.').waitFor();
    assert.equal(await section().getByText('recovery codes are left').count(), 0);
  });
});
