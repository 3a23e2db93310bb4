import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Credentials, SignedClient } from '../signed-client.ts';
import { ConsolePage } from './console-page.ts';
import { recordWeekBefore } from './record-week-before.ts';

describe('the overview in the console', () => {
  let opened: ConsolePage;
  let hrSync: Credentials;

  before(async () => {
    opened = await ConsolePage.openByLink();
  });

  after(() => opened?.close());

  const region = (name: string) => opened.page.getByRole('region', { name });

  async function call(credentials: Credentials, target: string, times: number): Promise<void> {
    const client = new SignedClient(opened.server.url, credentials);
    for (let count = 0; count < times; count++) await client.call('GET', target);
    client.close();
  }

  test('the first page after the sign-in says that all is well, and how much there is', async () => {
    const { page } = opened;
    await page.getByText('All is well; no call has failed in the last 24 hours.').waitFor();
    for (const [name, value] of [
      ['Users', '80'],
      ['Stores', '40'],
    ] as const) {
      await page.locator('dl > div').filter({ hasText: name }).getByText(value).first().waitFor();
    }
    await page.getByText('No calls in this period').waitFor();
    await region('Latest changes').getByText('Loaded the sample directory').first().waitFor();
    await opened.requireAccessible();
  });

  test('a user who is added in the console counts at once', async () => {
    const { page } = opened;
    const users = page.locator('dl > div').filter({ hasText: 'Users' });
    await users.getByText('80').waitFor();
    await page.getByRole('link', { name: 'Users' }).first().click();
    await page.getByRole('button', { name: 'Add user' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Username' }).fill('just.added');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill('a long password');
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click();
    await page.getByText('just.added').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Overview' }).click();
    await users.getByText('81').waitFor();
    const found = await page.request.get(`${opened.origin}/console/api/tenants/1/user?username=just.added`);
    const { id } = (await found.json()).data as { id: number };
    await opened.change('DELETE', `/tenants/1/user?user_id=${id}`);
    await opened.goTo('');
    await users.getByText('80').waitFor();
  });

  test('each count is compared with the one of a week before, if there is one', async () => {
    const { page } = opened;
    const figure = (name: string) => page.locator('dl > div').filter({ hasText: name }).first();
    await figure('Stores').getByText('40').waitFor();
    assert.equal(await page.getByText('in 7 days').count(), 0);
    recordWeekBefore(opened, { users: 68, stores: 40, bindings: 1_000, applications: 3 });
    await opened.goTo('');
    await figure('Users').getByText('+12 in 7 days').waitFor();
    await figure('Stores').getByText('no change').waitFor();
    await figure('Assignments')
      .getByText(/^-\d+ in 7 days$/)
      .waitFor();
    await figure('Applications')
      .getByText(/^-\d in 7 days$/)
      .waitFor();
    await figure('Users').getByText('+12 in 7 days').hover();
    await page.getByRole('tooltip', { name: /^Since / }).waitFor();
    await opened.requireAccessible();
  });

  test('an application with a wrong secret is named, with what to do and its requests', async () => {
    const { page } = opened;
    hrSync = await opened.issueApplication('HR sync');
    // A server that starts knows it, so that no call fails for another reason.
    await opened.writeCallCounts();
    await call(hrSync, '/user?username=mara.okafor', 3);
    await call(hrSync, '/user?username=nobody', 2);
    await call({ ...hrSync, appSecret: 'another' }, '/user?username=mara.okafor', 4);
    await opened.writeCallCounts();
    await opened.goTo('');
    const sentence = page.getByRole('main').locator('p[role=status]');
    // The server knows the hour of the first failure, and the time of the last.
    // Around midnight it has the day too.
    const time = /(?:\d{1,2} \w+, )?\d\d/.source;
    // Hours begin at 30 or 45 minutes past in some time zones.
    const minutes = String(-new Date().getTimezoneOffset() % 60).padStart(2, '0');
    const hour = `${time}:${minutes.replace('-', '')}`;
    const span = `(between ${hour} and ${time}:\\d\\d|at ${hour})`;
    const total = '6 of 9 calls of HR sync failed in the last 24 hours; 4 of them';
    await sentence.getByText(new RegExp(`^${total}, ${span}: wrong signature\\.$`)).waitFor();
    await page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await opened.goTo('');
    const inChinese = /^最近 24 小时，HR sync 的 9 次调用中有 6 次失败，其中 4 次（.+）：签名错误。查看请求$/;
    await sentence.filter({ hasText: inChinese }).waitFor();
    await page.evaluate("localStorage.removeItem('fieldroster-language')");
    await opened.goTo('');
    const failing = region('Failing integrations');
    await failing.getByText('6 of 9 calls').waitFor();
    await failing.getByText('If they are equal, its secret is wrong: rotate it.').waitFor();
    await failing.getByText(/^4 calls · last /).waitFor();
    await failing.getByText(/: 1101 no such user 2 calls$/).waitFor();
    await failing.getByRole('link', { name: '1014 wrong signature' }).click();
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    assert.match(page.url(), /code=1014/);
    await opened.visit('');
    await page.getByRole('status').getByRole('link', { name: 'Show requests' }).click();
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    await page.waitForURL((url) => url.searchParams.get('code') === '1014' && url.searchParams.has('app'));
  });

  test('the calls are broken down by code and by operation, for an hour, a day and a week', async () => {
    const { page } = opened;
    await opened.visit('');
    const calls = region('Calls per minute');
    await calls.getByRole('figure', { name: 'Calls per minute' }).waitFor();
    await calls.getByRole('row', { name: 'Succeeded 3 33.3%' }).waitFor();
    for (const range of ['Last day', 'Last week']) {
      await page.getByText(range).click();
      await page.waitForURL(/range=/);
      await calls.getByRole('row', { name: '1014 wrong signature 4 44.4%' }).waitFor();
    }
    await page.getByText('By operation').click();
    await calls.getByRole('row', { name: /^query-user 9 100% 6 [≤>]/ }).waitFor();
    await calls
      .getByRole('row', { name: 'Operation Calls % Failed Median time 99th percentile time' })
      .waitFor();
    await calls.getByRole('columnheader').getByText('99th percentile time').hover();
    await page.getByRole('tooltip', { name: '99 of 100 calls took no longer than this (p99)' }).waitFor();
    await page.reload();
    await calls.getByRole('row', { name: /^query-user 9 100% 6 [≤>]/ }).waitFor();
    await opened.requireAccessible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await opened.requireAccessible();
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('on a phone, the longest head of the operations takes several lines instead of the room of other columns', async () => {
    const { page } = opened;
    await opened.goTo('?by=operation');
    const head = page.getByRole('columnheader').getByText('99th percentile time');
    const lines = () => head.evaluate((element) => element.getClientRects().length);
    await head.waitFor();
    assert.equal(await lines(), 1);
    await page.setViewportSize({ width: 390, height: 844 });
    await opened.settled();
    assert.equal(await lines(), 3);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('a directory without users and stores says what to do first, and one with them does not', async () => {
    const { page } = opened;
    const steps = region('No users or stores yet').getByRole('listitem');
    await opened.visit('');
    await region('Calls per minute').waitFor();
    assert.equal(await steps.count(), 0);
    await opened.change('POST', '/tenants', { name: 'acme' });
    await page.goto(`${opened.origin}/console/t/2`);
    await steps.first().waitFor();
    const names = await steps.getByRole('link').allInnerTexts();
    const expected = ['Add organizations', 'Add roles', 'Import stores', 'Import users', 'Issue application'];
    assert.deepEqual(names, expected);
    assert.equal(await page.getByText(/^All is well/).count(), 0);
    await opened.requireAccessible();
    await opened.change('POST', '/tenants/2/org', { id: 1, name: 'Acme' });
    await page.reload();
    await steps.first().waitFor();
    await steps.getByRole('link', { name: 'Import users' }).click();
    await page.getByRole('heading', { name: 'Import users' }).waitFor();
    assert.match(page.url(), /\/t\/2\/import$/);
    await opened.goTo('');
  });

  test('on a phone, the switch of the calls stands below their figures, however short they are', async () => {
    const { page } = opened;
    await page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.route(/\/call-history\?/, async (route) => {
      const response = await route.fetch();
      const { data, ...answer } = await response.json();
      const history = { ...data, p50_ms: 1, p99_ms: 5, before: { ...data.before, calls: 0 } };
      await route.fulfill({ response, json: { ...answer, data: history } });
    });
    await opened.goTo('');
    await page.getByText('≤ 5 毫秒').waitFor();
    await opened.settled();
    const { y = Number.NaN } = (await page.getByText('按代码', { exact: true }).boundingBox()) ?? {};
    const ends = await page
      .locator('section dl dd')
      .evaluateAll((figures) => figures.map((figure) => figure.getBoundingClientRect().bottom));
    assert.equal(ends.length, 4);
    assert(y >= Math.max(...ends), `${y}, ${ends}`);
    await page.unrouteAll();
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await page.setViewportSize({ width: 1280, height: 800 });
    await opened.goTo('');
  });

  test('the times below the chart are evenly spaced, from the first to the end', async () => {
    const { page } = opened;
    await opened.visit('');
    const times = region('Calls per minute')
      .locator('svg text')
      .filter({ hasText: /\d\d:\d\d/ });
    for (const width of [1280, 1024, 768, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const range of ['Last hour', 'Last day', 'Last week']) {
        await page.getByText(range).click();
        await times.first().waitFor();
        await opened.settled();
        const places = await times.evaluateAll((all) =>
          all.map((time) => time.getBoundingClientRect()).map(({ x, width }) => x + width / 2),
        );
        const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
        const where = `${range}, ${width} pixels wide: ${places}`;
        assert(places.length > 1, where);
        const [gap = 0] = gaps;
        assert(Math.max(...gaps) - Math.min(...gaps) < 3, where);
        const plot = await region('Calls per minute').locator('.recharts-cartesian-grid').boundingBox();
        const end = plot === null ? 0 : plot.x + plot.width;
        assert(end > 0, where);
        assert(end - (places.at(-1) ?? 0) < gap + 1, `${where}, up to ${end}`);
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('the charts are not loaded before they are shown', async () => {
    const scripts: string[] = [];
    opened.page.on('response', (response) => scripts.push(response.url()));
    await opened.goTo('users');
    await opened.page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
    assert.equal(
      scripts.some((url) => url.includes('calls-chart')),
      false,
      scripts.join(),
    );
  });

  test('a change appears without reloading', async () => {
    const { page } = opened;
    await opened.visit('');
    const changes = region('Latest changes');
    await changes.getByText('Issued an application').first().waitFor();
    const client = new SignedClient(opened.server.url, hrSync);
    await client.call('POST', '/user/store', { user_id: 80, store_code: 'N-007' });
    client.close();
    await changes.getByText('Assigned a store').waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Overview' }).count(), 1);
  });

  test('an application that is revoked no longer counts as failing, and is named as revoked', async () => {
    const { page } = opened;
    const sentence = page.getByRole('main').locator('p[role=status]');
    await opened.goTo('');
    await sentence.filter({ hasText: 'HR sync' }).waitFor();
    await opened.change('DELETE', '/tenants/1/applications', { app_id: hrSync.appId });
    await opened.goTo('');
    await sentence.filter({ hasText: /^No application needs attention now; the failures/ }).waitFor();
    const failing = region('Failing integrations');
    await failing.getByText('HR sync (revoked)').waitFor();
    await failing.getByText(/^4 calls · last /).waitFor();
    assert.equal(await failing.getByText('its secret is wrong').count(), 0);
    await opened.requireAccessible();
    await page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await opened.goTo('');
    await region('调用失败的应用').getByText('HR sync（已吊销）').waitFor();
    await page.evaluate("localStorage.removeItem('fieldroster-language')");
  });

  test('calls without a known application are no success, and lead to their requests', async () => {
    const { page } = opened;
    const stranger = { appId: 'mistyped', appSecret: 'a'.repeat(32) };
    await call(stranger, '/user?username=mara.okafor', 8);
    await opened.writeCallCounts();
    // The second tenant has no applications.
    await opened.change('POST', '/tenants/2/user', { username: 'somebody', password: 'a long password' });
    await page.goto(`${opened.origin}/console/t/2`);
    const sentence = page.getByRole('main').locator('p[role=status]');
    const expected = '8 calls failed without a known application; check the APPID of a new integration.';
    await sentence.getByText(expected).waitFor();
    assert.equal(await sentence.locator('.tabler-icon-circle-check').count(), 0);
    await opened.requireAccessible();
    await sentence.getByRole('link', { name: 'Show requests' }).click();
    await page.getByRole('row').filter({ hasText: '1013' }).first().waitFor();
    await page.waitForURL((url) => url.searchParams.get('code') === '1013');
  });
});
