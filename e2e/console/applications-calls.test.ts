import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { applications as texts } from '../../packages/console/src/i18n/en/applications.ts';
import { applications as textsInChinese } from '../../packages/console/src/i18n/zh/applications.ts';
import { type Credentials, SignedClient } from '../signed-client.ts';
import { ConsolePage } from './console-page.ts';

describe('an application in the console', () => {
  let opened: ConsolePage;
  let till: Credentials;

  before(async () => {
    opened = await ConsolePage.open();
    till = await opened.issueUsableApplication('Shop till');
  });

  after(() => opened?.close());

  const drawer = () => opened.page.getByRole('dialog').filter({ hasText: till.appId });
  const dialog = () => opened.page.getByRole('dialog').filter({ hasNotText: till.appId });

  async function ask(target: string): Promise<number> {
    const client = new SignedClient(opened.server.url, till);
    const { code } = await client.call('GET', target);
    client.close();
    return code;
  }

  /** Asks until the answer has the code: servers follow a change within two seconds. */
  async function answers(code: number): Promise<void> {
    const deadline = Date.now() + 90_000;
    while ((await ask('/user?username=mara.okafor')) !== code) {
      assert(Date.now() < deadline, `the server does not answer ${code}`);
      await delay(50);
    }
  }

  test('a new secret comes with a script in eight languages, which does not contain it', async () => {
    const { page } = opened;
    const { appSecret: secret } = await opened.showNewApplication('HR sync');
    const script = page.getByRole('region', { name: 'First call' });
    const choice = page.getByRole('combobox', { name: 'First call' });
    await choice.click();
    await page.getByRole('option').first().waitFor();
    const languages = await page.getByRole('option').allTextContents();
    assert.deepEqual(languages, ['bash', 'Python', 'Go', 'Java', 'PHP', 'Ruby', 'C#', 'TypeScript']);
    await page.keyboard.press('Escape');
    for (const language of languages) {
      await choice.click();
      await page.getByRole('option', { name: language, exact: true }).click();
      const text = (await script.textContent()) ?? '';
      assert.match(text, /FIELDROSTER_APP_SECRET/, language);
      assert.match(text, language === 'TypeScript' ? /listUsers/ : /\/users\?limit=1/, language);
      assert.equal(text.includes(secret), false, language);
    }
    const scrolls = await script.evaluate(
      ({ scrollWidth, clientWidth, offsetWidth }) =>
        scrollWidth > clientWidth && offsetWidth > clientWidth + 1,
    );
    assert.equal(scrolls, true, 'the frame has its right edge, however long the lines are');
    await opened.requireAccessible();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row').filter({ hasText: 'HR sync' }).waitFor();
  });

  test('the dialog with a new secret names the application that it belongs to', async () => {
    const { page } = opened;
    const named = page.getByRole('dialog', { name: 'Credentials of Named till' });
    await opened.showNewApplication('Named till');
    await named.getByRole('textbox', { name: 'APPSECRET' }).waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row').filter({ hasText: 'Named till' }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const rotation = page.getByRole('dialog', { name: 'Rotate secret' });
    await rotation.getByRole('button', { name: 'Rotate secret' }).click();
    await named.getByRole('textbox', { name: 'APPSECRET' }).waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await named.waitFor({ state: 'hidden' });
  });

  test('a new secret keeps the focus, and a rotation moves it to the choice that it asks for', async () => {
    const { page } = opened;
    await opened.showNewApplication('By keyboard');
    await page.locator(':focus').waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row').filter({ hasText: 'By keyboard' }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate secret' });
    const choice = dialog.getByRole('combobox');
    await choice.and(page.locator(':focus')).waitFor();
    await dialog.getByText('After that, calls that still use it fail').waitFor();
    await choice.click();
    await page.getByRole('option', { name: 'at once' }).click();
    await dialog.getByText('ends at once, and calls that still use it fail').waitFor();
    await page.keyboard.press('Escape');
  });

  test('a rotation during another one says that it ends the oldest secret', async () => {
    const { page } = opened;
    const dialog = page.getByRole('dialog', { name: 'Rotate secret' });
    await opened.showNewApplication('Twice rotated');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row').filter({ hasText: 'Twice rotated' }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByRole('combobox').waitFor();
    assert.equal(await dialog.getByRole('alert').count(), 0);
    await dialog.getByText(texts.rotateHelp).waitFor();
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const warning = dialog.getByRole('alert').filter({ hasText: 'The older one ends at once' });
    await warning.waitFor();
    await opened.requireAccessible();
    await page.keyboard.press('Escape');
    await page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await page.reload();
    await page.getByRole('button', { name: textsInChinese.rotate }).click();
    const inChinese = page.getByRole('dialog', { name: textsInChinese.rotate });
    await inChinese.getByRole('alert').getByText(textsInChinese.endsOldest).waitFor();
    await inChinese.getByText(textsInChinese.rotateHelp, { exact: true }).waitFor();
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await page.reload();
  });

  test('a rotation knows that the older secret still works, although the clock of the browser is two days fast', async () => {
    const { page } = opened;
    const browser = page.context().browser();
    assert(browser !== null);
    const { appId } = await opened.issueApplication('Rotated by a fast clock');
    await opened.change('POST', '/tenants/1/applications/rotate', {
      app_id: appId,
      old_expires_in_seconds: 86_400,
    });
    const context = await browser.newContext({
      locale: 'en-GB',
      storageState: await page.context().storageState(),
    });
    await context.clock.install({ time: Date.now() + 2 * 86_400_000 });
    const elsewhere = await context.newPage();
    await elsewhere.goto(`${opened.origin}/console/t/1/applications/${appId}`);
    await elsewhere.getByRole('button', { name: texts.rotate }).click();
    await elsewhere.getByRole('alert').getByText(texts.endsOldest).waitFor();
    await context.close();
  });

  test('a new one is in the audit, even if the audit was shown just before', async () => {
    const { page } = opened;
    const issued = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Issued an application' });
    await opened.visit('audit');
    await issued.first().waitFor();
    const before = await issued.count();
    await opened.showNewApplication('Stock counter');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await opened.visit('audit');
    await issued.nth(before).waitFor();
  });

  test('calls that are not counted yet are announced, because the last use is shown already', async () => {
    const { page } = opened;
    const { appId } = await opened.issueApplication('Just used');
    // The counts of the same minute are not written yet.
    using records = opened.openRecords();
    records.exec(
      `with recursive secret(id) as (values (1) union all select id + 1 from secret where id < 100)
        insert or replace into secret_use (secret_id, last_used_at) select id, ${Date.now()} from secret`,
    );
    await opened.visit(`applications/${appId}`);
    const details = page.getByRole('dialog', { name: 'Just used' });
    await details.getByText(texts.callsToCome).waitFor();
    assert.equal(await details.getByText('No calls in this period').count(), 0);
  });

  test('its calls are counted by operation and code, and lead to the failed ones', async () => {
    const { page } = opened;
    for (let count = 0; count < 3; count++) await ask('/user?username=nobody');
    await ask('/user?username=mara.okafor');
    await opened.writeCallCounts();
    await opened.visit(`applications/${till.appId}`);
    await drawer()
      .getByRole('row', { name: /^query-user 1101 no such user 3 [≤>]/ })
      .waitFor();
    await drawer()
      .getByRole('row', { name: /^query-user Succeeded 1 [≤>]/ })
      .waitFor();
    await opened.requireAccessible();
    await page.setViewportSize({ width: 390, height: 844 });
    await opened.settled();
    const table = drawer().getByRole('table').filter({ hasText: 'query-user' });
    const [needed, room] = await table.evaluate(({ scrollWidth, parentElement }) => [
      scrollWidth,
      parentElement?.clientWidth,
    ]);
    assert.equal(needed, room, 'on a phone, no column is cut off');
    await page.setViewportSize({ width: 1280, height: 800 });
    await drawer().getByRole('link', { name: '1101 no such user' }).click();
    await page.getByRole('row').filter({ hasText: '1101 no such user' }).nth(2).waitFor();
  });

  test('it has a full page with an address to reload, which closes to the list', async () => {
    const { page } = opened;
    await opened.visit(`applications/${till.appId}`);
    await drawer().getByRole('button', { name: 'Show as a full page' }).click();
    await page.waitForURL(`**/applications/${till.appId}?view=page`);
    await opened.isTitled('Shop till · Fieldroster');
    await page.reload();
    await drawer().getByRole('button', { name: 'Show beside the list' }).waitFor();
    await drawer().getByRole('heading', { name: 'Shop till' }).waitFor();
    await drawer().getByRole('link', { name: '1101 no such user' }).click();
    await page.waitForURL(/requests\?.*code=1101/);
    assert.doesNotMatch(page.url(), /view=/, 'the list of failed calls is not a full page');
    await page.goBack();
    await drawer().getByRole('button', { name: 'Show beside the list' }).waitFor();
    await drawer().getByRole('button', { name: 'Close' }).click();
    await page.waitForURL(/applications$/);
    await page.getByRole('row').filter({ hasText: 'Shop till' }).waitFor();
  });

  test('its access is changed, and an invalid address is refused with a reason', async () => {
    const { page } = opened;
    await opened.visit(`applications/${till.appId}`);
    const actions = drawer().getByRole('button', { name: /^(Edit|Rotate|Suspend|Revoke) / });
    await actions.nth(3).waitFor();
    await opened.settled();
    const boxes = await actions.evaluateAll((all) =>
      all.map((button) => ({
        top: button.getBoundingClientRect().top,
        right: button.getBoundingClientRect().right,
      })),
    );
    assert.equal(new Set(boxes.map(({ top }) => top)).size, 1);
    assert((boxes.at(-1)?.right ?? 0) <= 1280 - 16 - 15, 'with room for a scroll bar beside them');
    await drawer().getByRole('button', { name: 'Edit access' }).click();
    await dialog().getByRole('radio', { name: 'Read' }).check();
    await dialog().getByLabel('Rate limit').fill('20');
    await dialog().getByLabel('Allowed addresses').fill('127.0.0.0/8\nshop.example');
    await opened.requireAccessible();
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await dialog().getByText('"shop.example" is not an address or a network').waitFor();
    await dialog().getByLabel('Allowed addresses').fill('127.0.0.0/8');
    await dialog().getByLabel('Expires').fill('2099-12-31T23:59');
    await dialog()
      .getByText(/^In your time zone \(\S+\)\. Calls fail from then on/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Shop till saved').waitFor();
    await drawer().getByText('20 requests per second').waitFor();
    await drawer().getByText('127.0.0.0/8').waitFor();
    await drawer().getByText('Can look up users and their assignments').waitFor();
    // The browser reports the refusal.
    opened.expectReports(400);
  });

  test('saving one field leaves those alone that another session has changed meanwhile', async () => {
    const { page } = opened;
    const { appId } = await opened.issueApplication('Changed twice');
    const ofApplication = page.getByRole('dialog').filter({ hasText: appId });
    const form = page.getByRole('dialog', { name: texts.edit });
    const change = (fields: object) =>
      opened.change('PUT', '/tenants/1/applications', { app_id: appId, ...fields });
    await opened.visit(`applications/${appId}`);
    await ofApplication.getByRole('button', { name: texts.edit }).click();
    await change({ scope: 'read', allowed_addresses: ['10.0.0.0/8'], expires_at: 4_102_444_800_000 });
    await form.getByLabel('Rate limit').fill('20');
    await form.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Changed twice saved').waitFor();
    assert.deepEqual(await accessOf(appId), ['read', 20, ['10.0.0.0/8'], 4_102_444_800_000]);
    await ofApplication.getByRole('button', { name: texts.edit }).click();
    await form.getByLabel('Rate limit').and(page.locator('[value="20"]')).waitFor();
    await change({ rate_limit: 5 });
    await form.getByLabel('Allowed addresses').fill('10.1.0.0/16');
    await form.getByRole('radio', { name: 'Write' }).check();
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.waitFor({ state: 'detached' });
    assert.deepEqual(await accessOf(appId), ['write', 5, ['10.1.0.0/16'], 4_102_444_800_000]);
  });

  async function accessOf(appId: string) {
    const answer = await opened.page.request.get(`${opened.origin}/console/api/tenants/1/applications`);
    const { data } = await answer.json();
    const found = data.applications.find((one: { app_id: string }) => one.app_id === appId);
    return [found.scope, found.rate_limit, found.allowed_addresses, found.expires_at];
  }

  test('its expiry keeps what is typed while the date is incomplete, and an incomplete one is not saved', async () => {
    const { page } = opened;
    await opened.visit(`applications/${till.appId}`);
    await drawer().getByRole('button', { name: 'Edit access' }).click();
    const expires = dialog().getByLabel('Expires');
    await expires.fill('2099-12-31T23:59');
    // Firefox empties the whole field when this attribute changes while the date is incomplete.
    const attribute = await expires.getAttribute('value');
    await expires.focus();
    await page.keyboard.press('Backspace');
    assert.equal(await expires.inputValue(), '');
    await expires.and(page.locator(':invalid')).waitFor();
    assert.equal(await expires.getAttribute('value'), attribute);
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await expires.and(page.locator(':focus')).waitFor();
    await expires.fill('2098-12-31T23:59');
    await dialog().getByRole('button', { name: 'Save changes' }).click();
    await dialog().waitFor({ state: 'detached' });
    await drawer().getByText(/2098/).waitFor();
  });

  test('it is suspended and resumed, and suspending can be undone', async () => {
    const { page } = opened;
    await opened.visit(`applications/${till.appId}`);
    await drawer().getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Shop till is suspended; its calls fail').waitFor();
    await answers(1013);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Shop till may call again').waitFor();
    await drawer().getByRole('button', { name: 'Suspend' }).waitFor();
    await answers(0);
    await drawer().getByRole('button', { name: 'Suspend' }).click();
    await drawer().getByRole('button', { name: 'Resume' }).click();
    await drawer().getByRole('button', { name: 'Suspend' }).waitFor();
    await answers(0);
  });
});
