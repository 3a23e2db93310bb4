import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { en } from '../../packages/console/src/i18n/en.ts';
import { zh } from '../../packages/console/src/i18n/zh.ts';
import { ConsolePage } from './console-page.ts';
import { untilTrue } from './until-true.ts';

describe('the sections of the settings', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  afterEach(async () => {
    await opened.page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.page.setViewportSize({ width: 1280, height: 800 });
  });

  const section = (name: string) => opened.page.getByRole('region', { name, exact: true });
  const links = () => opened.page.getByRole('navigation', { name: en.settings.sectionLinks });
  const current = () => links().locator('[aria-current=location]');

  /** Waits until the title of a section is in view. */
  async function isInView(name: string): Promise<void> {
    await section(name).waitFor();
    await untilTrue(
      opened.page,
      `(() => {
        const title = document.querySelector('section[aria-label="${name}"] h2').getBoundingClientRect();
        return title.top >= document.querySelector('main').getBoundingClientRect().top && title.bottom <= innerHeight;
      })()`,
    );
  }

  for (const [language, { settings }] of [
    ['en', en],
    ['zh', zh],
  ] as const)
    for (const width of [1280, 390])
      test(`each is one link away, and takes the focus (${language}, ${width} pixels wide)`, async () => {
        const { page } = opened;
        await page.setViewportSize({ width, height: 800 });
        await opened.goTo('settings');
        await page.evaluate(`localStorage.setItem('fieldroster-language', '${language}')`);
        await page.reload();
        const nav = page.getByRole('navigation', { name: settings.sectionLinks });
        await nav.waitFor();
        assert.equal(await nav.getByRole('link').count(), 8);
        for (const key of ['retention', 'password', 'backups', 'sessions'] as const) {
          const { title } = settings[key];
          await nav.getByRole('link', { name: title, exact: true }).click();
          await section(title).and(page.locator(':focus')).waitFor();
          await isInView(title);
          assert.match(page.url(), new RegExp(`/settings#${key}$`));
        }
        await opened.requireAccessible();
      });

  test('an address with the name of one opens the settings there, and going back leads to the one before', async () => {
    const { page } = opened;
    // A load: a browser only scrolls to another name on the page that it shows.
    await opened.goTo('');
    await opened.goTo('settings#retention');
    await isInView('Retention');
    await current().getByText('Retention').waitFor();
    await links().getByRole('link', { name: 'Password' }).click();
    await links().getByRole('link', { name: 'Password' }).click();
    await isInView('Password');
    await current().getByText('Password').waitFor();
    await page.goBack();
    await isInView('Retention');
    await current().getByText('Retention').waitFor();
  });

  test('the link of the section that is scrolled into view is the current one', async () => {
    await opened.goTo('settings');
    await current().getByText('Password').waitFor();
    await section('Retention').scrollIntoViewIfNeeded();
    await current().getByText('Password').waitFor({ state: 'detached' });
    assert.equal(await current().count(), 1);
  });

  test('a link asks nothing about typed text, which stays on the page', async () => {
    const { page } = opened;
    await opened.goTo('settings');
    const name = section('Tenants').getByLabel('Name');
    await name.fill('Half a na');
    await links().getByRole('link', { name: 'Password' }).click();
    await isInView('Password');
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.equal(await name.inputValue(), 'Half a na');
  });

  test('the palette finds them by their titles', async () => {
    const { page } = opened;
    await opened.visit('users');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: en.palette.title }).fill('backu');
    const found = page.getByRole('option', { name: 'Backups' });
    await found.getByText('Settings').waitFor();
    await found.click();
    await isInView('Backups');
    assert.match(page.url(), /\/settings#backups$/);
  });

  test('the section of the address is held in view while the page fills, and no longer than ten seconds', async () => {
    const { page } = opened;
    const scrolled = () => page.getByRole('main').evaluate((main) => main.scrollTop);
    const growAtTop = async () => {
      await page.getByRole('main').evaluate((main) => main.scrollTo(0, 0));
      await section('Password').evaluate((first) => {
        first.style.paddingBottom = `${first.clientHeight}px`;
      });
      await opened.settled();
    };
    await page.clock.install();
    await opened.goTo('');
    await opened.goTo('settings#retention');
    await isInView('Retention');
    await growAtTop();
    await isInView('Retention');
    await page.clock.runFor(10_000);
    await growAtTop();
    assert.equal(await scrolled(), 0);
  });
});
