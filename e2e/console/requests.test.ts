import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { requests as english } from '../../packages/console/src/i18n/en/requests.ts';
import { codes } from '../../packages/console/src/i18n/zh/codes.ts';
import { mistakes } from '../../packages/console/src/i18n/zh/mistakes.ts';
import { requests as texts } from '../../packages/console/src/i18n/zh/requests.ts';
import { type Credentials, SignedClient } from '../signed-client.ts';
import { ConsolePage } from './console-page.ts';

describe('the requests in the console', () => {
  let opened: ConsolePage;
  let wrongId: string;
  let till: Credentials;

  before(async () => {
    opened = await ConsolePage.open();
    till = await opened.issueUsableApplication('Shop till');
    await ask(till, '/user?username=nobody');
    await ask(till, '/role?id=4040404');
    const client = new SignedClient(opened.server.url, till);
    const { headers } = await client.exchange({
      ...client.sign('GET', '/user?username=mara.okafor'),
      target: '/user?username=someone',
    });
    client.close();
    wrongId = String(headers['x-request-id']);
    await opened.writeCallCounts();
  });

  after(() => opened?.close());

  async function ask(credentials: Credentials, target: string): Promise<void> {
    const client = new SignedClient(opened.server.url, credentials);
    await client.call('GET', target);
    client.close();
  }

  async function sendHexSignature(): Promise<void> {
    const client = new SignedClient(opened.server.url, till);
    const { headers, ...signed } = client.sign('GET', '/user?username=mara.okafor');
    const [scheme, appId, signature = ''] = headers.Authorization?.split(':') ?? [];
    const hex = Buffer.from(signature, 'base64').toString('hex');
    await client.exchange({ ...signed, headers: { ...headers, Authorization: `${scheme}:${appId}:${hex}` } });
    client.close();
  }

  const rows = () => opened.page.getByRole('row').filter({ hasText: 'Shop till' });
  /** Returns how many pixels of a cell are cut off. */
  const cutPixels = (cell: Locator) =>
    cell.evaluate((node) => Reflect.get(node, 'scrollWidth') - Reflect.get(node, 'clientWidth'));
  const drawer = () => opened.page.getByRole('dialog');

  test('failed calls are listed, newest first, with who made them', async () => {
    await opened.visit('requests');
    await rows().first().waitFor();
    assert.equal(await rows().count(), 3);
    await rows().first().filter({ hasText: '1014 wrong signature' }).waitFor();
    await opened.requireAccessible();
  });

  test('a failed call has a full page with an address, which keeps the filters of the list and no others', async () => {
    const { page } = opened;
    await opened.visit('requests?code=1014');
    await rows().first().click();
    await drawer().getByRole('button', { name: 'Show as a full page' }).click();
    await page.waitForURL(`**/requests/${wrongId}?code=1014&view=page`);
    await opened.isTitled('1014 wrong signature · Fieldroster');
    await page.reload();
    await drawer().getByRole('button', { name: 'Show beside the list' }).waitFor();
    await drawer().getByText(wrongId).first().waitFor();
    await opened.requireAccessible();
    await drawer().getByRole('button', { name: 'Close' }).click();
    await page.waitForURL(/requests\?code=1014$/);
    // The address changes before the page does, and the list is there behind the full page too.
    await drawer().waitFor({ state: 'detached' });
    await rows().first().waitFor();
    // A copied link shows the list behind it, and Back leads to the page before.
    await opened.follow(`requests/${wrongId}?view=page`);
    await drawer().getByRole('button', { name: 'Show beside the list' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).waitFor({ state: 'detached' });
    await page.goBack();
    await drawer().waitFor({ state: 'detached' });
    assert.match(page.url(), /requests\?code=1014$/);
  });

  test('no code is cut, a phone cuts no text, and what a desk cuts is said in full on hover', async () => {
    const { page } = opened;
    const revoked = { appId: 'revoked-long-ago', appSecret: 'x' };
    await ask(revoked, '/user?username=nobody');
    const client = new SignedClient(opened.server.url, revoked);
    const { headers: _, ...unsigned } = client.sign('GET', '/user?username=nobody');
    await client.exchange({ ...unsigned, headers: {} });
    client.close();
    await opened.writeCallCounts();
    await opened.goTo('requests');
    for (const meaning of ['unknown or inactive application', 'signing headers missing or malformed']) {
      const cell = page.getByText(meaning);
      await cell.first().waitFor();
      assert.equal(await cutPixels(cell.first()), 0, meaning);
    }
    const answer = page.getByText('the application "revoked-…" is unknown or revoked');
    assert.equal(await cutPixels(answer), 0, 'an answer of usual length is not cut at a desk');
    await page.setViewportSize({ width: 390, height: 844 });
    const long = page.getByText('signing headers missing or malformed').first();
    await opened.settled();
    assert.equal(await cutPixels(long), 0);
    assert.equal(await cutPixels(answer), 0);
    await page.setViewportSize({ width: 1120, height: 800 });
    await opened.settled();
    assert((await cutPixels(answer)) > 0, 'on a narrow desk it is cut');
    await answer.hover();
    assert.equal(await answer.getAttribute('title'), await answer.innerText());
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('filters narrow the list and stay in the address', async () => {
    const { page } = opened;
    await opened.visit('requests');
    await page.getByRole('combobox', { name: 'Operation' }).click();
    await page.getByRole('option', { name: 'query-user', exact: true }).click();
    await page.waitForURL(/operation=query-user/);
    await rows().nth(2).waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Code' }).click();
    await page.getByRole('option', { name: '1101 no such user' }).click();
    await page.waitForURL(/code=1101/);
    await rows().nth(1).waitFor({ state: 'detached' });
    await page.reload();
    await rows().first().waitFor();
    assert.equal(await rows().count(), 1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rows().nth(2).waitFor();
    await page.getByRole('searchbox', { name: 'Request ID' }).fill(wrongId);
    await rows().nth(1).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Request ID' }).fill('no such id');
    await page.getByRole('heading', { name: 'No failed call matches' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Clear filters' }).count(), 1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rows().nth(2).waitFor();
  });

  test('the filters by day list what failed then, stay in the address, and say that nothing failed in a time', async () => {
    const { page } = opened;
    const day = (daysAgo: number) => {
      const then = new Date();
      then.setDate(then.getDate() - daysAgo);
      return [then.getFullYear(), then.getMonth() + 1, then.getDate()]
        .map((part) => String(part).padStart(2, '0'))
        .join('-');
    };
    await opened.visit('requests');
    await rows().first().waitFor();
    const all = await rows().count();
    // A day that begins while this runs is one of them.
    await page.getByLabel('From').fill(day(1));
    await page.getByLabel('Until').fill(day(-1));
    await page.waitForURL(`**/requests?from=${day(1)}&until=${day(-1)}`);
    await rows().first().waitFor();
    await opened.settled();
    assert.equal(await rows().count(), all);
    await opened.requireAccessible();
    await page.getByLabel('Until').fill(day(1));
    await page.getByRole('heading', { name: english.noneThen }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: english.noneThen }).waitFor();
    assert.equal(await page.getByLabel('From').inputValue(), day(1));
    assert.equal(await page.getByLabel('Until').inputValue(), day(1));
    await page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await opened.goTo(`requests?until=${day(1)}`);
    await page.getByRole('heading', { name: texts.noneThen }).waitFor();
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo(`requests?until=${day(1)}&code=1101`);
    await page.getByText(english.noneFoundThenHelp).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rows().first().waitFor();
    assert.equal(await page.getByLabel('Until').inputValue(), '');
    await opened.visit(`requests?from=${day(1)}`);
    await rows().first().click();
    await drawer().waitFor();
    assert.match(page.url(), new RegExp(`requests/[^?]+\\?from=${day(1)}$`));
  });

  test('a wrong signature shows the string to sign line by line, and the likely cause', async () => {
    const { page } = opened;
    await opened.visit('requests');
    await rows().filter({ hasText: '1014' }).click();
    await drawer().getByRole('heading', { name: '1014 wrong signature' }).waitFor();
    await drawer().getByText('Likely cause').waitFor();
    await drawer().getByRole('row', { name: 'Method GET' }).waitFor();
    await drawer().getByRole('row', { name: 'Canonical resource /user?username=someone' }).waitFor();
    assert.match(page.url(), new RegExp(wrongId));
    await opened.requireAccessible();
    await page.emulateMedia({ colorScheme: 'dark' });
    await opened.requireAccessible();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.reload();
    await drawer().getByRole('row', { name: 'Method GET' }).waitFor();
    await drawer().getByRole('link', { name: 'Shop till' }).click();
    await drawer().getByRole('heading', { name: 'Shop till' }).waitFor();
  });

  test('a wrong signature opens in the lab with what is on record', async () => {
    const { page } = opened;
    await opened.visit(`requests/${wrongId}`);
    const string = await drawer()
      .getByRole('row', { name: /^Nonce/ })
      .getByRole('cell')
      .innerText();
    await drawer().getByRole('link', { name: 'Open in the signature lab' }).click();
    await page.getByText(`from the record of request ${wrongId}`).waitFor();
    assert.equal(await page.getByLabel('URL, as it is sent').inputValue(), '/user?username=someone');
    assert.match(
      await page.getByLabel('Headers').inputValue(),
      new RegExp(`^Timestamp: \\d+\nNonce: ${string}$`),
    );
    assert.equal(await page.getByLabel('Body').inputValue(), '');
    const asJson = page.getByRole('textbox', { name: 'Expected string to sign, as JSON' });
    const right = JSON.parse(await asJson.inputValue()) as string;
    await page.getByLabel('Your string to sign').fill(right.replace('someone', 'mara.okafor'));
    await page.getByText('The first difference is in line 4').waitFor();
    await page.reload();
    await page.getByText(`from the record of request ${wrongId}`).waitFor();
    await opened.requireAccessible();
  });

  test('in Chinese, a failed call says what was wrong and what to do, and quotes the answer in its own language', async () => {
    const { page } = opened;
    await page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await opened.goTo('requests');
    const wrong = '没有用户名为 "nobody" 的用户。';
    await rows().filter({ hasText: '1101' }).getByText(wrong, { exact: true }).waitFor();
    await rows()
      .filter({ hasText: `1101 ${codes[1101].meaning}` })
      .click();
    await drawer().getByText(codes[1101].step, { exact: true }).waitFor();
    await drawer().getByText(wrong, { exact: true }).waitFor();
    const answer = drawer().getByText('no user has username "nobody"');
    assert.equal(await answer.getAttribute('lang'), 'en');
    assert.match(await answer.evaluate(fontOf), /mono/);
    const step = await drawer().getByText(codes[1101].step).boundingBox();
    const facts = await answer.boundingBox();
    assert(step !== null && facts !== null && step.y < facts.y, 'what to do comes first');
    await opened.requireAccessible();
    await opened.visit(`requests/${wrongId}`);
    await drawer().getByText(texts.cause, { exact: true }).waitFor();
    await drawer().getByText(codes[1014].step, { exact: true }).waitFor();
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo('requests');
  });

  test('the list says the likely cause of a wrong signature, in the language of the reader', async () => {
    const { page } = opened;
    await sendHexSignature();
    await opened.visit('requests');
    // The server writes failed calls within ten seconds, and the page looks for new ones.
    await rows().getByText('Likely cause: the signature is written as hexadecimal digits').waitFor();
    await page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await opened.goTo('requests');
    await rows()
      .getByText(texts.likely(mistakes['signature-hex'] ?? ''), { exact: true })
      .waitFor();
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo('requests');
  });

  test('a failed call whose texts an erasure removed says so, in the list and by itself', async () => {
    const { page } = opened;
    await ask(till, '/user?username=mara.okafor&username=mara.okafor');
    await opened.writeCallCounts();
    await opened.erasePerson('mara.okafor');
    for (const [language, { erased, cause }] of Object.entries({ zh: texts, en: english })) {
      await opened.goTo('requests');
      await page.evaluate(`localStorage.setItem('fieldroster-language', '${language}')`);
      for (const code of [1001, 1014]) {
        await opened.goTo(`requests?code=${code}`);
        await rows().getByText(erased, { exact: true }).click();
        await drawer().getByText(erased, { exact: true }).waitFor();
        assert.equal(
          await drawer().getByText(cause, { exact: true }).count(),
          0,
          'the cause was removed too',
        );
        await opened.requireAccessible();
      }
    }
    await opened.goTo('requests');
  });

  test('a request id that is not on record says why that may be', async () => {
    await opened.visit('requests/000000000000-1');
    await drawer().getByText('No failed call with this request ID is on record').waitFor();
    await drawer().getByText('The call succeeded: only failed calls are kept.').waitFor();
  });

  // The last one, because its calls take the others out of sight.
  test('a long list scrolls by itself, without a second scroll bar of the page', async () => {
    const { page } = opened;
    const client = new SignedClient(opened.server.url, till);
    for (let id = 1; id <= 30; id++) await client.call('GET', `/role?id=990${id}`);
    client.close();
    await opened.writeCallCounts();
    await opened.goTo('requests?code=1201');
    await rows().nth(15).waitFor();
    await opened.settled();
    const excess = page
      .locator('main')
      .evaluate((main) => Reflect.get(main, 'scrollHeight') - Reflect.get(main, 'clientHeight'));
    assert.equal(await excess, 0);
  });
});

const fontOf = (node: unknown) => Reflect.get(globalThis, 'getComputedStyle')(node).fontFamily as string;
