import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';
import { createAccount } from './create-account.ts';

const guestPassword = 'another long passphrase';

describe('links that nobody has used yet, in the console', () => {
  let opened: ConsolePage;
  let guest: BrowserContext;

  before(async () => {
    opened = await ConsolePage.open();
    const context = await opened.page.context().browser()?.newContext({ locale: 'en-GB' });
    assert(context !== undefined);
    guest = context;
  });

  after(async () => {
    await guest?.close();
    await opened?.close();
  });

  const links = () => opened.page.getByRole('list', { name: 'Open links' }).getByRole('listitem');
  const dialog = () => opened.page.getByRole('dialog');
  const button = (name: string) => opened.page.getByRole('button', { name, exact: true });

  async function invite(role: 'Viewer' | 'Manager' | 'Owner'): Promise<string> {
    await button('Invite operator').click();
    await dialog().getByRole('radio', { name: role }).check();
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
    await dialog().getByRole('button', { name: 'Invite operator' }).click();
    const link = await dialog().getByRole('textbox', { name: 'One-time link' }).inputValue();
    await button('I have sent it').click();
    return link;
  }

  async function askToWithdraw(name: string): Promise<void> {
    await button(`Withdraw: ${name}`).click();
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
  }

  const withdraw = () => dialog().getByRole('button', { name: 'Withdraw link' }).click();

  async function openAsGuest(link: string): Promise<Page> {
    const page = await guest.newPage();
    await page.goto(link);
    return page;
  }

  test('an invitation is listed from the moment it is made, and ends when it is withdrawn', async () => {
    const { page } = opened;
    await opened.visit('settings');
    await button('Invite operator').waitFor();
    assert.equal(await links().count(), 0);
    const link = await invite('Manager');
    const row = links().filter({ hasText: 'Invitation: Manager' });
    await row.waitFor();
    assert.match(
      await row.innerText(),
      new RegExp(`default · made by ${ownerName} · expires in (1 hr|60 min|59 min)`),
    );
    assert.equal((await page.content()).includes(new URL(link).hash.slice(1)), false, 'the token is gone');
    const theirs = await openAsGuest(link);
    await theirs.getByRole('heading', { name: 'Create your account' }).waitFor();
    await opened.requireAccessible();
    await askToWithdraw('Invitation: Manager');
    await dialog().getByText(`default · made by ${ownerName}`).waitFor();
    await opened.requireAccessible();
    await button('Cancel').click();
    await dialog().waitFor({ state: 'detached' });
    assert.equal(await links().count(), 1, 'to cancel ends nothing');
    await askToWithdraw('Invitation: Manager');
    await dialog().getByRole('textbox', { name: 'Your password' }).fill('a wrong passphrase');
    await withdraw();
    await dialog().getByText('The password is wrong.').waitFor();
    opened.expectReports(401);
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
    await withdraw();
    await page.getByText('Link withdrawn').waitFor();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Operators' }).and(page.locator(':focus')).waitFor();
    await theirs.getByLabel('Username').fill('stranger');
    await theirs.getByRole('textbox', { name: 'Password' }).fill(guestPassword);
    await theirs.getByRole('button', { name: 'Create account' }).click();
    await theirs.getByText('This link cannot be used.').waitFor();
    await theirs.reload();
    await theirs.getByText('This link no longer works').waitFor();
    await theirs.getByText('It was used, expired or withdrawn.').waitFor();
  });

  test('a link that was used meanwhile says so, and the list shows its operator instead', async () => {
    const { page } = opened;
    await opened.visit('settings');
    const link = await invite('Viewer');
    await askToWithdraw('Invitation: Viewer');
    await createAccount(await guest.newPage(), link, 'quick', guestPassword);
    await withdraw();
    await dialog().getByText('This link is no longer open').waitFor();
    opened.expectReports(404);
    await button('Cancel').click();
    const operators = page.getByRole('region', { name: 'Operators' });
    await operators.getByRole('listitem').filter({ hasText: 'quick' }).waitFor();
    await links().waitFor({ state: 'detached' });
  });

  test('a link says nothing of its purpose until the server has told it', async () => {
    const page = await openAsGuest('about:blank');
    const held = Promise.withResolvers<void>();
    await page.route(/\/console\/api\/link/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${opened.origin}/console/link#unknown`);
    await page.getByRole('heading', { name: 'Checking your link…' }).waitFor();
    held.resolve();
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await page.close();
  });

  test('a reset link is listed with its operator, and the audit names what was withdrawn', async () => {
    const { page } = opened;
    await opened.visit('settings');
    await button('More: quick').click();
    await page.getByRole('menuitem', { name: 'Make reset link' }).click();
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
    await dialog().getByRole('button', { name: 'Make reset link' }).click();
    await button('I have sent it').click();
    await askToWithdraw('Reset link for quick');
    await withdraw();
    await links().waitFor({ state: 'detached' });
    await opened.visit('audit?of=deployment');
    const withdrawals = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: 'Withdrew a one-time link' });
    await withdrawals.filter({ hasText: 'Manager' }).waitFor();
    const ofReset = withdrawals.filter({ hasText: 'quick' });
    await ofReset.filter({ hasText: new RegExp(`Made by.*${ownerName}`, 's') }).waitFor();
    assert.doesNotMatch(await ofReset.innerText(), /\dT\d/, 'a time is written as the reader writes it');
  });
});
