import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CDPSession, Locator } from 'playwright-core';
import { ConsolePage } from './console-page.ts';

/** Longer than any field waits for the next key. */
const pauseMs = 1_000;

describe('what an input method composes, such as pinyin', () => {
  let opened: ConsolePage;
  let devTools: CDPSession;
  /** Every call of the page, with what it sends. */
  const sent: string[] = [];

  before(async () => {
    opened = await ConsolePage.open();
    const user = { username: 'li.wei', password: 'a long password', real_name: '李伟', gender: 0 };
    await opened.change('POST', '/tenants/1/user', user);
    await opened.change('POST', '/tenants/1/org', { name: '华北大区' });
    await opened.change('POST', '/tenants/1/store', { code: 'BJ-1', name: '北京店', address: '北京' });
    await opened.page.clock.install();
    await opened.goTo('users');
    devTools = await opened.page.context().newCDPSession(opened.page);
    opened.page.on('request', (request) =>
      sent.push(`${decodeURIComponent(request.url())} ${request.postData() ?? ''}`),
    );
  });

  after(() => opened?.close());

  const option = (name: RegExp) => opened.page.getByRole('option', { name });
  const picker = (name: string) => opened.page.getByRole('combobox', { name, exact: true });

  /** Composes letters in the focused field without committing them, and pauses. */
  async function compose(letters: string): Promise<void> {
    for (let end = 1; end <= letters.length; end++) {
      const part = letters.slice(0, end);
      await devTools.send('Input.imeSetComposition', { text: part, selectionStart: end, selectionEnd: end });
    }
    await opened.page.clock.runFor(pauseMs);
    await opened.settled();
  }

  /** Presses an Enter that the input method handles itself. */
  async function pressComposedEnter(): Promise<void> {
    const key = { key: 'Process', code: 'Enter', windowsVirtualKeyCode: 229 };
    await devTools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
    await devTools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key, key: 'Enter' });
  }

  async function commit(words: string): Promise<void> {
    await devTools.send('Input.insertText', { text: words });
    await opened.page.clock.runFor(pauseMs);
  }

  const hasValue = async (field: Locator, value: string) => assert.equal(await field.inputValue(), value);

  for (const [path, name, field, letters, words, found] of [
    ['users', 'the search of a list', () => opened.page.getByRole('searchbox'), 'liwei', '李伟', /li\.wei/],
    ['move-stores?from=1', 'a picker of users', () => picker('To'), 'liwei', '李伟', /李伟/],
    ['users', 'a picker of stores', () => picker('Store'), 'beijing', '北京', /BJ-1/],
    ['users', 'a picker of organizations', () => picker('Organization'), 'huabei', '华北', /华北大区/],
    ['audit', 'a picker of the audit', () => picker('User'), 'liwei', '李伟', /李伟/],
  ] as const) {
    test(`is not searched for before it is committed: ${name}`, async () => {
      const { page } = opened;
      await opened.visit(path);
      await opened.settled();
      const address = page.url();
      sent.length = 0;
      await field().focus();
      await compose(letters);
      await hasValue(field(), letters);
      assert.equal(page.url(), address);
      assert.deepEqual(
        sent.filter((call) => call.includes(letters.slice(0, 2))),
        [],
      );
      assert.equal(await page.getByText(/^(Nothing found|No user matches)/).count(), 0);
      await pressComposedEnter();
      assert.equal(page.url(), address);
      await commit(words);
      await hasValue(field(), words);
      await option(found)
        .or(page.getByRole('row').filter({ hasText: found }))
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
      await field().fill('');
    });
  }

  test('keeps its Escape from the drawer around the field, also where the browser ends the composition before it', async () => {
    const { page } = opened;
    await opened.visit('users/2');
    const field = page.getByRole('dialog').getByLabel('Nickname');
    await field.focus();
    const key = { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 229 };
    await devTools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
    await opened.settled();
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('leaves the choices of a list that the browser filters as they are', async () => {
    await opened.visit('users');
    await picker('Organization').focus();
    await compose('huabei');
    await option(/^Harbour Foods$/).waitFor();
    await commit('华北');
    await option(/华北大区/).waitFor();
    await option(/^Harbour Foods$/).waitFor({ state: 'detached' });
    await opened.page.keyboard.press('Escape');
  });

  test('is not searched for by the palette before it is committed, and the Enter that ends it opens nothing', async () => {
    const { page } = opened;
    await opened.visit('audit');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog', { name: 'Search' }).getByRole('combobox');
    await field.and(page.locator(':focus')).waitFor();
    await page.getByRole('option').first().waitFor();
    const pages = await page.getByRole('option').count();
    sent.length = 0;
    await compose('liwei');
    assert.deepEqual(
      sent.filter((call) => call.includes('li')),
      [],
    );
    assert.equal(await page.getByRole('option').count(), pages, 'the pages stay listed');
    await pressComposedEnter();
    await commit('李伟');
    await option(/李伟/).waitFor();
    assert.match(page.url(), /\/audit$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/users\/\d+$/);
  });

  test('does not send a form by the Enter that ends it', async () => {
    const { page } = opened;
    await opened.visit('stores');
    await page.getByRole('button', { name: 'Add store' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code').fill('SH-1');
    await dialog.getByLabel('Name').focus();
    sent.length = 0;
    await compose('shanghai');
    await pressComposedEnter();
    await commit('上海店');
    await hasValue(dialog.getByLabel('Name'), '上海店');
    assert.deepEqual(
      sent.filter((call) => call.includes('SH-1')),
      [],
    );
    await page.keyboard.press('Enter');
    await page.getByText('上海店 added').waitFor();
  });
});
