import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SignedClient } from '../signed-client.ts';
import { ConsolePage } from './console-page.ts';

const changes = 55;
const newcomers = 105;

const languages = {
  en: { history: 'History', loadMore: 'Load more' },
  zh: { history: '历史', loadMore: '加载更多' },
} as const;

describe('a list that is longer than a page', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    const client = new SignedClient(opened.server.url, await opened.issueUsableApplication('HR sync'));
    for (let number = 1; number <= changes; number++)
      await client.call('PUT', '/user', { id: 79, nickname: `nickname ${number}` });
    const users = Array.from({ length: newcomers }, (_, index) => ({
      username: `newcomer.${index}`,
      store_codes: ['N-009'],
    }));
    assert.equal((await client.call('POST', '/users/batch', { users })).code, 0);
    client.close();
    await opened.goTo('users');
  });

  after(() => opened?.close());

  const drawer = () => opened.page.getByRole('dialog').first();
  const entries = () => drawer().getByRole('listitem');
  const focused = () => opened.page.locator(':focus');

  for (const [language, texts] of Object.entries(languages)) {
    test(`all of a user's history can be read, and the focus is on the first new entry (${language})`, async () => {
      const { page } = opened;
      await page.evaluate(`localStorage.setItem('fieldroster-language', '${language}')`);
      await opened.goTo('users/79');
      await drawer().getByRole('tab', { name: texts.history }).click();
      const more = drawer().getByRole('button', { name: texts.loadMore });
      await more.waitFor();
      assert.equal(await entries().count(), 50);
      await more.focus();
      await page.keyboard.press('Enter');
      await entries().nth(50).waitFor();
      await more.waitFor({ state: 'detached' });
      assert.match(await entries().nth(49).innerText(), /nickname 6\b/);
      assert.match(await entries().nth(50).innerText(), /nickname 5\b/);
      await entries().nth(50).and(focused()).waitFor();
      // The oldest entry is that of the sample.
      assert.equal(await entries().count(), changes + 1);
      assert.match(
        await entries()
          .nth(changes - 1)
          .innerText(),
        /nickname 1\b/,
      );
      await opened.requireAccessible();
    });
  }

  test('a page that fails leaves the others, and can be asked for again', async () => {
    const { page } = opened;
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo('users/79');
    await drawer().getByRole('tab', { name: 'History' }).click();
    await drawer().getByRole('button', { name: 'Load more' }).waitFor();
    const refusal = { status: 500, json: { code: 1500, message: 'internal error' } };
    await page.route(/cursor=/, (route) => route.fulfill(refusal));
    await drawer().getByRole('button', { name: 'Load more' }).click();
    await drawer().getByRole('alert').waitFor();
    assert.equal(await entries().count(), 50);
    await page.unrouteAll();
    await drawer().getByRole('button', { name: 'Try again' }).click();
    await entries().nth(50).waitFor();
    // The answer's status is an error, which the browser reports.
    for (const complaint of opened.complaints.splice(0))
      assert.match(complaint, /^Failed to load resource: .*500/);
  });

  test('a search whose first page has no stores stops at a refused request until somebody tries again', async () => {
    const { page } = opened;
    const answers = [
      { json: { code: 0, message: 'ok', data: { stores: [], next: 'N-001' } } },
      { status: 500, json: { code: 1500, message: 'internal error', data: null } },
    ];
    let asked = 0;
    await page.route(/\/find-stores\?/, (route) => route.fulfill(answers[Math.min(asked++, 1)]));
    await opened.visit('stores?search=harbour');
    await page.getByRole('alert').waitFor();
    await opened.settled();
    assert.equal(asked, 2);
    await page.getByRole('button', { name: 'Try again' }).click();
    await opened.settled();
    assert.equal(asked, 3);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row').filter({ hasText: 'N-002' }).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    for (const complaint of opened.complaints.splice(0))
      assert.match(complaint, /^Failed to load resource: .*500/);
  });

  test('everyone who looks after a store can be seen', async () => {
    await opened.visit('stores/N-009');
    await drawer().getByRole('button', { name: 'Load more' }).waitFor();
    assert.equal(await entries().count(), 100);
    await drawer().getByRole('button', { name: 'Load more' }).click();
    await drawer().getByRole('link', { name: 'newcomer.104' }).waitFor();
    await drawer().getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' });
    assert((await entries().count()) >= newcomers);
  });

  test('a user has a status, however many others have its name as a part of theirs', async () => {
    const client = new SignedClient(
      opened.server.url,
      await opened.issueUsableApplication('HR sync of names'),
    );
    const { code, data } = await client.call('POST', '/users/batch', { users: [{ username: 'newcomer' }] });
    assert.equal(code, 0, JSON.stringify(data));
    client.close();
    const { data: user } = await (
      await opened.page.request.get(`${opened.origin}/console/api/tenants/1/user?username=newcomer`)
    ).json();
    await opened.goTo(`users/${user.id}`);
    await drawer()
      .getByRole('heading', { name: /^newcomer newcomer/ })
      .waitFor();
    await drawer().getByText('Active').waitFor();
  });
});
