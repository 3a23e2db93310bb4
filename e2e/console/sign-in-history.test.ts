import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';

describe('the step back after signing in', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('Username').fill(ownerName);
    await page.getByRole('textbox', { name: 'Password' }).fill(ownerPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  test('leads a visitor out of the console, to where the address was opened', async () => {
    const visitor = await opened.page.context().browser()?.newContext({ locale: 'en-GB' });
    assert(visitor !== undefined);
    const page = await visitor.newPage();
    await page.goto(`${opened.origin}/docs`);
    await page.goto(`${opened.origin}/console/t/1/stores`);
    await signIn(page);
    await title(page, 'Stores').waitFor();
    await page.goBack();
    await page.waitForURL(/\/docs/);
    await page.goForward();
    await title(page, 'Stores').waitFor();
    await visitor.close();
  });

  test('leads who signed out before to the page that was open then', async () => {
    const { page } = opened;
    await opened.goTo('roles');
    await title(page, 'Roles').waitFor();
    await page.getByRole('button', { name: `Account: ${ownerName}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await signIn(page);
    await title(page, 'Overview').waitFor();
    await page.goBack();
    await title(page, 'Roles').waitFor();
    // The browser complains about the call of a visitor.
    for (const line of opened.complaints.splice(0)) assert.match(line, /401/);
  });
});
