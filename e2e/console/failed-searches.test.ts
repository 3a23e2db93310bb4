import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { ConsolePage } from './console-page.ts';

/** The server's answer when a search fails in it. */
const refusal = { code: 1500, message: 'internal error', data: null };

describe('a search or a list of choices that fails', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    await opened.goTo('users');
  });

  after(() => opened?.close());

  afterEach(async () => {
    await opened.page.unrouteAll();
    // The browser reports every call that failed.
    for (const line of opened.complaints.splice(0)) assert.match(line, /ERR_|Failed to load/);
  });

  /** Refuses the calls to a path below the tenant until the test calls the returned function. */
  async function refuse(path: RegExp): Promise<() => Promise<void>> {
    await opened.page.route(path, (route) => route.fulfill({ status: 500, json: refusal }));
    return () => opened.page.unroute(path);
  }

  const option = (name: string | RegExp) => opened.page.getByRole('option', { name });
  const retry = () => option('The search failed. Try again');
  const field = (name: string) => opened.page.getByRole('combobox', { name, exact: true });

  test('can be tried again from the keyboard, and the list stays open', async () => {
    const { page } = opened;
    await opened.visit('move-stores?from=1');
    const answer = await refuse(/\/users\?/);
    await field('To').fill('jun.tan');
    await retry().waitFor();
    await answer();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await option(/Jun Tanaka/).click();
    await field('To').and(page.locator('[value^="Jun Tanaka"]')).waitFor();
  });

  test('a search says so while a user is picked, and keeps this user', async () => {
    const { page } = opened;
    await opened.visit('move-stores?from=1&to=2');
    const from = field('From');
    await from.and(page.locator('[value^="Mara Okafor"]')).waitFor();
    await refuse(/\/users\?/);
    await from.fill('somebody');
    await retry().waitFor();
    assert.equal(await option(/Mara/).count(), 0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.match(await from.inputValue(), /^Mara Okafor/);
  });

  test('a search for a store says so too', async () => {
    await opened.visit('users');
    const held = Promise.withResolvers<void>();
    await opened.page.route(/\/find-stores/, async (route) => {
      await held.promise;
      await route.fulfill({ status: 500, json: refusal });
    });
    await field('Store').fill('n-007');
    await opened.shows('Searching…');
    held.resolve();
    await retry().waitFor();
    assert.equal(await opened.page.getByText('No store matches').count(), 0);
    await opened.page.unrouteAll();
    await retry().click();
    await option(/N-007/).waitFor();
  });

  test('the user filter of the audit says so, and says when nobody matches', async () => {
    const { page } = opened;
    await opened.visit('audit');
    const answer = await refuse(/\/users\?/);
    await field('User').fill('n tanaka');
    await retry().waitFor();
    await answer();
    await retry().click();
    await option('Jun Tanaka').waitFor();
    await field('User').fill('nobody at all');
    await page.getByText('No user matches').waitFor();
  });

  test('a list of roles, organizations or applications that cannot be loaded says so and loads again', async () => {
    for (const [path, name, pattern, choice] of [
      ['users', 'Role', /\/roles\?/, 'Sales representative'],
      ['users', 'Organization', /\/orgs\?/, /Harbour/],
      ['requests', 'Application', /\/applications$/, 'Sample'],
      ['audit', 'Application', /\/applications$/, 'Sample'],
    ] as const) {
      if (name === 'Application') await opened.issueApplication('Sample');
      const answer = await refuse(pattern);
      await opened.goTo(path);
      await field(name).click();
      const again = option('The list could not be loaded. Try again').first();
      await again.waitFor();
      await answer();
      await again.click();
      await option(choice).first().waitFor();
    }
  });

  test('a filter that only an address names shows its id while the list of names cannot be loaded', async () => {
    const answers = [await refuse(/\/roles\?/), await refuse(/\/orgs\?/)];
    await opened.goTo('users?role=2&org=10');
    await field('Role').and(opened.page.locator('[value="ID 2"]')).waitFor();
    await field('Organization').and(opened.page.locator('[value="ID 10"]')).waitFor();
    for (const answer of answers) await answer();
    await field('Role').click();
    await option('The list could not be loaded. Try again').click();
    await field('Role').and(opened.page.locator('[value="Team leader"]')).waitFor();
    await opened.goTo('users?role=999');
    await field('Role').and(opened.page.locator('[value="ID 999"]')).waitFor();
  });

  test('a user shows the role and the organization although their lists cannot be loaded', async () => {
    const answers = [await refuse(/\/roles\?/), await refuse(/\/orgs\?/)];
    await opened.goTo('users/1');
    const drawer = opened.page.getByRole('dialog');
    const role = drawer.getByRole('combobox', { name: 'Role' });
    await role.waitFor();
    await opened.settled();
    assert.notEqual(await role.inputValue(), '');
    assert.notEqual(await drawer.getByRole('combobox', { name: 'Organization' }).inputValue(), '');
    await role.click();
    await option('The list could not be loaded. Try again').waitFor();
    for (const answer of answers) await answer();
    await option('The list could not be loaded. Try again').click();
    await option('Team leader').waitFor();
  });

  test('the palette says so, beside what it found, and tries again', async () => {
    const { page } = opened;
    await opened.visit('audit');
    const answer = await refuse(/\/users\?/);
    await page.getByRole('button', { name: /^Search users, stores, pages/ }).click();
    const palette = page.getByRole('dialog', { name: 'Search' });
    await palette.getByRole('combobox').fill('jun ta');
    const failed = palette.getByText('The search failed.', { exact: true });
    await failed.waitFor();
    await opened.requireAccessible();
    assert.equal(await palette.getByText('Nothing matches').count(), 0);
    await palette.getByRole('combobox').fill('audit');
    await palette.getByRole('option', { name: 'Audit' }).waitFor();
    await palette.getByText('Part of the search failed.').waitFor();
    await palette.getByRole('combobox').fill('jun ta');
    await failed.waitFor();
    await answer();
    await palette.getByRole('button', { name: 'Try again' }).click();
    await palette.getByRole('option', { name: /Jun Tanaka/ }).waitFor();
    await palette.getByRole('combobox').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
  });

  test('a search says so instead of “No user matches” while the server is gone, and finds the user once it is back', async () => {
    const { page } = opened;
    await opened.visit('move-stores?from=1');
    await page.getByRole('listitem').first().waitFor();
    await opened.server.kill();
    await field('To').fill('tanaka');
    await retry().waitFor();
    await opened.requireAccessible();
    assert.equal(await page.getByText('No user matches').count(), 0);
    await opened.restartServer();
    await option(/Jun Tanaka/).waitFor();
    await retry().waitFor({ state: 'detached' });
  });
});
