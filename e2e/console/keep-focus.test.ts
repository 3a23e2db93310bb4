import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { acceptInvitation } from './accept-invitation.ts';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';

describe('the keyboard in the console', () => {
  let opened: ConsolePage;
  const backups = mkdtempSync(join(tmpdir(), 'fieldroster-backups-'));

  before(async () => {
    opened = await ConsolePage.open('--backup-to', backups, '--backup-every', '1d');
  });

  after(async () => {
    await opened?.close();
    rmSync(backups, { recursive: true, force: true });
  });

  const button = (name: string | RegExp) => opened.page.getByRole('button', { name, exact: true });
  const row = (name: string) => opened.page.getByRole('row').filter({ hasText: name });
  const region = (name: string) => opened.page.getByRole('region', { name });
  const dialog = (name: string) => opened.page.getByRole('dialog', { name, exact: true });
  const menuOf = (name: string) => button(`More: ${name}`);

  /** Returns the first line of text in the row beside the named one. */
  async function lineBeside(name: string, side: 'following' | 'preceding'): Promise<string> {
    const beside = row(name).locator(`xpath=${side}-sibling::tr[1]`);
    const text = await beside.getByRole('cell').filter({ hasText: /\S/ }).first().innerText();
    return text.split('\n')[0] ?? '';
  }

  const hasFocus = (element: Locator) => element.and(opened.page.locator(':focus')).waitFor();

  const withinDialog = () => opened.page.locator('[role=dialog]:focus-within').waitFor();

  async function press(element: Locator): Promise<void> {
    await element.focus();
    await opened.page.keyboard.press('Enter');
  }

  async function choose(name: string, action: string): Promise<void> {
    await press(menuOf(name));
    await opened.page.locator('[role=menu]:focus-within').waitFor();
    await press(opened.page.getByRole('menuitem', { name: action }));
  }

  /** Types a name to confirm what cannot be undone. */
  async function confirm(name: string): Promise<void> {
    await opened.page.getByLabel(/^Type /).fill(name);
    await opened.page.keyboard.press('Enter');
    await opened.page.getByLabel(/^Type /).waitFor({ state: 'detached' });
  }

  async function givePassword(): Promise<void> {
    const field = opened.page.getByRole('dialog').getByRole('textbox', { name: 'Your password' });
    await field.fill(ownerPassword);
    await opened.page.keyboard.press('Enter');
    await field.waitFor({ state: 'detached' });
  }

  test('cancelling the deletion of a store keeps the store open, and gives the focus back', async () => {
    await opened.visit('stores/N-007');
    for (const cancel of [() => press(button('Cancel')), () => opened.page.keyboard.press('Escape')]) {
      await press(button('Delete store'));
      await hasFocus(dialog('Delete store').getByLabel(/^Type /));
      await cancel();
      await dialog('Delete store').waitFor({ state: 'detached' });
      await hasFocus(button('Delete store'));
      assert.match(opened.page.url(), /\/stores\/N-007$/);
    }
  });

  test('the list of organizations stays closed once one is chosen, and its field keeps the keyboard', async () => {
    await opened.visit('users/4');
    const field = opened.page.getByRole('dialog').getByRole('combobox', { name: 'Organization' });
    const notice = opened.page.getByText('Organization changed');
    const options = opened.page.getByRole('option');
    await field.click();
    await options.filter({ hasText: 'Islands team' }).click();
    await notice.waitFor();
    await opened.settled();
    await hasFocus(field);
    assert.equal(await options.count(), 0);
    await opened.page.keyboard.press('ArrowDown');
    await options.first().waitFor();
    await opened.page.keyboard.press('Escape');
    await options.first().waitFor({ state: 'detached' });
  });

  test('stays in the drawer of an application that is revoked, and goes back to its row', async () => {
    const { page } = opened;
    await opened.issueApplication('Shop till');
    await opened.visit('applications');
    await press(row('Shop till'));
    await press(button('Revoke application'));
    // The notice is shown for four seconds.
    await Promise.all([confirm('Shop till'), page.getByText('Shop till is revoked').waitFor()]);
    await button('Revoke application').waitFor({ state: 'detached' });
    await withinDialog();
    await page.keyboard.press('Escape');
    await hasFocus(row('Shop till'));
  });

  test('stays with a button that works, and with what takes its place', async () => {
    await opened.issueApplication('Stock counter');
    await opened.goTo('applications');
    await press(row('Stock counter'));
    await press(button('Suspend application'));
    await hasFocus(button('Resume application'));
    await press(button('Undo'));
    await hasFocus(button('Suspend application'));
    await opened.visit('settings');
    for (const name of ['Verify now', 'Check again']) {
      await press(button(name));
      await opened.settled();
      // A verification runs in a separate process of low priority, which is slow on a busy machine.
      await button(name).and(opened.page.locator(':enabled')).waitFor({ timeout: 300_000 });
      await hasFocus(button(name));
    }
    const password = region('Password');
    await password.getByLabel('Current password').fill(ownerPassword);
    await password.getByLabel('New password').fill(ownerPassword);
    const reveal = password.getByRole('button', { name: 'Show password' }).first();
    await password.getByLabel('Current password').press('Tab');
    await hasFocus(reveal);
    await press(reveal);
    await hasFocus(reveal);
    assert.equal(await password.getByLabel('Current password').getAttribute('type'), 'text');
    await press(button('Change password'));
    await opened.page.getByText('Password changed').waitFor();
    await hasFocus(button('Change password'));
  });

  test('goes to the row beside the one that is deleted, or to the list without rows', async () => {
    const { page } = opened;
    await opened.visit('users');
    const nextUser = await lineBeside('Mara Okafor', 'following');
    await press(row('Mara Okafor'));
    await press(button('Delete user'));
    await confirm('mara.okafor');
    await row('Mara Okafor').waitFor({ state: 'detached' });
    await hasFocus(row(nextUser));

    await opened.change('POST', '/tenants/1/store', { code: 'A-1', name: 'Lonely kiosk' });
    await opened.visit('stores');
    const nextStore = await lineBeside('A-1', 'following');
    await press(row('A-1'));
    await press(button('Delete store'));
    await confirm('A-1');
    await row('A-1').waitFor({ state: 'detached' });
    await hasFocus(row(nextStore));

    await opened.change('POST', '/tenants/1/role', { name: 'Caretaker' });
    await opened.goTo('roles');
    const roleBefore = await lineBeside('Caretaker', 'preceding');
    await choose('Caretaker', 'Delete role');
    await confirm('Caretaker');
    await row('Caretaker').waitFor({ state: 'detached' });
    await hasFocus(row(roleBefore));

    await opened.change('POST', '/tenants/1/org', { name: 'Islands' });
    await opened.goTo('orgs');
    await choose('Islands', 'Delete organization');
    await confirm('Islands');
    await menuOf('Islands').waitFor({ state: 'detached' });
    await hasFocus(page.getByRole('list', { name: 'Organizations' }));
  });

  test('goes to the table, not down its rows, when the row is scrolled out of view', async () => {
    const { page } = opened;
    await opened.visit('users');
    const users = page.getByRole('table', { name: 'Users' });
    const scrollTo = async (pixels: number) => {
      await users.locator('..').evaluate((frame, top) => Reflect.set(frame, 'scrollTop', top), pixels);
      await opened.settled();
    };
    await row('Jun Tanaka').focus();
    for (let pixels = 0; (await row('Jun Tanaka').count()) > 0; pixels += 40) await scrollTo(pixels);
    await hasFocus(users);
    await scrollTo(100_000);
    await hasFocus(users);
    await scrollTo(0);
  });

  for (const [path, name] of [
    ['users', 'Jun Tanaka'],
    ['stores', 'N-002'],
  ] as const) {
    test(`goes by Tab from the open row of the ${path} into its drawer, and by Shift+Tab back`, async () => {
      const { page } = opened;
      await opened.visit(path);
      await press(row(name));
      await button('Show as a full page').waitFor();
      await opened.settled();
      await page.keyboard.press('Tab');
      await hasFocus(button('Show as a full page'));
      await page.keyboard.press('Shift+Tab');
      await hasFocus(row(name));
      await page.keyboard.press('ArrowDown');
      const next = page.locator('tr:focus');
      assert.notEqual(await next.getAttribute('data-index'), await row(name).getAttribute('data-index'));
      await page.keyboard.press('Enter');
      await next.and(page.locator('[data-open=true]')).waitFor();
      await button('Show as a full page').waitFor();
      await opened.settled();
      await page.keyboard.press('Tab');
      await hasFocus(button('Show as a full page'));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await next.waitFor();
    });
  }

  test('goes to the stores of a user when one of them is unassigned, and to the users after changing some', async () => {
    const { page } = opened;
    await opened.visit('users');
    await press(row('Jun Tanaka'));
    await page.getByRole('tab', { name: 'Stores' }).click();
    const unassign = button(/^Unassign /);
    await unassign.first().waitFor();
    const count = await unassign.count();
    await press(unassign.first());
    await unassign.nth(count - 1).waitFor({ state: 'detached' });
    await hasFocus(page.getByRole('dialog').getByRole('list', { name: 'Stores' }));
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Select Jun Tanaka' }).check();
    await press(button('Disable…'));
    await page.getByRole('dialog', { name: 'Disable 1 user' }).waitFor();
    await withinDialog();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await hasFocus(button('Disable…'));
    await press(button('Disable…'));
    // Until the preview is there, the button cannot be pressed.
    await page.getByText('1 user will change').waitFor();
    await press(button('Disable 1 user'));
    await button('Disable…').waitFor({ state: 'detached' });
    await hasFocus(page.getByRole('main'));
  });

  test('goes to the sessions that are left', async () => {
    const { page } = opened;
    for (let count = 0; count < 3; count++) await signInElsewhere();
    await opened.goTo('settings');
    const sessions = region('Sessions');
    const end = sessions.getByRole('button', { name: /^End session: / });
    await press(end.first());
    await withinDialog();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await hasFocus(end.first());
    await press(end.first());
    await givePassword();
    await end.nth(2).waitFor({ state: 'detached' });
    await hasFocus(sessions);
    await press(button('End all other sessions'));
    await givePassword();
    await end.first().waitFor({ state: 'detached' });
    await hasFocus(sessions);
  });

  test('goes back to the menu of an operator after each of its actions', async () => {
    const { page } = opened;
    const colleague = 'ida';
    await acceptInvitation(opened, colleague);
    await opened.goTo('settings');
    const menu = menuOf(colleague);
    for (const [action, title] of [
      ['Change role or tenants', `Role and tenants of ${colleague}`],
      ['Make reset link', 'Make reset link'],
      ['Disable operator', 'Disable operator'],
    ] as const) {
      await choose(colleague, action);
      await dialog(title).waitFor();
      // The dialog takes the focus a moment after it shows.
      await withinDialog();
      await press(button('Cancel'));
      await hasFocus(menu);
    }
    await choose(colleague, 'Make reset link');
    await givePassword();
    await press(button('I have sent it'));
    await hasFocus(menu);
    // With such a link, owners would turn off their own second factor.
    await press(menuOf(ownerName));
    await page.getByRole('menuitem', { name: 'Change role or tenants' }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Make reset link' }).count(), 0);
    await page.keyboard.press('Escape');
    await press(button('Invite operator'));
    await dialog('Invite operator').waitFor();
    await page.keyboard.press('Escape');
    await hasFocus(button('Invite operator'));
    await press(button('Turn on second factor'));
    await dialog('Turn on second factor').waitFor();
    await page.keyboard.press('Escape');
    await hasFocus(button('Turn on second factor'));
  });

  test('comes along to a full page, and to the drawer of a new user', async () => {
    const { page } = opened;
    await opened.visit('users');
    await choose('Sofia Rossi', 'Show as a full page');
    await page.getByRole('dialog').getByRole('heading', { name: 'Sofia Rossi' }).waitFor();
    await withinDialog();
    await page.keyboard.press('Escape');
    await hasFocus(menuOf('Sofia Rossi'));
    await press(button('Add user'));
    await dialog('Add user').getByLabel('Username').fill('new.person');
    await dialog('Add user').getByRole('textbox', { name: 'Password' }).fill('a long password');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /^new\.person/ }).waitFor();
    await withinDialog();
  });

  test('is left alone after a click beside everything', async () => {
    const { page } = opened;
    await opened.visit('roles');
    await button('Add role').focus();
    await page.getByText('Fieldroster', { exact: true }).first().click();
    await page.evaluate("document.body.append(document.createElement('p'))");
    await opened.settled();
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'BODY');
  });

  async function signInElsewhere(): Promise<void> {
    const browser = opened.page.context().browser();
    const context = await browser?.newContext();
    assert(context !== undefined);
    const page = await context.newPage();
    await page.goto(`${opened.origin}/console/sign-in`);
    await page.getByLabel('Username').fill(ownerName);
    await page.getByRole('textbox', { name: 'Password' }).fill(ownerPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await context.close();
  }
});
