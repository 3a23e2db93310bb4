import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsolePage } from './console-page.ts';

describe('moving stores in the console', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const section = (name: string) => opened.page.getByRole('region', { name });
  const names = (name: string) => section(name).getByRole('listitem').allInnerTexts();

  async function pickTo(search: string, option: RegExp): Promise<void> {
    const { page } = opened;
    const to = page.getByRole('combobox', { name: 'To' });
    await to.fill(search);
    await page.getByRole('option', { name: option }).click();
    await page.waitForURL(/to=/);
    // The field shows who was picked only after the address has changed, and would replace what is typed before.
    await to.and(page.locator('[value$=")"]')).waitFor();
  }

  test('a supervisor moves stores of a representative to a colleague, and undoes it', async () => {
    const { page } = opened;
    await opened.visit('users');
    await page.getByRole('row').filter({ hasText: 'Mara Okafor' }).click();
    await page.getByRole('tab', { name: 'Stores' }).click();
    await page.getByRole('link', { name: 'Move stores…' }).click();
    await page.getByRole('heading', { name: 'Move stores' }).waitFor();
    await section('From').getByRole('listitem').first().waitFor();
    await pickTo('tanaka', /Jun Tanaka/);
    const before = await names('From');
    await section('From').getByRole('checkbox').first().check();
    await page.getByText(/stores? moves? from Mara Okafor to Jun Tanaka/).waitFor();
    assert.match(page.url(), /\?from=1&to=2$/);
    await opened.requireAccessible();
    await page.getByRole('button', { name: /^Move \d+ stores?$/ }).click();
    await page.getByText(/moved from Mara Okafor to Jun Tanaka/).waitFor();
    await page
      .locator(':focus')
      .filter({ hasText: /^Move stores$/ })
      .waitFor();
    await section('From').getByText('No stores.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/back with Mara Okafor/).waitFor();
    await section('From').getByRole('listitem').first().waitFor();
    assert.deepEqual(await names('From'), before);
  });

  test('a filter that no store matches says so, and offers none to select', async () => {
    await opened.visit('move-stores?from=1');
    await section('From').getByRole('checkbox').first().waitFor();
    await section('From').getByRole('searchbox').fill('nowhere');
    await section('From').getByText('No store matches').waitFor();
    assert.equal(await section('From').getByRole('checkbox').count(), 0);
  });

  test('the audit and the history of both name the colleague, with a link', async () => {
    const { page } = opened;
    const took = page.getByRole('listitem').filter({ hasText: 'Took over stores from a colleague' });
    const gave = page.getByRole('listitem').filter({ hasText: 'Handed over stores to a colleague' });
    await opened.visit('audit?operation=move-stores');
    await gave.getByText('To', { exact: true }).first().waitFor();
    await opened.requireAccessible();
    // Mara handed them over, and got them back by the undo.
    await opened.visit('users/1');
    await page.getByRole('tab', { name: 'History' }).click();
    await took.getByText('From', { exact: true }).waitFor();
    await gave.getByRole('link', { name: 'Jun Tanaka' }).click();
    await page.getByRole('heading', { name: 'Jun Tanaka' }).waitFor();
  });

  test('on a phone, no store shows between the bar and the notice with Undo', async (t) => {
    const { page } = opened;
    t.after(() => page.setViewportSize({ width: 1280, height: 800 }));
    await page.setViewportSize({ width: 390, height: 700 });
    // Loading the page removes the notice of the test before, which would make room for the bar when it leaves.
    await opened.goTo('move-stores?from=1&to=2');
    await section('From').getByRole('checkbox').nth(1).check();
    await page.getByRole('button', { name: /^Move \d+ stores?$/ }).click();
    const notice = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Undo' }) });
    await notice.waitFor();
    await opened.settled();
    for (let top = 0; top <= 300; top += 50) {
      await page.evaluate(`document.querySelector('main').scrollTop = ${top}`);
      assert.deepEqual(await page.evaluate(shownBelowBar), [], `scrolled by ${top} pixels`);
    }
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 store is back with Mara Okafor').waitFor();
  });

  test('Enter picks nobody who was found for an earlier text, however slow the search is', async (t) => {
    const { page } = opened;
    t.after(() => page.unrouteAll());
    await opened.visit('move-stores?from=1');
    const to = page.getByRole('combobox', { name: 'To' });
    await to.click();
    await page.getByRole('option').nth(1).waitFor();
    const { promise: isAsked, resolve: noteAsked } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    await page.route(/search=tanaka/, async (route) => {
      noteAsked();
      await mayAnswer;
      await route.continue();
    });
    await page.keyboard.type('tanaka');
    await isAsked;
    // Only users whose names contain the text are listed before the answer.
    assert.deepEqual(await page.getByRole('option').allInnerTexts(), ['Jun Tanaka (jun.tanaka)']);
    await page.keyboard.type('x');
    await page.getByText('Searching…').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(await to.inputValue(), 'tanakax');
    answer();
    await page.getByText('No user matches').waitFor();
    assert.doesNotMatch(page.url(), /to=/);
  });

  test('Enter picks who was found in place of who was chosen before, and never clears the field', async () => {
    const { page } = opened;
    await opened.visit('move-stores?from=1');
    const to = page.getByRole('combobox', { name: 'To' });
    const search = async (text: string) => {
      await to.selectText();
      await page.keyboard.type(text);
      await page.locator('[data-combobox-selected]', { hasText: 'Jun Tanaka' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('option').first().waitFor({ state: 'detached' });
    };
    await pickTo('nwosu', /Amara Nwosu/);
    const picked = to.and(page.locator('[value="Jun Tanaka (jun.tanaka)"]'));
    await search('tanaka');
    await picked.waitFor();
    await search('tanaka');
    await picked.waitFor();
    assert.match(page.url(), /to=/);
  });

  test('Enter picks nobody else if the first person found cannot be picked', async () => {
    const { page } = opened;
    await opened.visit('move-stores?from=1');
    const to = page.getByRole('combobox', { name: 'To' });
    await to.click();
    await page.keyboard.type('mara');
    await page.getByRole('option', { name: /gives the stores away/, disabled: true }).waitFor();
    await page.getByRole('option', { name: 'Amara Nwosu' }).waitFor();
    await page.keyboard.press('Enter');
    assert.equal(await to.inputValue(), 'mara');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/to=/);
    await to.and(page.locator('[value="Amara Nwosu (amara.nwosu)"]')).waitFor();
  });

  test('a pasted text that is too long or has NUL characters is shortened to one that the server accepts', async () => {
    const { page } = opened;
    await opened.visit('move-stores?from=1');
    const to = page.getByRole('combobox', { name: 'To' });
    const failures: number[] = [];
    page.on('response', (response) => response.ok() || failures.push(response.status()));
    await to.fill('漢'.repeat(10_000));
    await page.getByText('No user matches').waitFor();
    await to.fill('jun\0.tanaka');
    await page.getByRole('option', { name: /Jun Tanaka/ }).waitFor();
    await opened.visit('users');
    const search = page.getByRole('searchbox', { name: 'Search users' });
    await search.fill('jun\0.tanaka');
    await page.getByRole('row').filter({ hasText: 'Jun Tanaka' }).waitFor();
    await page.getByText('1 user', { exact: true }).waitFor();
    assert.deepEqual(failures, []);
  });

  test('the bar with the button says only what to do next', async () => {
    const { page } = opened;
    const next = (text: string) => page.locator('[aria-live=polite]', { hasText: text }).waitFor();
    await opened.visit('move-stores');
    await next('Choose the representative whose stores move.');
    await opened.visit('move-stores?from=3');
    await next('Choose at least one store.');
    await section('From').getByRole('checkbox').nth(1).check();
    await next('Choose the colleague who takes them over.');
    await pickTo('tanaka', /Jun Tanaka/);
    await next('1 store moves');
  });

  test('a colleague who cannot take stores is listed with the reason', async () => {
    const { page } = opened;
    await opened.visit('move-stores?from=1');
    await section('From').getByRole('listitem').first().waitFor();
    const to = page.getByRole('combobox', { name: 'To' });
    await to.fill('mara.okafor');
    await page.getByRole('option', { name: /gives the stores away/, disabled: true }).waitFor();
    await opened.change('PUT', '/tenants/1/user/status', { id: 9, status: 'disabled' });
    const { username } = await (
      await page.request.get(`${opened.origin}/console/api/tenants/1/user?user_id=9`)
    )
      .json()
      .then(({ data }) => data);
    await to.fill(username);
    await page.getByRole('option', { name: /disabled/, disabled: true }).waitFor();
    await pickTo('tanaka', /Jun Tanaka/);
    await page.getByText('Choose at least one store.').waitFor();
  });

  test('a move is refused when somebody changed the stores after the preview', async () => {
    const { page } = opened;
    await opened.visit('move-stores?from=1');
    await section('From').getByRole('listitem').first().waitFor();
    await pickTo('tanaka', /Jun Tanaka/);
    await section('From').getByRole('checkbox').nth(1).check();
    await page.getByText(/1 store moves/).waitFor();
    const [first = ''] = await names('From');
    const [code = ''] = /[A-Z]-\d+/.exec(first) ?? [];
    await opened.change('DELETE', `/tenants/1/user/store?user_id=1&store_code=${code}`);
    await page.getByRole('button', { name: 'Move 1 store' }).click();
    await page.getByRole('alert').filter({ hasText: 'nothing was moved' }).waitFor();
    await section('From').getByText(code).waitFor({ state: 'detached' });
    // The answer's status is an error, which the browser reports.
    opened.expectReports(409);
  });
});

/** Returns the elements that are visible below the action bar, apart from the bar and the notice. */
const shownBelowBar = `(() => {
  const button = [...document.querySelectorAll('main button')].find((one) => /^Move \\d* ?stores?$/.test(one.textContent));
  const bar = button.parentElement;
  const shown = [];
  for (let y = bar.getBoundingClientRect().bottom + 1; y < innerHeight; y += 4)
    for (let x = 20; x < innerWidth - 20; x += 25) {
      const found = document.elementFromPoint(x, y);
      if (!bar.contains(found) && found.closest('[role=alert], [data-position]') === null)
        shown.push(x + ',' + y + ' ' + found.tagName + ' ' + found.textContent.slice(0, 40));
    }
  return shown;
})()`;
