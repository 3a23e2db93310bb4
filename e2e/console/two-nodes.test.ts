import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openTestPostgres, type TestPostgres } from '../../packages/server/test/test-postgres.ts';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { ServerProcess } from '../server-process.ts';
import { type Credentials, SignedClient } from '../signed-client.ts';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';

/** Two seconds are promised. Other tests may keep the machine busy for longer. */
const followMs = atScale({ bounded: 60_000, full: 2_500 });

describe('the console on two nodes with one PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-nodes-'));
  let postgres: TestPostgres;
  /** Node A, where the owner signs in. */
  let opened: ConsolePage;
  let nodeB: ServerProcess;
  /** The page of the same browser at node B, which gets the same cookie. */
  let pageB: Page;
  let application: Credentials;

  before(async () => {
    postgres = await openTestPostgres();
    // The nodes share the master key, which is in the folder.
    const flags = ['--data', folder, '--database', await postgres.createMigratedDatabase()];
    opened = await ConsolePage.open(...flags);
    nodeB = await ServerProcess.start({ flags });
    pageB = await opened.page.context().newPage();
  });

  after(async () => {
    try {
      await opened?.close();
    } finally {
      await nodeB?.stop();
      await postgres?.stop();
      rmSync(folder, { recursive: true, force: true });
    }
    assert.deepEqual(nodeB?.errorLines ?? [], []);
  });

  const goToB = (path: string) => pageB.goto(`${nodeB.url}/console/t/1/${path}`);
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const drawer = (page: Page) => page.getByRole('dialog');

  /** Returns the code that a node answers to a call of the application. */
  async function codeAt(url: string): Promise<number> {
    const client = new SignedClient(url, application);
    const { code } = await client.call('GET', '/users?limit=1');
    client.close();
    return code;
  }

  async function untilCodeAt(url: string, expected: number): Promise<void> {
    const deadline = Date.now() + followMs;
    for (;;) {
      // A call that was sent in time may see the old state, and its answer may come late.
      const isEarly = Date.now() < deadline;
      if ((await codeAt(url)) === expected) return;
      assert(isEarly, `the node answers ${expected} within ${followMs} ms`);
      await pageB.waitForTimeout(100);
    }
  }

  test('a session that began at A is valid at B', async () => {
    await goToB('users');
    await row(pageB, 'Mara Okafor').waitFor();
    await pageB.getByRole('button', { name: `Account: ${ownerName}` }).waitFor();
  });

  test('a user added at A is edited at B, disabled at A, and each sees the change of the other', async () => {
    const { page } = opened;
    await opened.goTo('users');
    await page.getByRole('button', { name: 'Add user' }).click();
    await drawer(page).getByLabel('Username').fill('node.hopper');
    await drawer(page).getByRole('textbox', { name: 'Password' }).fill('a first password');
    await drawer(page).getByLabel('Name', { exact: true }).fill('Node Hopper');
    await drawer(page).getByRole('button', { name: 'Add user' }).click();
    await page.waitForURL(/users\/81/);
    await goToB('users/81');
    await pageB.getByLabel('Nickname').fill('Hop');
    await pageB.getByRole('button', { name: 'Save changes' }).click();
    await pageB.getByText('Saved').waitFor();
    await opened.goTo('users/81');
    await page.getByLabel('Nickname').waitFor();
    assert.equal(await page.getByLabel('Nickname').inputValue(), 'Hop');
    await drawer(page).getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Node Hopper is disabled').waitFor();
    await goToB('users/81');
    await drawer(pageB).getByRole('button', { name: 'Make user active' }).waitFor();
  });

  test('stores assigned at one node are seen at the other', async () => {
    const { page } = opened;
    await goToB('users/81');
    await drawer(pageB).getByRole('tab', { name: 'Stores' }).click();
    for (const code of ['N-007', 'N-008']) {
      await drawer(pageB).getByRole('combobox', { name: 'Code, name or address of a store' }).fill(code);
      await pageB.getByRole('option', { name: new RegExp(code) }).click();
      await drawer(pageB).getByRole('button', { name: 'Assign store' }).click();
      await drawer(pageB)
        .getByRole('button', { name: `Unassign ${code}` })
        .waitFor();
    }
    await opened.goTo('stores/N-007');
    await drawer(page).getByText('Node Hopper').waitFor();
    await opened.goTo('users/81');
    await drawer(page).getByRole('tab', { name: 'Stores' }).click();
    await drawer(page).getByRole('button', { name: 'Unassign N-008' }).click();
    await drawer(page).getByRole('button', { name: 'Unassign N-008' }).waitFor({ state: 'detached' });
    await goToB('users/81');
    await drawer(pageB).getByRole('tab', { name: 'Stores' }).click();
    await drawer(pageB).getByRole('button', { name: 'Unassign N-007' }).waitFor();
    assert.equal(await drawer(pageB).getByRole('button', { name: 'Unassign N-008' }).count(), 0);
  });

  test('an application issued at A signs at B, and one suspended at B is refused at A', async () => {
    application = await opened.showNewApplication('Both nodes');
    await opened.page.getByRole('button', { name: 'I have stored it' }).click();
    await untilCodeAt(opened.server.url, 0);
    await untilCodeAt(nodeB.url, 0);
    await goToB(`applications/${application.appId}`);
    await drawer(pageB).getByRole('button', { name: 'Suspend' }).click();
    await pageB.getByText('Both nodes is suspended; its calls fail').waitFor();
    await untilCodeAt(opened.server.url, 1013);
    await opened.goTo('applications');
    await row(opened.page, 'Both nodes').getByText('Suspended').waitFor();
  });

  test('both nodes show the same audit trail, with each change once and the operator as its actor', async () => {
    const { page } = opened;
    for (const [where, show] of [
      [page, () => opened.goTo('audit?user=81')],
      [pageB, () => goToB('audit?user=81')],
    ] as const) {
      await show();
      const entries = where.getByRole('main').getByRole('listitem');
      await entries.filter({ hasText: 'Added the user' }).waitFor();
      const counts = [];
      for (const operation of [
        'create-user',
        'update-user',
        'set-user-status',
        'unbind-user-store',
        'bind-user-store',
      ])
        counts.push(await entries.filter({ has: where.getByTitle(operation, { exact: true }) }).count());
      assert.deepEqual(counts, [1, 1, 1, 1, 2]);
      assert.equal(await entries.filter({ hasText: ownerName }).count(), 6);
    }
  });

  test('after A was killed, the session and the data go on at B', async () => {
    await goToB('users/81');
    await pageB.getByLabel('Nickname').fill('before the crash');
    await opened.page.goto('about:blank');
    await opened.server.kill();
    await pageB.getByRole('button', { name: 'Save changes' }).click();
    await pageB.getByText('Saved').waitFor();
    await drawer(pageB).getByRole('button', { name: 'Make user active' }).click();
    await pageB.getByText('Node Hopper is active').waitFor();
    await goToB('users?search=hopper');
    await row(pageB, 'Node Hopper').getByText('Active').waitFor();
    await goToB('');
    await pageB.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  test('signing out everywhere at A, when it is back, ends the session at B', async () => {
    const { page } = opened;
    await opened.restartServer();
    await opened.goTo('users');
    await row(page, 'Mara Okafor').waitFor();
    await goToB('users');
    await row(pageB, 'Mara Okafor').waitFor();
    // A second browser has a session of its own, which began at B.
    const other = await page.context().browser()?.newContext({ locale: 'en-GB' });
    assert(other !== undefined);
    const theirs = await other.newPage();
    await theirs.goto(`${nodeB.url}/console/sign-in`);
    await theirs.getByLabel('Username').fill(ownerName);
    await theirs.getByRole('textbox', { name: 'Password' }).fill(ownerPassword);
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: `Account: ${ownerName}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    for (const one of [pageB, theirs]) {
      await one.goto(`${nodeB.url}/console/t/1/users`);
      await one.getByRole('button', { name: 'Sign in' }).waitFor();
      const status = await one.evaluate('fetch("/console/api/session").then(({ status }) => status)');
      assert.equal(status, 401);
    }
    await other.close();
    for (const line of opened.complaints.splice(0)) assert.match(line, /status of 401 /);
  });
});
