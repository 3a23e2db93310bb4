import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { ConsolePage } from './console-page.ts';
import { untilTrue } from './until-true.ts';

describe('what the console shows before its scripts are there', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  afterEach(async () => {
    await opened.page.unrouteAll();
    await opened.page.emulateMedia({ colorScheme: null, reducedMotion: null });
  });

  const paint = () => opened.page.locator('#first-paint');

  /** Opens a page, and keeps the browser waiting for some of its files until the returned function is called. */
  async function openWithout(files: RegExp, path: string): Promise<() => void> {
    const held = Promise.withResolvers<void>();
    await opened.page.route(files, async (route) => {
      await held.promise;
      await route.continue();
    });
    await opened.page.goto(`${opened.origin}/console/t/1/${path}`, { waitUntil: 'commit' });
    return held.resolve;
  }

  /** Lets the time pass after which something appears, unless it has. */
  async function pass(element: '#first-paint' | '#first-advice'): Promise<void> {
    await opened.page.locator(element).waitFor({ state: 'attached' });
    await opened.page.evaluate(`document.querySelector('${element}').getAnimations()[0]?.finish()`);
  }

  for (const [colorScheme, background, bar] of [
    ['light', 'rgb(246, 247, 245)', 'rgb(11, 107, 87)'],
    ['dark', 'rgb(18, 22, 21)', 'rgb(94, 208, 179)'],
  ] as const)
    test(`the name and a moving bar are painted before any script, and give way to the page (${colorScheme})`, async () => {
      const { page } = opened;
      await page.emulateMedia({ colorScheme });
      const release = await openWithout(/\/console\/assets\/.*\.js$/, 'users');
      await pass('#first-paint');
      await paint().getByText('Fieldroster', { exact: true }).waitFor();
      await page.evaluate(firstContentfulPaint);
      const whole = { top: 0, width: 1280, height: 800, colour: background, movements: 0 };
      assert.deepEqual(await page.evaluate(look('#first-paint')), whole);
      const line = { top: 0, width: 384, height: 2, colour: bar, movements: 1 };
      assert.deepEqual(await page.evaluate(look('#first-line')), line);
      release();
      await page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
      assert.equal(await paint().count(), 0);
    });

  for (const [system, chosen, background] of [
    ['light', undefined, 'rgb(246, 247, 245)'],
    ['dark', undefined, 'rgb(18, 22, 21)'],
    ['light', 'dark', 'rgb(18, 22, 21)'],
    ['dark', 'light', 'rgb(246, 247, 245)'],
  ] as const)
    test(`the first paint has the background of the page (system: ${system}, chosen: ${chosen ?? 'none'})`, async () => {
      const { page } = opened;
      await page.emulateMedia({ colorScheme: system });
      await opened.goTo('users');
      if (chosen) await page.evaluate(`localStorage.setItem('fieldroster-theme', '${chosen}')`);
      const release = await openWithout(/\/console\/assets\/(index|first)-[^/-]*\.js$/, 'users');
      await page.locator('#first-paint').waitFor({ state: 'attached' });
      await untilTrue(page, `getComputedStyle(document.documentElement).backgroundColor === '${background}'`);
      release();
      await page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
      assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), background);
      await page.evaluate("localStorage.removeItem('fieldroster-theme')");
    });

  test('nothing moves for a reader who asks for no motion, and the bar is there', async () => {
    const { page } = opened;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const release = await openWithout(/\/console\/assets\/.*\.js$/, 'users');
    await pass('#first-paint');
    assert.deepEqual(await page.evaluate(look('#first-line')), {
      top: 0,
      width: 1280,
      height: 2,
      colour: 'rgb(11, 107, 87)',
      movements: 0,
    });
    release();
    await paint().waitFor({ state: 'detached' });
  });

  test('a page whose scripts do not come says what to do, in both languages', async () => {
    const { page } = opened;
    const release = await openWithout(/\/console\/assets\/.*\.js$/, 'users');
    await pass('#first-paint');
    await pass('#first-advice');
    await page.getByText('If nothing happens, reload the page').waitFor();
    await page.getByText('请重新加载页面').waitFor();
    await opened.requireAccessible();
    release();
    await paint().waitFor({ state: 'detached' });
  });

  test('the name stays while the code of the first page is on its way, under the bar of the page', async () => {
    const { page } = opened;
    const release = await openWithout(/\/settings-page-[^/]*\.js$/, 'settings');
    await page
      .getByRole('status')
      .filter({ hasText: /^Loading$/ })
      .waitFor();
    await paint().getByText('Fieldroster', { exact: true }).waitFor();
    assert.equal(await page.locator('#first-line').isVisible(), false);
    release();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    assert.equal(await paint().count(), 0);
  });

  test('a browser without scripts says that the console needs them, in both languages', async () => {
    const browser = opened.page.context().browser();
    assert(browser !== null);
    const context = await browser.newContext({ javaScriptEnabled: false });
    try {
      const page = await context.newPage();
      await page.goto(`${opened.origin}/console/`);
      // A text inside of it is no text to Playwright, which takes scripts for granted.
      await page.locator('noscript p').last().waitFor();
      const said = await page.locator('noscript p').allInnerTexts();
      assert.deepEqual(
        said.map((text) => /^(The console needs|控制台需要) JavaScript/.test(text)),
        [true, true],
      );
      assert.equal(await page.locator('#first-line').isVisible(), false);
    } finally {
      await context.close();
    }
  });
});

const look = (selector: string) => `(() => {
  const element = document.querySelector('${selector}');
  const { top, width, height } = element.getBoundingClientRect();
  const movements = element.getAnimations().length;
  return { top, width: Math.round(width), height, colour: getComputedStyle(element).backgroundColor, movements };
})()`;

const firstContentfulPaint = `new Promise((resolve) => {
  new PerformanceObserver((list, observer) => {
    if (!list.getEntriesByName('first-contentful-paint').length) return;
    observer.disconnect();
    resolve();
  }).observe({ type: 'paint', buffered: true });
})`;
