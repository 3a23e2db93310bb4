import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsolePage } from './console-page.ts';

const languages = {
  en: {
    rotate: 'Rotate secret',
    copySecret: 'Copy APPSECRET',
    copySnippet: 'Copy the script',
    press: 'Press Ctrl+C to copy',
  },
  zh: {
    rotate: '轮换密钥',
    copySecret: '复制 APPSECRET',
    copySnippet: '复制脚本',
    press: '请按 Ctrl+C 复制',
  },
} as const;

describe('copying from the console', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    // A tooltip that begins to fade in while the page is examined has less contrast.
    await opened.page.emulateMedia({ reducedMotion: 'reduce' });
  });

  after(() => opened?.close());

  const selected = () => opened.page.evaluate('String(getSelection())');

  test('says to a screen reader that a secret is copied', async () => {
    const { page } = opened;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const { appSecret } = await opened.showNewApplication('HR sync');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Copy APPSECRET' }).click();
    await dialog.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), appSecret);
    await opened.requireAccessible();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
  });

  for (const [language, texts] of Object.entries(languages)) {
    test(`without a clipboard, as over plain HTTP, selects the text and names the keys (${language})`, async () => {
      const { page } = opened;
      await page.addInitScript(
        `delete Navigator.prototype.clipboard; localStorage.setItem('fieldroster-language', '${language}')`,
      );
      const credentials = await opened.issueApplication(`Till ${language}`);
      await opened.goTo('applications');
      await page
        .getByRole('row')
        .filter({ hasText: `Till ${language}` })
        .click();
      await page.getByRole('button', { name: texts.rotate }).click();
      await page
        .getByRole('dialog', { name: texts.rotate })
        .getByRole('button', { name: texts.rotate })
        .click();
      const secret = page.getByRole('textbox', { name: 'APPSECRET' });
      await secret.waitFor();
      assert.notEqual(await secret.inputValue(), credentials.appSecret);
      await page.getByRole('button', { name: texts.copySecret }).click();
      await page.getByRole('status').filter({ hasText: texts.press }).waitFor();
      assert.equal(await selected(), await secret.inputValue());
      await opened.requireAccessible();
      await page.getByRole('button', { name: texts.copySnippet }).click();
      const field = page.getByRole('textbox', { name: texts.press });
      await field.and(page.locator(':focus')).waitFor();
      assert.equal(await selected(), await field.inputValue());
      assert.match(await field.inputValue(), /APP_SECRET/);
      await opened.requireAccessible();
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'detached' });
      await secret.waitFor();
    });
  }
});
