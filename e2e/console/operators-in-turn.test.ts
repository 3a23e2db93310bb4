import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { accessibilityViolations } from '../accessibility-violations.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';
import { createAccount } from './create-account.ts';

const password = 'one more long passphrase';

describe('one operator after another in the same browser', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const button = (name: string) => opened.page.getByRole('button', { name, exact: true });

  async function disableUser(id: number): Promise<void> {
    await opened.goTo(`users/${id}`);
    await button('Disable user').click();
    await button('Undo').waitFor();
  }

  async function requireNoNotice(): Promise<void> {
    await opened.settled();
    assert.equal(await button('Undo').count(), 0);
    assert.equal(await opened.page.getByText('is disabled').count(), 0);
  }

  test('signing out takes the notices and the offers to undo along', async () => {
    const { page } = opened;
    await disableUser(3);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await button('Undo').waitFor();
    await page.getByRole('button', { name: `Account: ${ownerName}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await requireNoNotice();
    await page.getByLabel('Username').fill(ownerName);
    await page.getByRole('textbox', { name: 'Password' }).fill(ownerPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: `Account: ${ownerName}` }).waitFor();
    await requireNoNotice();
  });

  test('a session that another operator takes over shows nothing to undo', async () => {
    const { page } = opened;
    await disableUser(4);
    const access = { role: 'manager', all_tenants: true, tenant_ids: [] };
    const { token } = await opened.change('POST', '/operators', { ...access, password: ownerPassword });
    const other = await page.context().newPage();
    await createAccount(other, `${opened.origin}/console/link#${token}`, 'kim', password);
    await page.getByRole('button', { name: 'Account: kim' }).waitFor();
    await requireNoNotice();
  });
});

describe('an operator who loses rights while a page is open', () => {
  let opened: ConsolePage;
  let context: BrowserContext;
  let theirs: Page;
  let id: number;
  let second: number;

  before(async () => {
    opened = await ConsolePage.open();
    second = Number((await opened.change('POST', '/tenants', { name: 'second' })).id);
    id = await acceptInvitation(opened, 'lena');
    await give({ role: 'manager' });
    const made = await opened.page.context().browser()?.newContext({ locale: 'en-GB' });
    assert(made !== undefined);
    context = made;
    theirs = await context.newPage();
    await theirs.goto(`${opened.origin}/console/`);
    await theirs.getByRole('textbox', { name: 'Username' }).fill('lena');
    await theirs.getByRole('textbox', { name: 'Password' }).fill('a bicycle among the tests');
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  after(async () => {
    await context?.close();
    await opened?.close();
  });

  const give = (rights: object) =>
    opened.change('PUT', '/operators', { id, ...rights, password: ownerPassword });
  const follow = (page: string) =>
    theirs.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: page }).click();

  test('is told the new role once the old one is refused, and sees no more buttons that the role lacks', async () => {
    await follow('Roles');
    await theirs.getByRole('button', { name: 'Add role' }).click();
    await theirs.getByLabel('Name').fill('Courier');
    await give({ role: 'viewer' });
    await theirs.getByRole('dialog').getByRole('button', { name: 'Add role' }).click();
    await theirs.getByText('Your rights have changed. Your role is now Viewer, for all tenants.').waitFor();
    await theirs.getByRole('dialog').getByText('Your role does not allow this. Ask an owner.').waitFor();
    await theirs.getByRole('button', { name: 'Cancel' }).click();
    await theirs.getByRole('button', { name: 'Add role' }).waitFor({ state: 'detached' });
  });

  test('is led to the tenants that are left', async () => {
    await give({ all_tenants: false, tenant_ids: [second] });
    await follow('Stores');
    await theirs.getByRole('heading', { level: 1, name: 'There is no such tenant' }).waitFor();
    assert.equal(await theirs.getByRole('navigation', { name: 'Main' }).count(), 0);
    assert.deepEqual(await accessibilityViolations(theirs), []);
    await theirs.getByRole('main').getByRole('link', { name: 'second' }).click();
    await theirs.getByRole('heading', { name: 'Overview' }).waitFor();
    assert.equal(new URL(theirs.url()).pathname, `/console/t/${second}`);
    await follow('Stores');
    await theirs.getByText('No stores yet').waitFor();
  });

  test('is told in Chinese that no tenant is left', async () => {
    await theirs.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await theirs.reload();
    await theirs.getByRole('heading', { level: 1, name: '门店' }).waitFor();
    await give({ tenant_ids: [1] });
    await theirs.getByRole('link', { name: '角色' }).click();
    await theirs.getByRole('heading', { level: 1, name: '没有这个租户' }).waitFor();
    await give({ tenant_ids: [] });
    await theirs.getByRole('main').getByRole('link', { name: 'default' }).click();
    await theirs.getByRole('heading', { level: 1, name: '您没有可以访问的租户' }).waitFor();
  });
});

describe('an operator without a tenant', () => {
  let opened: ConsolePage;
  let theirs: Page;
  let context: BrowserContext;
  let id: number;

  before(async () => {
    opened = await ConsolePage.open();
    await opened.goTo('settings');
    id = await acceptInvitation(opened, 'nobody');
    const made = await opened.page.context().browser()?.newContext({ locale: 'zh-CN' });
    assert(made !== undefined);
    context = made;
    theirs = await context.newPage();
  });

  after(async () => {
    await context?.close();
    await opened?.close();
  });

  const dialog = () => opened.page.getByRole('dialog');
  const access = (tenants: readonly number[]) =>
    opened.change('PUT', '/operators', {
      id,
      role: 'viewer',
      all_tenants: false,
      tenant_ids: tenants,
      password: ownerPassword,
    });

  test('cannot be made by letting the last tenant go', async () => {
    const { page } = opened;
    await page.reload();
    await page.getByRole('button', { name: 'More: nobody' }).click();
    await page.getByRole('menuitem', { name: 'Change role or tenants' }).click();
    await dialog().getByLabel('All tenants').uncheck();
    await dialog().getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    const tenants = dialog().getByRole('combobox', { name: 'Tenants' });
    const complaint = await tenants.evaluate((field) => Reflect.get(field, 'validationMessage'));
    assert.equal(complaint, 'Choose at least one tenant.');
    await tenants.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  test('is told so in their language, enters once they have one, and can sign out', async () => {
    await access([]);
    const complaints: string[] = [];
    theirs.on('pageerror', (error) => complaints.push(String(error)));
    await theirs.goto(`${opened.origin}/console/`);
    await theirs.getByRole('textbox', { name: '用户名' }).fill('nobody');
    await theirs.getByRole('textbox', { name: '密码' }).fill('a bicycle among the tests');
    await theirs.getByRole('button', { name: '登录' }).click();
    const told = theirs.getByRole('heading', { level: 1, name: '您没有可以访问的租户' });
    await told.waitFor();
    assert.deepEqual(await accessibilityViolations(theirs), []);
    for (const path of ['t/1/users', 'users', '']) {
      await theirs.goto(`${opened.origin}/console/${path}`);
      await told.waitFor();
    }
    await access([1]);
    await theirs.getByRole('button', { name: '重试' }).click();
    await theirs.getByRole('heading', { name: '总览' }).waitFor();
    await access([]);
    await theirs.goto(`${opened.origin}/console/t/1/users`);
    await told.waitFor();
    await theirs.getByRole('button', { name: '退出登录', exact: true }).click();
    await theirs.getByRole('button', { name: '登录' }).waitFor();
    assert.deepEqual(complaints, []);
  });
});
