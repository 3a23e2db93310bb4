import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { acceptInvitation } from './accept-invitation.ts';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';
import { createAccount } from './create-account.ts';
import { countKeptImports, keepImport } from './kept-imports.ts';

const newPassword = 'another long passphrase';

/** Colours of the light theme. */
const fieldBorder = 'rgb(124, 136, 132)';
const accent = 'rgb(11, 107, 87)';

describe('the settings in the console', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const section = (name: string) => opened.page.getByRole('region', { name, exact: true });
  const dialog = () => opened.page.getByRole('dialog');
  const confirmWith = (password: string) =>
    dialog().getByRole('textbox', { name: 'Your password' }).fill(password);

  test('the only tenant is chosen for an operator who is invited', async () => {
    const { page } = opened;
    await opened.goTo('settings');
    await page.getByRole('button', { name: 'Invite operator' }).click();
    await dialog().getByText('default', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('every section leaves the same space below its content', async () => {
    const { page } = opened;
    await opened.visit('settings');
    await section('Retention').getByText('Failed calls').waitFor();
    await opened.settled();
    const margins = await page
      .getByRole('main')
      .getByRole('region')
      .evaluateAll((regions) =>
        regions.map((region) => {
          const { getComputedStyle } = region.ownerDocument.defaultView;
          return getComputedStyle(region.lastElementChild).marginBottom;
        }),
      );
    assert(margins.length > 5);
    assert.deepEqual(new Set(margins), new Set(['0px']));
  });

  test('a deployment without backups says how to make one and how to schedule them', async () => {
    const { page } = opened;
    for (const [language, title, firstStep] of [
      ['zh', '备份', '没有备份记录。可在服务器上运行以下命令来备份：'],
      ['en', 'Backups', 'None known. Make one on the server with'],
    ] as const) {
      await page.evaluate(`localStorage.setItem('fieldroster-language', '${language}')`);
      await opened.goTo('settings');
      const backups = page.getByRole('region', { name: title, exact: true });
      await backups.getByText(firstStep).waitFor();
      await backups.getByText('fieldroster backup --verify --to FILE', { exact: true }).waitFor();
      await backups.getByText('--backup-every --backup-to', { exact: true }).waitFor();
    }
  });

  test('a typed name of a tenant is lost only after a question', async () => {
    const { page } = opened;
    await opened.visit('settings');
    const name = section('Tenants').getByLabel('Name');
    await name.fill('Half a na');
    await page.getByRole('navigation').getByRole('link', { name: 'Stores' }).click();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    assert.equal(await name.inputValue(), 'Half a na');
    await page.getByRole('navigation').getByRole('link', { name: 'Stores' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { name: 'Stores', exact: true }).waitFor();
  });

  test('a tenant is created and can be chosen at once', async () => {
    await opened.visit('settings');
    await opened.requireAccessible();
    await section('Tenants').getByLabel('Name').fill('acme');
    await section('Tenants').getByRole('button', { name: 'Create tenant' }).click();
    await section('Tenants').getByRole('listitem').filter({ hasText: 'acme' }).waitFor();
  });

  test('an operator is invited by a link shown once, changed, disabled and enabled', async () => {
    const { page } = opened;
    await opened.visit('settings');
    await page.getByRole('button', { name: 'Invite operator' }).click();
    await page.locator('[role=dialog] input[type=radio]:focus').waitFor();
    await dialog().getByRole('radio', { name: 'Manager' }).check();
    const invite = dialog().getByRole('button', { name: 'Invite operator' });
    await confirmWith(ownerPassword);
    await invite.click();
    const tenants = dialog().getByRole('combobox', { name: 'Tenants' });
    const complaint = () => tenants.evaluate((field) => Reflect.get(field, 'validationMessage'));
    assert.equal(await complaint(), 'Choose at least one tenant.');
    await page.locator('[role=dialog] [role=combobox]:focus').waitFor();
    await tenants.fill('acme');
    await page.getByRole('option', { name: 'acme' }).click();
    assert.equal(await complaint(), '');
    await dialog().getByLabel('All tenants').check();
    await opened.requireAccessible();
    await confirmWith('a guess of the password');
    await invite.click();
    await dialog().getByText('The password is wrong.').waitFor();
    await confirmWith(ownerPassword);
    await invite.click();
    const link = await dialog().getByRole('textbox', { name: 'One-time link' }).inputValue();
    const token = new URL(link).hash.slice(1);
    await dialog().getByRole('button', { name: 'I have sent it' }).click();
    assert.equal((await page.content()).includes(token), false, 'the link is gone');
    const guest = await page.context().browser()?.newContext({ locale: 'en-GB' });
    assert(guest !== undefined);
    const theirs = await guest.newPage();
    await createAccount(theirs, link, 'lena', newPassword);
    await theirs.goto(`${opened.origin}/console/t/1/settings`);
    await theirs.getByRole('heading', { name: 'Settings' }).waitFor();
    assert.equal(await theirs.getByRole('heading', { name: 'Operators' }).count(), 0, 'not for a manager');
    await guest.close();
    await page.reload();
    const row = section('Operators').getByRole('listitem').filter({ hasText: 'lena' });
    await row.getByText(/ · last seen /).waitFor();
    await row.getByRole('button', { name: 'More: lena' }).click();
    await page.getByRole('menuitem', { name: 'Change role or tenants' }).click();
    await dialog().getByRole('radio', { name: 'Viewer' }).check();
    await confirmWith(ownerPassword);
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await row.getByText('Viewer').waitFor();
    await row.getByRole('button', { name: 'More: lena' }).click();
    await page.getByRole('menuitem', { name: 'Disable operator' }).click();
    await opened.requireAccessible();
    await confirmWith(ownerPassword);
    await dialog().getByRole('button', { name: 'Disable operator' }).click();
    await row.getByText('Disabled').waitFor();
    await row.getByRole('button', { name: 'More: lena' }).click();
    await page.getByRole('menuitem', { name: 'Make operator active' }).click();
    await confirmWith(ownerPassword);
    await page.keyboard.press('Enter');
    await row.getByText('Active').waitFor();
  });

  test('changing one right of an operator leaves those alone that another owner has changed meanwhile', async () => {
    const { page } = opened;
    const id = await acceptInvitation(opened, 'mina');
    const listed = async () => {
      const { data } = await (await page.request.get(`${opened.origin}/console/api/operators`)).json();
      const { role, all_tenants, tenant_ids } = data.operators.find((one: { id: number }) => one.id === id);
      return { role, all_tenants, tenant_ids };
    };
    const change = (rights: object) =>
      opened.change('PUT', '/operators', { id, password: ownerPassword, ...rights });
    const edit = async () => {
      await opened.goTo('settings');
      await page.getByRole('button', { name: 'More: mina' }).click();
      await page.getByRole('menuitem', { name: 'Change role or tenants' }).click();
      await dialog().getByRole('radio', { name: 'Viewer' }).waitFor();
    };
    const save = async () => {
      await confirmWith(ownerPassword);
      await dialog().getByRole('button', { name: 'Save changes' }).click();
      await dialog().waitFor({ state: 'detached' });
    };
    await edit();
    await change({ all_tenants: false, tenant_ids: [1] });
    await dialog().getByRole('radio', { name: 'Manager' }).check();
    await save();
    assert.deepEqual(await listed(), { role: 'manager', all_tenants: false, tenant_ids: [1] });
    await edit();
    await change({ role: 'viewer' });
    await dialog().getByLabel('All tenants').check();
    await save();
    assert.deepEqual(await listed(), { role: 'viewer', all_tenants: true, tenant_ids: [] });
  });

  test('a session that has ended keeps what is typed to find a tenant of an invited operator', async () => {
    const { page } = opened;
    await opened.goTo('settings');
    await page.getByRole('button', { name: 'Invite operator' }).click();
    await dialog().getByRole('radio', { name: 'Manager' }).check();
    await dialog().getByLabel('All tenants').uncheck();
    await confirmWith(ownerPassword);
    const field = dialog().getByRole('combobox');
    await field.fill('default');
    await page.getByRole('option', { name: 'default' }).click();
    await field.fill('acm');
    await page.context().clearCookies();
    await field.press('Enter');
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByRole('textbox', { name: 'Password' }).fill(ownerPassword);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    await field.and(page.locator(':focus')).waitFor();
    assert.equal(await field.inputValue(), 'acm');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'acme' }).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await field.inputValue(), '', 'nothing was chosen');
    opened.expectReports(401);
  });

  test('the second factor is turned on with recovery codes shown once, and off', async () => {
    const { page } = opened;
    await opened.visit('settings');
    await page.getByRole('button', { name: 'Turn on second factor' }).click();
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
    await dialog().getByRole('button', { name: 'Continue' }).click();
    await dialog().getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await opened.requireAccessible();
    const secret = await dialog().getByRole('textbox', { name: 'Secret, if you cannot scan' }).inputValue();
    await dialog().getByRole('textbox', { name: 'Code' }).fill('000000');
    await dialog().getByRole('button', { name: 'Turn on second factor' }).click();
    await dialog().getByText('The code is wrong, or you began more than an hour ago.').waitFor();
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await dialog().getByRole('textbox', { name: 'Code' }).fill(code);
    await dialog().getByRole('button', { name: 'Turn on second factor' }).click();
    await dialog().getByRole('listitem').first().waitFor();
    const recoveryCodes = await dialog().getByRole('listitem').allInnerTexts();
    assert.equal(recoveryCodes.length, 10);
    await dialog().getByRole('button', { name: 'I have stored them' }).click();
    await page.getByRole('button', { name: 'Turn off second factor' }).click();
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
    await dialog()
      .getByRole('textbox', { name: 'Current code' })
      .fill(recoveryCodes[0] ?? '');
    await dialog().getByRole('button', { name: 'Turn off second factor' }).click();
    await page.getByRole('button', { name: 'Turn on second factor' }).waitFor();
  });

  test('sessions are listed, and one and all others end at once', async () => {
    const { page } = opened;
    const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0';
    const iphone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';
    const windows = await signInElsewhere(firefox);
    const phones = [await signInElsewhere(iphone), await signInElsewhere(iphone)];
    await opened.visit('settings');
    const rows = section('Sessions').getByRole('listitem');
    await rows.filter({ hasText: 'Firefox on Windows' }).waitFor();
    assert.equal(await rows.count(), 4);
    const current = rows.filter({ hasText: 'This session' });
    assert.match(await current.innerText(), /Chrome on Linux\s+127\.0\.0\.1 · started .* · last used /);
    assert.equal(await current.getByRole('button').count(), 0, 'signing out is elsewhere');
    await opened.requireAccessible();
    await section('Sessions').getByRole('button', { name: 'End session: Firefox on Windows' }).click();
    await opened.requireAccessible();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 4, 'to cancel ends nothing');
    await section('Sessions').getByRole('button', { name: 'End session: Firefox on Windows' }).click();
    await dialog().getByRole('textbox', { name: 'Your password' }).fill('a wrong passphrase');
    await dialog().getByRole('button', { name: 'End session' }).click();
    await dialog().getByText('The password is wrong.').waitFor();
    opened.expectReports(401);
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
    await dialog().getByRole('button', { name: 'End session' }).click();
    await rows.filter({ hasText: 'Firefox on Windows' }).waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 3);
    await requireSignedOut(windows);
    await section('Sessions').getByRole('button', { name: 'End all other sessions' }).click();
    await dialog().getByText('2 other browsers will be signed out at once').waitFor();
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
    await dialog().getByRole('button', { name: 'End all other sessions' }).click();
    await rows.filter({ hasText: 'Safari on iPhone' }).first().waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 1);
    for (const phone of phones) await requireSignedOut(phone);
    await page.reload();
    await current.waitFor();
  });

  /** Signs the owner in with another browser, and leaves its page open. */
  async function signInElsewhere(userAgent: string): Promise<Page> {
    const context = await opened.page.context().browser()?.newContext({ locale: 'en-GB', userAgent });
    assert(context !== undefined);
    const page = await context.newPage();
    await page.goto(`${opened.origin}/console/`);
    await page.getByLabel('Username').fill(ownerName);
    await page.getByRole('textbox', { name: 'Password' }).fill(ownerPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    return page;
  }

  async function requireSignedOut(page: Page): Promise<void> {
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.context().close();
  }

  test('the field with the focus has a border in the accent', async () => {
    await opened.visit('settings');
    await section('Password').getByRole('textbox', { name: 'New password' }).focus();
    assert.deepEqual(await borderColors(), [fieldBorder, accent]);
  });

  /** Returns the border colours of the fields of the section “Password”, once nothing changes them any more. */
  async function borderColors(): Promise<string[]> {
    await opened.settled();
    const fields = section('Password').locator('.mantine-Input-input');
    return fields.evaluateAll((found) =>
      found.map((field) => field.ownerDocument.defaultView.getComputedStyle(field).borderTopColor),
    );
  }

  test('a new password counts, and signing out everywhere leads to the sign-in', async () => {
    const { page } = opened;
    await opened.visit('settings');
    await section('Password').getByRole('textbox', { name: 'Current password' }).fill('a wrong passphrase');
    await section('Password').getByRole('textbox', { name: 'New password' }).fill(newPassword);
    await section('Password').getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The password is wrong.').waitFor();
    await section('Password').getByRole('textbox', { name: 'Current password' }).fill(ownerPassword);
    await section('Password').getByRole('textbox', { name: 'New password' }).fill('Qwerty123456');
    await section('Password').getByRole('button', { name: 'Change password' }).click();
    await section('Password').getByText('This password is easy to guess.').waitFor();
    assert.equal(
      await section('Password').getByRole('alert').getByText('several unrelated words').count(),
      1,
    );
    opened.expectReports(400, 401);
    await section('Password').getByRole('textbox', { name: 'New password' }).fill(newPassword);
    await section('Password').getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    await keepImport(page);
    await section('Sessions').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.deepEqual(await countKeptImports(page), [0, 0]);
    await page.getByLabel('Username').fill(ownerName);
    await page.getByRole('textbox', { name: 'Password' }).fill(newPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});
