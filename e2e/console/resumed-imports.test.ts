import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ConsolePage } from './console-page.ts';
import { chooseFile, openImport } from './import-file.ts';
import { ageImport } from './kept-imports.ts';

describe('an import that continues after a long rest', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(async () => {
    await opened?.close();
  });

  afterEach(async () => {
    await opened.page.unrouteAll();
    // The browser reports each call that was cut off.
    for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource/);
  });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

  /** Begins an import whose changes get no answer, and comes back to it after twenty minutes. */
  async function comeBackLate(
    kind: string,
    path: string,
    start: string,
    lines: readonly string[],
    arrives: boolean,
  ) {
    const { page } = opened;
    await openImport(opened);
    await page.getByRole('radiogroup').getByText(kind, { exact: true }).click();
    await page.getByRole('heading', { name: `Import ${kind.toLowerCase()}` }).waitFor();
    await chooseFile(page, 'resumed.csv', lines.join('\n'));
    await button(page, 'Show what would change').click();
    await button(page, start).waitFor();
    const sent = Promise.withResolvers<void>();
    await page.route(path, async (route) => {
      const request = route.request();
      if (request.method() === 'GET' || request.postData()?.includes('"dry_run":true'))
        return route.continue();
      await (arrives ? route.fetch() : route.abort('connectionreset'));
      sent.resolve();
    });
    await button(page, start).click();
    await sent.promise;
    await opened.goTo('users');
    await page.unrouteAll();
    await ageImport(page, 1_200_000);
    await opened.goTo('import');
    await button(page, 'Continue').waitFor();
  }

  async function rolesWith(description: string): Promise<number> {
    const url = `${opened.origin}/console/api/tenants/1/roles`;
    const { data } = (await (await opened.page.request.get(url)).json()) as {
      data: { roles: { description: string }[] };
    };
    return data.roles.filter((role) => role.description === description).length;
  }

  for (const step of ['stopped', 'preview'])
    test(`another tab that still shows it as ${step} imports nothing twice`, async () => {
      const { page } = opened;
      const description = `made from ${step}`;
      const lines = ['name,description', `Twin,${description}`];
      await comeBackLate('Roles', '**/tenants/1/role', 'Import 1 role', lines, false);
      if (step === 'preview') {
        await button(page, 'Continue').click();
        await button(page, 'Import 1 role').waitFor();
      }
      const other = await page.context().newPage();
      await other.goto(page.url());
      if (step === 'stopped') await button(other, 'Continue').click();
      await button(other, 'Import 1 role').click();
      await other.getByText('The import is complete').waitFor();
      await button(page, step === 'stopped' ? 'Continue' : 'Import 1 role').click();
      await page.getByText('The import is complete').waitFor();
      assert.equal(await rolesWith(description), 1);
      await other.close();
    });

  /** Shows what a file of roles would change. */
  async function previewRoles(page: Page, fileName: string, description: string): Promise<void> {
    await page.getByRole('radiogroup').getByText('Roles', { exact: true }).click();
    await page.getByRole('heading', { name: 'Import roles' }).waitFor();
    await chooseFile(page, fileName, `name,description\nFrom ${fileName},${description}`);
    await button(page, 'Show what would change').click();
    await button(page, 'Import 1 role').waitFor();
  }

  /** Opens the first step of the import in a second tab, begins an import in the first one, and holds its change. */
  async function beginBesideOtherTab(description: string) {
    const { page } = opened;
    await openImport(opened);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await button(other, 'Choose file').waitFor();
    await previewRoles(page, 'first.csv', description);
    const [sent, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/tenants/1/role', async (route) => {
      if (route.request().method() === 'GET' || route.request().postData()?.includes('"dry_run":true'))
        return route.continue();
      sent.resolve();
      await held.promise;
      return route.continue();
    });
    await button(page, 'Import 1 role').click();
    await sent.promise;
    return { other, letGo: held.resolve };
  }

  test('a file that is chosen in a second tab leaves the import of the first one alone', async () => {
    const { page } = opened;
    const { other, letGo } = await beginBesideOtherTab('beside another tab');
    await chooseFile(other, 'second.csv', 'name,description\nSecond,beside another tab');
    await other.getByText('The import runs in another tab.').waitFor();
    await other.getByText(/^second\.csv was not opened/).waitFor();
    letGo();
    await page.getByText('The import is complete').waitFor();
    await other.getByText('The import is complete').waitFor();
    assert.equal(await rolesWith('beside another tab'), 1);
    await other.close();
  });

  test('a tab with an earlier result cannot discard the import that runs in another one', async () => {
    const { page } = opened;
    await openImport(opened);
    await previewRoles(page, 'earlier.csv', 'imported before');
    await button(page, 'Import 1 role').click();
    await page.getByText('The import is complete').waitFor();
    const result = await page.context().newPage();
    await result.goto(page.url());
    await button(result, 'Import another file').waitFor();
    const { other, letGo } = await beginBesideOtherTab('after an earlier one');
    await button(result, 'Import another file').click();
    await result.getByText('The import runs in another tab.').waitFor();
    letGo();
    for (const tab of [page, result]) await tab.getByText('The import is complete').waitFor();
    assert.equal(await rolesWith('after an earlier one'), 1);
    await other.close();
    await result.close();
  });

  test('a tab that shows the preview cannot discard the import that another one has begun', async () => {
    const { page } = opened;
    await openImport(opened);
    await previewRoles(page, 'shown.csv', 'shown in two tabs');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await button(other, 'Import 1 role').click();
    await other.getByText('The import is complete').waitFor();
    await button(page, 'Choose another file').click();
    await page.getByText('The import is complete').waitFor();
    assert.equal(await rolesWith('shown in two tabs'), 1);
    await other.close();
  });

  test('one that runs in another tab is discarded after a question', async () => {
    const { page } = opened;
    const { other, letGo } = await beginBesideOtherTab('discarded elsewhere');
    await other.reload();
    await button(other, 'Discard import').click();
    await other.getByRole('dialog').getByRole('button', { name: 'Discard import' }).click();
    await button(other, 'Choose file').waitFor();
    letGo();
    await button(page, 'Choose file').waitFor();
    await other.close();
  });

  test('one whose last batch arrived is complete', async () => {
    const { page } = opened;
    const lines = ['username,phone', 'last.one,1', 'last.two,2'];
    await comeBackLate('Users', '**/users/batch', 'Import 2 users', lines, true);
    await button(page, 'Continue').click();
    await page.getByText('The import is complete').waitFor();
    await page.getByText('Done 2', { exact: true }).waitFor();
  });

  test('one with nothing left to write is finished, and keeps its result', async () => {
    const { page } = opened;
    const lines = ['username,phone', 'left.one,1'];
    await comeBackLate('Users', '**/users/batch', 'Import 1 user', lines, false);
    await opened.change('POST', '/tenants/1/users/batch', { users: [{ username: 'left.one', phone: '1' }] });
    await button(page, 'Continue').click();
    await button(page, 'Finish').waitFor();
    await button(page, 'Discard import').waitFor();
    await button(page, 'Finish').click();
    await page.getByText('The import is complete').waitFor();
    await page.getByText('Unchanged 1', { exact: true }).waitFor();
  });
});
