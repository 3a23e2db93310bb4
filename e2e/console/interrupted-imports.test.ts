import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { SignedClient } from '../signed-client.ts';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';
import { createAccount } from './create-account.ts';
import { chooseFile, openImport } from './import-file.ts';
import { ageImport, countKeptImports } from './kept-imports.ts';

const monthMs = 30 * 86_400_000;

describe('an import that is interrupted', () => {
  let opened: ConsolePage;
  let client: SignedClient;

  before(async () => {
    opened = await ConsolePage.open();
    client = new SignedClient(opened.server.url, await opened.issueUsableApplication('hourly sync'));
  });

  after(async () => {
    client?.close();
    await opened?.close();
  });

  afterEach(async () => {
    await opened.page.unrouteAll();
    // The browser reports each call that was cut off or refused.
    for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource/);
  });

  const button = (name: string | RegExp) => opened.page.getByRole('button', { name });
  const row = (name: string) => opened.page.getByRole('row').filter({ hasText: name });

  async function preview(name: string, lines: readonly string[], kind = 'Users'): Promise<void> {
    await openImport(opened);
    await opened.page.getByRole('radiogroup').getByText(kind, { exact: true }).click();
    await opened.page.getByRole('heading', { name: `Import ${kind.toLowerCase()}` }).waitFor();
    await chooseFile(opened.page, name, lines.join('\n'));
    await button('Show what would change').click();
  }

  /** Handles every request of the import that changes something; previews go on. */
  async function onChange(path: string, handle: (route: Route, count: number) => Promise<void>) {
    let count = 0;
    await opened.page.route(path, (route) => {
      const request = route.request();
      const isRead = request.method() === 'GET' || request.postData()?.includes('"dry_run":true') === true;
      return isRead ? route.continue() : handle(route, count++);
    });
  }

  /** Drops every change of the import, and then loads the page as if more than a minute had passed. */
  async function dropAndComeBackLate(path: string, start: string): Promise<void> {
    const dropped = Promise.withResolvers<void>();
    await onChange(path, async (route) => {
      await route.abort('connectionreset');
      dropped.resolve();
    });
    await button(start).click();
    await dropped.promise;
    // Loads the page: its repetitions end with it.
    await opened.goTo('users');
    await opened.page.unrouteAll();
    // The server refuses changes that are older than a minute.
    await onChange(path, (route, count) => {
      const headers = { ...route.request().headers(), 'change-id': '01900000-0000-7000-8000-000000000000' };
      return route.continue(count === 0 ? { headers } : {});
    });
  }

  async function signIn(page: Page): Promise<void> {
    await page.goto(`${opened.origin}/console/sign-in`);
    await page.getByLabel('Username').fill(ownerName);
    await page.getByRole('textbox', { name: 'Password' }).fill(ownerPassword);
    await button('Sign in').click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  }

  async function exists(username: string): Promise<boolean> {
    return (await client.call('GET', `/user?username=${username}`)).code === 0;
  }

  /** Looks several times, because a page that goes on writes a moment after an answer. */
  async function keepsNothing(): Promise<void> {
    for (let looks = 0; looks < 20; looks++)
      assert.deepEqual(await countKeptImports(opened.page), [0, 0], `look ${looks}`);
  }

  async function phoneOf(username: string): Promise<unknown> {
    return ((await client.call('GET', `/user?username=${username}`)).data as { phone: string }).phone;
  }

  test('passwords that never arrived are not reported as done, although somebody else changed the first user', async () => {
    const { page } = opened;
    const users = ['mara.okafor', 'jun.tanaka'];
    const password = 'Br4nd-new-pass-42';
    for (const username of users) await client.call('POST', '/user', { username, password: 'old' });
    await preview('passwords.csv', ['username,password', ...users.map((name) => `${name},${password}`)]);
    await button('Import 2 users').waitFor();
    await dropAndComeBackLate('**/users/batch', 'Import 2 users');
    const touched = await client.call('POST', '/users/batch', {
      users: [{ username: users[0], phone: '+49 1' }],
    });
    assert.equal(touched.code, 0);
    await opened.follow('import');
    await page.getByText('The import is complete').waitFor();
    await page.getByText('Changed 2', { exact: true }).waitFor();
    for (const username of users)
      assert.equal(
        (await client.call('POST', '/user/password/check', { username, password })).code,
        0,
        username,
      );
  });

  test('a role that never arrived is not reported as done, although one of its name existed', async () => {
    const { page } = opened;
    await opened.change('POST', '/tenants/1/role', { name: 'Night lead' });
    await preview('roles.csv', ['name,description', 'Night lead,of the night shift'], 'Roles');
    await button('Import 1 role').waitFor();
    await dropAndComeBackLate('**/tenants/1/role', 'Import 1 role');
    await opened.follow('import');
    await page.getByText('The import is complete').waitFor();
    await page.getByText('New 1', { exact: true }).waitFor();
    await opened.visit('roles');
    await row('of the night shift').waitFor();
    assert.equal(await row('Night lead').count(), 2);
  });

  test('a user that failed in a batch whose answer was lost is not reported as done, although it would succeed now', async () => {
    const { page } = opened;
    const role = 190_193;
    await preview('lost.csv', ['username,role_id', 'lost.one,', `lost.two,${role}`]);
    await button('Import 1 user').waitFor();
    await onChange('**/users/batch', async (route, count) => {
      if (count > 0) return route.continue();
      await route.fetch();
      await opened.change('POST', '/tenants/1/role', { id: role, name: 'Late' });
      await route.abort('connectionreset');
    });
    await button('Import 1 user').click();
    await page.getByText('The import is complete').waitFor();
    for (const username of ['lost.one', 'lost.two'])
      assert.equal((await client.call('GET', `/user?username=${username}`)).code, 0, username);
  });

  for (const tab of ['this tab', 'another tab'])
    test(`signing out in ${tab} while a batch is under way ends the import, and leaves nothing in the browser`, async () => {
      const { page } = opened;
      const prefix = tab.replace(' ', '.');
      const rows = Array.from({ length: 1200 }, (_, index) => `${prefix}.${index},1`);
      await preview('staff.csv', ['username,phone', ...rows]);
      await button('Import 1,200 users').waitFor();
      const [applied, signedOut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await onChange('**/users/batch', async (route, count) => {
        if (count !== 0) return route.continue();
        const response = await route.fetch();
        applied.resolve();
        await signedOut.promise;
        // The page may have broken the call off.
        await route.fulfill({ response }).catch(() => {});
      });
      await button('Import 1,200 users').click();
      await applied.promise;
      const leaving = tab === 'this tab' ? page : await page.context().newPage();
      if (leaving !== page) await leaving.goto(`${opened.origin}/console/t/1`);
      await leaving.getByRole('button', { name: `Account: ${ownerName}` }).click();
      await leaving.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await leaving.getByRole('heading', { name: 'Sign in' }).waitFor();
      signedOut.resolve();
      await opened.settled();
      await keepsNothing();
      await signIn(page);
      if (leaving !== page) await leaving.close();
      await opened.visit('import');
      await button('Choose file').waitFor();
      // The first batch has 500 rows.
      assert.deepEqual([await exists(`${prefix}.499`), await exists(`${prefix}.700`)], [true, false]);
    });

  test('the file of somebody whose session ended is removed when somebody else signs in', async () => {
    const { page } = opened;
    await preview('secret.csv', ['username,password', 'mara.okafor,Secret-pw-of-mara']);
    await button('Import 1 user').waitFor();
    const access = { role: 'viewer', all_tenants: false, tenant_ids: [1] };
    const { token } = await opened.change('POST', '/operators', { ...access, password: ownerPassword });
    await opened.change('DELETE', '/sessions');
    const other = await page.context().newPage();
    await createAccount(other, `${opened.origin}/console/link#${token}`, 'kim', 'one more long passphrase');
    await button('Account: kim').waitFor();
    await opened.settled();
    assert.deepEqual(await countKeptImports(page), [0, 0]);
    await other.close();
    await signIn(page);
  });

  /** Imports 502 users, and leaves the page after the first batch of 500. */
  async function leaveHalfWay(prefix: string): Promise<void> {
    const { page } = opened;
    const fillers = Array.from({ length: 500 }, (_, index) => `${prefix}.${index},1`);
    const lines = ['username,phone', ...fillers, `mara.okafor,of ${prefix}`, `jun.tanaka,of ${prefix}`];
    await preview(`${prefix}.csv`, lines);
    await button('Import 502 users').waitFor();
    const second = Promise.withResolvers<void>();
    await onChange('**/users/batch', async (route, count) => {
      if (count === 0) return route.continue();
      second.resolve();
      await route.abort('connectionreset');
    });
    await button('Import 502 users').click();
    await second.promise;
    await opened.goTo('users');
    await page.unrouteAll();
  }

  test('after a month, an import shows how far it came, and imports nothing before another preview', async () => {
    const { page } = opened;
    await leaveHalfWay('october');
    await ageImport(page, monthMs);
    await client.call('PUT', '/user', { username: 'mara.okafor', phone: 'NEW phone' });
    await opened.goTo('import');
    await page.getByText('An import of october.csv stopped at 500 of 502 rows').waitFor();
    await page.getByText(/^Last progress: \d.+ · last mo$/).waitFor();
    await opened.requireAccessible();
    assert.equal(await phoneOf('mara.okafor'), 'NEW phone');
    await page.reload();
    await button('Continue').click();
    await row('mara.okafor').getByText('Phone: NEW phone → of october').waitFor();
    await page.getByText('All 2', { exact: true }).waitFor();
    // The audit may not reach back so far.
    await page.getByText('The last rows sent may or may not have been imported').waitFor();
    await opened.requireAccessible();
    assert.equal(await button('Back').count(), 0);
    assert.equal(await phoneOf('mara.okafor'), 'NEW phone');
    await button('Import 2 users').click();
    await page.getByText('The import is complete').waitFor();
    await page.getByText('All 502', { exact: true }).waitFor();
    assert.equal(await phoneOf('mara.okafor'), 'of october');
  });

  test('a batch that arrived, and whose answer was lost, is not previewed again', async () => {
    const { page } = opened;
    await preview('arrived.csv', [
      'username,phone',
      ...Array.from({ length: 501 }, (_, i) => `arrived.${i},1`),
    ]);
    await button('Import 501 users').waitFor();
    const applied = Promise.withResolvers<void>();
    await onChange('**/users/batch', async (route) => {
      await route.fetch();
      applied.resolve();
    });
    await button('Import 501 users').click();
    await applied.promise;
    await opened.goTo('users');
    await page.unrouteAll();
    await ageImport(page, 1_200_000);
    await opened.goTo('import');
    await page.getByText('An import of arrived.csv stopped at 0 of 501 rows').waitFor();
    await button('Continue').click();
    await page.getByText('All 1', { exact: true }).waitFor();
    await row('arrived.500').waitFor();
    await button('Import 1 user').click();
    await page.getByText('The import is complete').waitFor();
    await page.getByText('Done 500', { exact: true }).waitFor();
    await page.getByText('New 1', { exact: true }).waitFor();
  });

  test('a stopped import is discarded, and so is one that runs, which then stops', async () => {
    const { page } = opened;
    await leaveHalfWay('discarded');
    await ageImport(page, monthMs);
    await opened.goTo('import');
    await button('Discard import').click();
    const question = page.getByRole('dialog', { name: 'Discard this import?' });
    await question.getByText('2 rows are left to import.').waitFor();
    await opened.requireAccessible();
    // Enter keeps the import.
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await button('Continue').waitFor();
    await button('Discard import').click();
    await question.getByRole('button', { name: 'Discard import' }).click();
    await button('Choose file').waitFor();
    assert.deepEqual(await countKeptImports(page), [0, 0]);
    const rows = Array.from({ length: 1200 }, (_, index) => `stopped.${index},1`);
    await preview('stopped.csv', ['username,phone', ...rows]);
    await button('Import 1,200 users').waitFor();
    const [begun, discarded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await onChange('**/users/batch', async (route, count) => {
      if (count > 0) return route.continue();
      const response = await route.fetch();
      begun.resolve();
      await discarded.promise;
      await route.fulfill({ response });
    });
    await button('Import 1,200 users').click();
    await begun.promise;
    await button('Discard import').click();
    await question.getByRole('button', { name: 'Discard import' }).click();
    await button('Choose file').waitFor();
    discarded.resolve();
    await opened.settled();
    await keepsNothing();
    assert.deepEqual([await exists('stopped.499'), await exists('stopped.700')], [true, false]);
  });
});
