import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';
import { createAccount } from './create-account.ts';
import { chooseFile, openImport } from './import-file.ts';

describe('a change of one operator whose answer is lost, while another one signs in', () => {
  let opened: ConsolePage;

  beforeEach(async () => {
    opened = await ConsolePage.open();
  });

  afterEach(async () => {
    // The browser reports each call that was cut off or refused.
    for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource/);
    await opened.close();
  });

  interface Attempts {
    /** Every attempt, by its Change-Id. */
    readonly changeIds: (string | undefined)[];
    /** Resolves once the first attempt has reached the network. */
    readonly begun: Promise<void>;
    /** Loses the answer to the first attempt. */
    readonly lose: () => void;
  }

  /** Holds the first change to a path back. */
  async function holdFirst(path: string, isApplied: boolean): Promise<Attempts> {
    const changeIds: (string | undefined)[] = [];
    const begun = Promise.withResolvers<void>();
    const lost = Promise.withResolvers<void>();
    await opened.page.route(path, async (route: Route) => {
      if (route.request().method() === 'GET') return route.continue();
      changeIds.push(route.request().headers()['change-id']);
      if (changeIds.length > 1) return route.continue();
      if (isApplied) await route.fetch();
      begun.resolve();
      await lost.promise;
      // The page may have broken the attempt off by itself.
      return route.abort('connectionreset').catch(() => {});
    });
    return { changeIds, begun: begun.promise, lose: lost.resolve };
  }

  /** Signs mo out in another tab, and kim in; the first tab follows. */
  async function changeOperator(): Promise<Page> {
    const access = { role: 'manager', all_tenants: true, tenant_ids: [] };
    const { token } = await opened.change('POST', '/operators', { ...access, password: ownerPassword });
    const other = await opened.page.context().newPage();
    await other.goto(`${opened.origin}/console/t/1`);
    await other.getByRole('button', { name: `Account: ${ownerName}` }).click();
    await other.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await createAccount(other, `${opened.origin}/console/link#${token}`, 'kim', 'one more long passphrase');
    await opened.page.getByRole('button', { name: 'Account: kim' }).waitFor();
    return other;
  }

  /** Waits until a repetition of the first attempt has certainly been sent, if the page sends one. */
  async function outwaitRepetitions(page: Page): Promise<void> {
    // The page repeats an attempt after 0.7, 1.4 and 2.1 seconds of its own clock.
    await page.clock.runFor(10_000);
    await opened.settled();
  }

  interface Change {
    readonly operation: string;
    readonly actor: { readonly name: string };
  }

  async function changesOf(page: Page, operation: string): Promise<string[]> {
    const url = `${opened.origin}/console/api/tenants/1/events?operation=${operation}`;
    const { data } = (await (await page.request.get(url)).json()) as { data: { events: Change[] } };
    return data.events.map(({ actor }) => actor.name);
  }

  for (const isApplied of [false, true]) {
    test(`an import ${isApplied ? 'that took effect' : 'that was lost'} is not repeated in the other name`, async () => {
      const { page } = opened;
      await page.clock.install();
      await openImport(opened);
      await chooseFile(page, 'staff.csv', 'username,phone\nmara.okafor,+1 by mo\njun.tanaka,+2 by mo');
      await page.getByRole('button', { name: 'Show what would change' }).click();
      const start = page.getByRole('button', { name: 'Import 2 users' });
      await start.waitFor();
      const { changeIds, begun, lose } = await holdFirst('**/users/batch', isApplied);
      await start.click();
      await begun;
      const other = await changeOperator();
      lose();
      await outwaitRepetitions(page);
      assert.equal(changeIds.length, 1, 'no attempt goes out after the change of operators');
      assert.deepEqual([...new Set(await changesOf(other, 'batch-users'))], isApplied ? [ownerName] : []);
    });
  }

  test('an application is issued once, by the operator who pressed the button', async () => {
    const { page } = opened;
    await page.clock.install();
    await opened.visit('applications');
    await page.getByRole('button', { name: 'Issue application' }).click();
    await page.getByLabel('Name').fill('till');
    const { changeIds, begun, lose } = await holdFirst('**/tenants/1/applications', true);
    await page.getByRole('dialog').getByRole('button', { name: 'Issue application' }).click();
    await begun;
    const other = await changeOperator();
    lose();
    await outwaitRepetitions(page);
    assert.equal(changeIds.length, 1);
    const url = `${opened.origin}/console/api/tenants/1/applications`;
    const { data } = (await (await other.request.get(url)).json()) as {
      data: { applications: { name: string }[] };
    };
    assert.equal(data.applications.filter(({ name }) => name === 'till').length, 1);
  });

  /** Blocks messages between the tabs, as when they are in two windows and the browser has frozen one. */
  async function isolateTabs(): Promise<void> {
    await opened.page.addInitScript(
      'globalThis.BroadcastChannel = class extends EventTarget { postMessage() {} close() {} };',
    );
  }

  /** Signs kim in from another tab, which the first one does not notice. */
  async function signInElsewhere(): Promise<Page> {
    const access = { role: 'manager', all_tenants: true, tenant_ids: [] };
    const { token } = await opened.change('POST', '/operators', { ...access, password: ownerPassword });
    const other = await opened.page.context().newPage();
    await createAccount(other, `${opened.origin}/console/link#${token}`, 'kim', 'one more long passphrase');
    return other;
  }

  test('a tab that has not noticed the change of operators changes nothing in the other name', async () => {
    const { page } = opened;
    await isolateTabs();
    await opened.goTo('users/5');
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Nickname').fill('typed by mo');
    const other = await signInElsewhere();
    await drawer.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('button', { name: 'Account: kim' }).waitFor();
    assert.deepEqual(await changesOf(other, 'update-user'), []);
  });

  test('a tab that has not noticed the change of operators imports nothing, and starts over', async () => {
    const { page } = opened;
    await isolateTabs();
    await opened.goTo('users');
    await openImport(opened);
    await chooseFile(page, 'staff.csv', 'username,phone\nmara.okafor,+1 by mo');
    await page.getByRole('button', { name: 'Show what would change' }).click();
    const start = page.getByRole('button', { name: 'Import 1 user' });
    await start.waitFor();
    const [begun, signedIn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // A lost answer would make the page ask who is signed in; this one only comes late.
    await page.route('**/users/batch', async (route) => {
      begun.resolve();
      await signedIn.promise;
      await route.continue();
    });
    await start.click();
    await begun.promise;
    const other = await signInElsewhere();
    signedIn.resolve();
    await page.getByRole('button', { name: 'Account: kim' }).waitFor();
    assert.deepEqual(await changesOf(other, 'batch-users'), []);
  });
});
