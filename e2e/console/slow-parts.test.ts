import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsolePage } from './console-page.ts';
import { untilStill } from './until-still.ts';

describe('a part of the console whose code is slow to arrive', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const status = () => opened.page.getByRole('status').filter({ hasText: /^(Loading|加载中)$/ });

  /** Keeps the browser waiting for the code of a part until the returned function is called. */
  async function hold(part: string): Promise<() => void> {
    const held = Promise.withResolvers<void>();
    await opened.page.route(new RegExp(`/${part}-[^/]*\\.js$`), async (route) => {
      await held.promise;
      await route.continue();
    });
    return held.resolve;
  }

  test('a page after a click: a bar says so, and what was shown before stays until the page is there', async () => {
    const { page } = opened;
    await opened.goTo('users');
    await page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
    const release = await hold('settings-page');
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
    await status().waitFor();
    assert.equal(await page.evaluate(paintedBar), true);
    await page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
    await opened.requireAccessible();
    release();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await status().waitFor({ state: 'detached' });
  });

  test('a dialog after a click: a notice says so in the language of the reader', async () => {
    const { page } = opened;
    await page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await opened.goTo('users');
    const release = await hold('add-user');
    await page.getByRole('button', { name: '添加用户' }).click();
    await status().waitFor();
    assert.equal(await status().innerText(), '加载中');
    release();
    await page.getByRole('dialog', { name: '添加用户' }).waitFor();
    await status().waitFor({ state: 'detached' });
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
  });

  for (const width of [1280, 390, 320])
    test(`scripts below a new secret: the button under them stays where it was, ${width} pixels wide`, async () => {
      const { page } = opened;
      await page.setViewportSize({ width, height: 900 });
      await opened.goTo('applications');
      const release = await hold('snippets');
      await opened.showNewApplication(`Slow ${width}`);
      const button = page.getByRole('button', { name: 'I have stored it' });
      await page.evaluate(untilStill);
      const before = await button.boundingBox();
      release();
      await page.getByRole('dialog').getByRole('region').waitFor();
      await opened.settled();
      assert.deepEqual(await button.boundingBox(), before);
      await button.click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.setViewportSize({ width: 1280, height: 800 });
    });

  test('nothing moves for a reader who asks for no motion', async () => {
    const { page } = opened;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await opened.goTo('users');
    const release = await hold('audit-page');
    await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).click();
    await status().waitFor();
    assert.equal(await page.evaluate(paintedBar), true);
    assert.equal(await page.evaluate('document.getAnimations().length'), 0);
    release();
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    await page.emulateMedia({ reducedMotion: null });
  });
});

/** Whether something coloured lies at the top of the window, over at least a part of its width. */
const paintedBar = `[...document.querySelectorAll('[role=status] *')].some((part) => {
  const { top, height, width } = part.getBoundingClientRect();
  return top === 0 && height === 2 && width > 100 && getComputedStyle(part).backgroundColor !== 'rgba(0, 0, 0, 0)';
})`;
