import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { requests as english } from '../../packages/console/src/i18n/en/requests.ts';
import { requests as chinese } from '../../packages/console/src/i18n/zh/requests.ts';
import { type SignedCall, SignedClient, signText } from '../signed-client.ts';
import { ConsolePage } from './console-page.ts';

describe('what to do about a failed call', () => {
  let opened: ConsolePage;
  let withheldValue: string;
  let withheldBody: string;
  let lateClock: string;
  let noStore: string;

  before(async () => {
    opened = await ConsolePage.open();
    const till = await opened.issueUsableApplication('Shop till');
    const client = new SignedClient(opened.server.url, till);
    const send = async (call: SignedCall) => String((await client.exchange(call)).headers['x-request-id']);
    const signed = client.sign('GET', '/user?username=mara.okafor');
    withheldValue = await send({ ...signed, target: '/user?pin=a+b' });
    const user = client.sign('POST', '/user', { username: 'new.one', password: 'a long password' });
    withheldBody = await send({ ...user, target: '/user?username=other' });
    lateClock = await send(signText(till, 'GET', '/role?id=1', undefined, -4000));
    noStore = await send(client.sign('POST', '/user/store', { user_id: 1, store_code: 'no-such' }));
    client.close();
    await opened.writeCallCounts();
    await opened.goTo('requests');
  });

  after(() => opened?.close());

  const drawer = () => opened.page.getByRole('dialog');
  const says = (text: string) => drawer().getByText(text, { exact: true }).waitFor();

  async function inEachLanguage(check: (texts: typeof english) => Promise<void>): Promise<void> {
    for (const [language, texts] of [
      ['zh', chinese],
      ['en', english],
    ] as const) {
      await opened.page.evaluate(`localStorage.setItem('fieldroster-language', '${language}')`);
      await opened.page.reload();
      await check(texts);
      await opened.requireAccessible();
    }
  }

  test('a string to sign without its secret values is shown once, and is not to be compared as it is', async () => {
    await opened.goTo(`requests/${withheldValue}`);
    await inEachLanguage(async (texts) => {
      await says(texts.noCauseWithoutValues);
      await says(texts.stepWithoutValues);
      await drawer().getByRole('cell', { name: '/user?pin=…' }).waitFor();
      await says(texts.stringToSign);
      assert.equal(await drawer().getByText(texts.otherReading).count(), 0);
    });
  });

  test('the lab that is opened from it asks for the values at the field that lacks them, before anything else', async () => {
    const { page } = opened;
    await opened.goTo(`requests/${withheldValue}`);
    await drawer().getByRole('link', { name: 'Open in the signature lab' }).click();
    const url = page.getByRole('textbox', { name: 'URL, as it is sent' });
    const result = page.getByRole('region', { name: 'Result' });
    const advice = 'Replace each … in the URL with the value that was sent.';
    await result.getByText(advice, { exact: true }).waitFor();
    assert.equal(await url.getAttribute('aria-invalid'), 'true');
    await opened.requireAccessible();
    await url.fill('/user?pin=1');
    await page.getByRole('textbox', { name: 'Expected string to sign, as JSON' }).waitFor();
    assert.equal(await url.getAttribute('aria-invalid'), null);
    await opened.requireAccessible();
  });

  test('a digest that is not recorded is explained, and a known cause is for the developers', async () => {
    await opened.goTo(`requests/${withheldBody}`);
    await inEachLanguage(async (texts) => {
      await drawer().getByRole('cell', { name: texts.withheldDigest, exact: true }).waitFor();
      await says(texts.stepWithCause);
    });
  });

  test('how far a clock is off is said in hours and minutes', async () => {
    await opened.goTo(`requests/${lateClock}`);
    await drawer().getByText('The application’s clock is 1 h 7 min behind.').waitFor();
  });

  test('a call about a missing store links to the stores and to their import', async () => {
    const { page } = opened;
    await opened.goTo(`requests/${noStore}`);
    const all = drawer().getByRole('link', { name: 'Show all stores' });
    assert.match((await all.getAttribute('href')) ?? '', /\/t\/1\/stores$/);
    await drawer().getByRole('link', { name: 'Import stores' }).click();
    await page.getByRole('heading', { name: 'Import stores' }).waitFor();
  });
});
