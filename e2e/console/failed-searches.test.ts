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

  /** Answers searches as in a large directory: so many pages are empty before the first entry. */
  async function searchFar(emptyPages: number): Promise<void> {
    await opened.page.route(/\/(users|find-users|find-stores)\?.*search=/, (route) => {
      const url = new URL(route.request().url());
      // The made-up place of a page is as long as there are pages before it.
      const place = url.searchParams.get('cursor') ?? url.searchParams.get('after') ?? '';
      const next = `${place}#`;
      const data = { users: [], next_cursor: next, stores: [], next };
      if (place.length < emptyPages) return route.fulfill({ json: { code: 0, message: 'success', data } });
      url.searchParams.delete('cursor');
      url.searchParams.delete('after');
      return route.continue({ url: url.href });
    });
  }

  test('a user or a store far behind in a large directory is found in every field', async () => {
    const { page } = opened;
    await searchFar(2);
    await opened.visit('move-stores?from=1');
    await field('To').fill('jun.tan');
    await option(/Jun Tanaka/).click();
    await opened.visit('audit');
    await field('User').fill('jun.tan');
    await option(/Jun Tanaka/).waitFor();
    await opened.visit('users');
    await field('Store').fill('n-007');
    await option(/N-007/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Search users, stores, pages/ }).click();
    const palette = page.getByRole('dialog', { name: 'Search' });
    await palette.getByRole('combobox').fill('jun ta');
    await palette.getByRole('option', { name: /Jun Tanaka/ }).waitFor();
    await page.keyboard.press('Escape');
    await opened.visit('users?search=jun.tan');
    await page.getByRole('row', { name: /Jun Tanaka/ }).waitFor();
  });

  test('a search that ends early says that it did not look at everything', async () => {
    const { page } = opened;
    await searchFar(Number.POSITIVE_INFINITY);
    const early = 'Not everything was searched. Type more characters.';
    await opened.visit('move-stores?from=1');
    await field('To').fill('ju');
    await page.getByText(early).waitFor();
    await opened.visit('audit');
    await field('User').fill('ju');
    await page.getByText(early).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Search users, stores, pages/ }).click();
    const palette = page.getByRole('dialog', { name: 'Search' });
    await palette.getByRole('combobox').fill('ju');
    await palette.getByText(early).waitFor();
    assert.equal(await palette.getByText('Nothing matches').count(), 0);
    await palette.getByRole('combobox').fill('audit');
    await palette.getByRole('option', { name: 'Audit' }).waitFor();
    await palette.getByText(early).waitFor();
    await opened.requireAccessible();
    await page.keyboard.press('Escape');
  });

  test('what was found is shown with the words that the search ended early', async () => {
    const { page } = opened;
    await opened.visit('move-stores?from=1');
    await page.route(/\/users\?/, async (route) => {
      const url = new URL(route.request().url());
      const isFirst = !url.searchParams.has('cursor');
      url.searchParams.delete('cursor');
      const answer = await route.fetch({ url: url.href });
      const { data, ...rest } = (await answer.json()) as { data: { users: object[] } };
      const users = isFirst ? data.users : [];
      await route.fulfill({ response: answer, json: { ...rest, data: { users, next_cursor: 'more' } } });
    });
    await field('To').fill('jun.tan');
    await option(/Jun Tanaka/).waitFor();
    const early = option('Not everything was searched. Type more characters.');
    assert.equal(await early.getAttribute('data-combobox-disabled'), 'true');
    await opened.requireAccessible();
    await page.keyboard.press('Enter');
    await field('To').and(page.locator('[value^="Jun Tanaka"]')).waitFor();
  });

  test('the list of users says that it searches while it has found nobody', async () => {
    const { page } = opened;
    await opened.visit('users');
    await page.getByRole('row', { name: /Jun Tanaka/ }).waitFor();
    const found = Promise.withResolvers<void>();
    await page.route(/\/find-users\?/, async (route) => {
      const url = new URL(route.request().url());
      if (!url.searchParams.has('search')) return route.continue();
      const data = { users: [], next_cursor: 'more' };
      if (!url.searchParams.has('cursor'))
        return route.fulfill({ json: { code: 0, message: 'success', data } });
      await found.promise;
      url.searchParams.delete('cursor');
      return route.continue({ url: url.href });
    });
    await page.getByRole('searchbox', { name: 'Search users' }).fill('mara.oka');
    await page.getByRole('status').getByText('Searching…').waitFor();
    assert.equal(await page.getByText('No user matches').count(), 0);
    found.resolve();
    await page.getByRole('row', { name: /Mara Okafor/ }).waitFor();
    await page.getByText('1 user', { exact: true }).waitFor();
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
