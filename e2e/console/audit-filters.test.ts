import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Request, Route } from 'playwright-core';
import { SignedClient } from '../signed-client.ts';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';

describe('the audit trail in the console', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    const till = await opened.issueUsableApplication('Shop till');
    const client = new SignedClient(opened.server.url, till);
    await client.call('POST', '/user/store', { user_id: 80, store_code: 'N-007' });
    await client.call('PUT', '/user', { id: 80, nickname: '=HYPERLINK("http://evil.example")' });
    client.close();
  });

  after(() => opened?.close());

  const entries = () => opened.page.getByRole('main').getByRole('listitem');
  const entry = (text: string) => entries().filter({ hasText: text });

  test('changes name who made them, including operators', async () => {
    await opened.visit('audit');
    await entry('Issued an application').filter({ hasText: ownerName }).waitFor();
    await entry('Assigned a store').filter({ hasText: 'Shop till' }).first().waitFor();
    await entry('Loaded the sample directory').filter({ hasText: 'Command line' }).first().waitFor();
    await opened.requireAccessible();
  });

  test('a space at the end of a typed text stays in the field, but is not searched for', async () => {
    const { page } = opened;
    await opened.visit('audit');
    const store = page.getByRole('textbox', { name: 'Store code' });
    await store.fill('N ');
    await page.waitForURL(/store=N$/);
    await opened.settled();
    assert.equal(await store.inputValue(), 'N ');
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.waitForURL(/audit$/);
    // The address changes before the page does.
    await store.and(page.locator('[value=""]')).waitFor();
  });

  test('one button clears the filters, also when nothing matches', async () => {
    const { page } = opened;
    await opened.visit('audit?store=no-such-store&until=2020-01-31');
    await page.getByRole('heading', { name: 'No change matches' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Clear filters' }).count(), 1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL(/audit$/);
    await entry('Loaded the sample directory').first().waitFor();
    await opened.visit('audit?store=N-007');
    await entry('Assigned a store').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Clear filters' }).count(), 1);
  });

  test('filters by operator, application, store, user and time narrow the list and stay in the address', async () => {
    const { page } = opened;
    await opened.visit('audit');
    await page.getByRole('combobox', { name: 'Operator' }).click();
    await page.getByRole('option', { name: ownerName }).click();
    await page.waitForURL(/operator=/);
    await entry('Loaded the sample directory').first().waitFor({ state: 'detached' });
    await page.reload();
    await entry('Issued an application').first().waitFor();
    assert.equal(await entries().count(), 1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    // A filter that is chosen before the page shows every change would keep those that were cleared.
    await entry('Loaded the sample directory').first().waitFor();
    await page.getByRole('combobox', { name: 'Application' }).click();
    await page.getByRole('option', { name: 'Shop till' }).click();
    await entry('Issued an application').first().waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Store code' }).fill('N-007');
    await page.waitForURL(/store=N-007/);
    await entry('Changed the profile').waitFor({ state: 'detached' });
    assert.equal(await entries().count(), 1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await entry('Issued an application').first().waitFor();
    await page.getByRole('combobox', { name: 'User' }).fill('mara');
    await page.getByRole('option', { name: /^Mara Okafor \(mara\.okafor\) · \w+/ }).click();
    await page.waitForURL(/user=/);
    // The address changes before the page does.
    await page
      .getByRole('combobox', { name: 'User' })
      .and(page.locator('[value^="Mara Okafor (mara.okafor)"]'))
      .waitFor();
    await entry('Issued an application').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await entry('Issued an application').first().waitFor();
    await page.getByLabel('Until').fill('2001-01-31');
    await page.getByText('No change matches').waitFor();
    assert.match(page.url(), /until=2001-01-31/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await entry('Issued an application').first().waitFor();
    assert.equal(await page.getByLabel('Until').inputValue(), '');
  });

  test('changes show the name and username of the user they are about, even after that user was deleted', async () => {
    const { page } = opened;
    const user = { username: 'short.stay', password: 'p', real_name: 'Short Stay' };
    const { id = '' } = await opened.change('POST', '/tenants/1/user', user);
    await opened.change('DELETE', `/tenants/1/user?user_id=${id}`);
    await opened.goTo('audit');
    const added = entry('Added the user').filter({ hasText: 'Short Stay short.stay (deleted)' });
    await added.filter({ hasText: /Password\s*set/ }).waitFor();
    assert.doesNotMatch(await page.getByRole('main').innerText(), /User \d/);
    await opened.visit('audit?user=80');
    const filter = page.getByRole('combobox', { name: 'User' });
    await entry('Changed the profile').waitFor();
    // The field shows the id until the entries have told the name.
    await filter.and(page.locator(':not([value=""]):not([value*="80"])')).waitFor();
    await opened.goTo('');
    const latest = page.getByRole('region', { name: 'Latest changes' });
    await latest.getByText('Short Stay short.stay (deleted)').first().waitFor();
    assert.doesNotMatch(await latest.innerText(), /User \d/);
  });

  test('the export ends without a word when the page is left', async () => {
    const { page } = opened;
    await opened.visit('audit');
    const exported = /limit=500/;
    const held = Promise.withResolvers<Route>();
    await page.route(exported, (route) => held.resolve(route));
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const route = await held.promise;
    const isExport = (request: Request) => request === route.request();
    const ended = Promise.race([
      page.waitForEvent('requestfailed', isExport).then(() => 'given up'),
      page.waitForEvent('requestfinished', isExport).then(() => 'answered'),
    ]);
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
    // The answer comes late, if anything still waits for it.
    await route.continue().catch(() => undefined);
    assert.equal(await ended, 'given up');
    await page.unroute(exported);
    await opened.settled();
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  test('the export has the changes of the filter, and no cell is a formula', async () => {
    const { page } = opened;
    await opened.visit('audit?user=80');
    await entry('Changed the profile').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const text = readFileSync(await (await downloading).path(), 'utf8');
    const [heading, ...lines] = text.trimEnd().split('\n');
    assert.match(heading ?? '', /^\uFEFFid,at,actor_kind,/);
    assert.equal(lines.length, await entries().count());
    assert(
      lines.every((line) => /,80,/.test(line)),
      text,
    );
    assert.match(text, /HYPERLINK/);
    assert.doesNotMatch(text, /(^|,)"?[=+@-]/m);
  });

  test('owners of all tenants see what belongs to none', async () => {
    const { page } = opened;
    await opened.visit('audit');
    await page.getByText('Deployment', { exact: true }).click();
    await page.waitForURL(/of=deployment/);
    await entry('An operator accepted the invitation').first().waitFor();
    await opened.requireAccessible();
  });

  test('operations and fields have readable names, and a change that changed nothing says so', async () => {
    const { page } = opened;
    await opened.change('PUT', '/tenants/1/user', { id: 79, nickname: 'Nick' });
    await opened.change('PUT', '/tenants/1/user', { id: 79, nickname: 'Nick' });
    await opened.visit('audit?user=79');
    const first = entries().first();
    await first.getByText('Nothing changed').waitFor();
    await first.getByText('Changed the profile').waitFor();
    await page.getByTitle('update-user').first().waitFor();
    await entries().nth(1).getByText('Nickname').waitFor();
  });

  test('words that the server wrote are in the reader’s language, and data stays as it is', async () => {
    const { page } = opened;
    await opened.change('PUT', '/tenants/1/user', { id: 78, nickname: 'active' });
    await opened.change('PUT', '/tenants/1/user/status', { id: 78, status: 'disabled' });
    await opened.change('POST', '/second-factor', { password: ownerPassword });
    await page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await opened.goTo('audit?user=78');
    await entry('停用用户').filter({ hasText: '正常 → 已停用' }).waitFor();
    await entry('修改资料').filter({ hasText: 'active' }).waitFor();
    const expiresAt = Date.now() + 86_400_000;
    const { app_id } = await opened.change('POST', '/tenants/1/applications', { name: 'all', scope: 'read' });
    await opened.change('PUT', '/tenants/1/applications', { app_id, expires_at: expiresAt });
    await opened.visit('audit');
    const expiry = entry('修改应用').filter({ hasText: '到期时间' });
    await expiry.waitFor();
    assert.doesNotMatch(await expiry.innerText(), /\dT\d/, 'a time is written as the reader writes it');
    await opened.visit('audit?of=deployment');
    await entry('用命令邀请操作员').filter({ hasText: '全部' }).waitFor();
    await entry('开始设置两步验证').filter({ hasText: '已请求' }).waitFor();
    await entry('操作员接受邀请').filter({ hasText: '所有者' }).first().waitFor();
    assert.doesNotMatch(await page.getByRole('main').innerText(), /\b(owner|true|false|asked for)\b/);
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
  });
});
