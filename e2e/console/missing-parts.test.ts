import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { ConsolePage } from './console-page.ts';

describe('a part of the console that the server no longer has, as after an upgrade', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  afterEach(async () => {
    await opened.page.unrouteAll();
    for (const line of opened.complaints.splice(0))
      assert.match(line, /Failed to (load|fetch)|Unable to preload CSS/);
  });

  test('only the page whose styles are missing is replaced when the console is loaded', async () => {
    const { page } = opened;
    const { promise: refusedTwice, resolve } = Promise.withResolvers<void>();
    let refusals = 0;
    await page.route(/\/audit-page-[^/]*\.css$/, async (route) => {
      await route.fulfill({ status: 404, body: '' });
      if (++refusals === 2) resolve();
    });
    // The frame around the page arrives when the styles are known to be missing.
    await page.route(/\/shell-[^/]*\.js$/, async (route) => {
      await refusedTwice;
      await route.continue();
    });
    await opened.goTo('audit');
    const notice = page.getByRole('main').getByRole('alert');
    await notice.filter({ hasText: 'This part of the console cannot be loaded' }).waitFor();
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Search/ })
      .waitFor();
    const heading = page.getByRole('heading', { level: 1 });
    assert.equal(await heading.innerText(), 'This part of the console cannot be loaded');
    await opened.requireAccessible();
  });

  test('parts that need none of the missing styles are shown as usual, without loading the page again', async () => {
    const { page } = opened;
    await page.route(/\/audit-page-[^/]*\.css$/, (route) => route.fulfill({ status: 404, body: '' }));
    await opened.goTo('roles');
    await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor();
    const notice = page.getByRole('alert').filter({ hasText: 'This part of the console cannot be loaded' });
    await opened.follow('audit');
    await notice.waitFor();
    for (const [path, name] of [
      ['settings', 'Settings'],
      ['lab', 'Signature lab'],
      ['users/1', 'Users'],
    ] as const) {
      await opened.follow(path);
      await page.getByRole('heading', { level: 1, name, includeHidden: true }).waitFor();
      await opened.settled();
      assert.equal(await notice.count(), 0, path);
    }
    await page.getByRole('dialog').getByRole('tab', { name: 'Profile' }).waitFor();
  });

  const english = {
    language: 'en',
    width: 1280,
    colorScheme: 'light',
    title: 'This part of the console cannot be loaded',
    reload: 'Load the page again',
    heading: 'Users',
  } as const;

  const chinese = {
    language: 'zh',
    width: 390,
    colorScheme: 'dark',
    title: '无法加载控制台的这一部分',
    reload: '重新加载页面',
    heading: '用户',
  } as const;

  // One notice stands for every part, so each language and width meets half of them.
  for (const [part, reader, file, path, open] of [
    ['a page', english, /\/audit-page-[^/]*\.js$/, 'roles', () => opened.follow('audit')],
    ['an entry', chinese, /\/user-drawer-[^/]*\.js$/, 'users', () => opened.follow('users/1')],
    ['the search', english, /\/palette-[^/]*\.js$/, 'users', () => opened.page.keyboard.press('Control+k')],
    ['the shortcuts', chinese, /\/shortcuts-[^/]*\.js$/, 'users', () => opened.page.keyboard.press('?')],
    ['the styles of a page', chinese, /\/audit-page-[^/]*\.css$/, 'roles', () => opened.follow('audit')],
    ['the styles of an entry', english, /\/user-drawer-[^/]*\.css$/, 'users', () => opened.follow('users/1')],
    ['styles of every entry', chinese, /\/page-drawer-[^/]*\.css$/, 'users', () => opened.follow('users/1')],
    [
      'styles that a page shares',
      english,
      /\/change-list-[^/]*\.css$/,
      'roles',
      () => opened.follow('audit'),
    ],
  ] as const) {
    const { language, width, colorScheme, title, reload, heading } = reader;
    test(`is named in view, the navigation stays, and the page can be loaded again: ${part} (${language}, ${width} px, ${colorScheme})`, async () => {
      const { page } = opened;
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.route(file, (route) => route.fulfill({ status: 404, body: '' }));
      await opened.goTo(path);
      await page.evaluate(`localStorage.setItem('fieldroster-language', '${language}')`);
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await opened.settled();
      const top = await page.getByRole('banner').boundingBox();
      await open();
      const notice = page.getByRole('alert').filter({ hasText: title });
      await notice.getByRole('button', { name: reload }).waitFor();
      await opened.settled();
      const place = await notice.boundingBox();
      assert(place !== null && place.y >= 0 && place.y + place.height <= 800, JSON.stringify(place));
      assert.deepEqual(await page.getByRole('banner').boundingBox(), top, 'the header stays as it is');
      await opened.requireAccessible();
      await page.unrouteAll();
      await notice.getByRole('button', { name: reload }).click();
      await notice.waitFor({ state: 'detached' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await opened.visit('users');
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    });
  }
});
