import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { general } from '../../packages/console/src/i18n/zh/general.ts';
import { navigation } from '../../packages/console/src/i18n/zh/navigation.ts';
import { signIn } from '../../packages/console/src/i18n/zh/sign-in.ts';
import { users } from '../../packages/console/src/i18n/zh/users.ts';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';
import { describeFocus, Keyboard } from './keyboard.ts';

describe('a journey by the keyboard alone, in Chinese, on a screen as narrow as a phone', () => {
  let opened: ConsolePage;
  let keyboard: Keyboard;

  before(async () => {
    opened = await ConsolePage.open();
    keyboard = new Keyboard(opened);
    await opened.page.setViewportSize({ width: 390, height: 844 });
    await opened.goTo('');
    await opened.page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await opened.page.context().clearCookies();
  });

  after(() => opened?.close());

  const button = (name: string) => opened.page.getByRole('button', { name, exact: true });

  /** Forgets the browser's complaints about calls without a session, and fails on any other complaint. */
  function forgetRefusals(): void {
    for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource: .*401/);
  }

  test('signs in, finds a user, assigns a store, undoes that and signs out', async () => {
    const { page } = opened;
    await page.reload();
    await keyboard.hasFocus(page.getByRole('textbox', { name: general.username, exact: true }));
    await page.keyboard.type(ownerName);
    await keyboard.press('Tab');
    await page.keyboard.type(ownerPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: navigation.overview }).waitFor();
    // The page asked for the session before the sign-in, which the server refused.
    forgetRefusals();

    await keyboard.go(
      page.getByRole('banner').getByRole('button', { name: new RegExp(`^${navigation.paletteShort}`) }),
    );
    await keyboard.press('Enter');
    await keyboard.hasFocus(page.getByRole('dialog').getByRole('combobox'));
    await page.keyboard.type('mateo');
    await page.getByRole('option', { name: /Mateo/ }).waitFor();
    await keyboard.press('Enter');
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('heading', { name: /Mateo/ }).waitFor();

    await keyboard.go(drawer.getByRole('tab').first());
    await keyboard.press('ArrowRight');
    await keyboard.hasFocus(drawer.getByRole('tab', { name: new RegExp(users.stores) }));
    const assigned = drawer.getByText('N-014', { exact: false });
    await drawer.getByText('S-005').waitFor();
    assert.equal(await assigned.count(), 0);
    await keyboard.go(drawer.getByRole('combobox', { name: users.findStore }));
    await page.keyboard.type('N-014');
    // Options found for an earlier part of the text are shown too, but Enter picks none of them.
    const marked = page.locator('[data-combobox-selected]');
    await page.getByRole('option', { name: /N-014/ }).and(marked).waitFor();
    await keyboard.press('Enter');
    await keyboard.go(button(users.bindStore));
    await keyboard.press('Enter');
    await page.getByText(users.storeBound('N-014')).waitFor();
    await assigned.first().waitFor();

    await keyboard.go(button(general.undo));
    await page.keyboard.press('Enter');
    await page.getByText(users.storeUnbound('N-014')).waitFor();
    // The button takes the focus along with its notice, which moves out of view before it is gone.
    await button(general.undo).waitFor({ state: 'detached' });
    await opened.settled();
    assert.match(await page.evaluate<string>(describeFocus), /^seen/);
    await assigned.first().waitFor({ state: 'detached' });
    await keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });

    await keyboard.go(page.getByRole('banner').getByRole('button', { name: new RegExp(navigation.account) }));
    await keyboard.press('Enter');
    const signOut = page.getByRole('menuitem', { name: navigation.signOut, exact: true });
    for (
      let presses = 0;
      presses < 12 && (await signOut.and(page.locator(':focus')).count()) === 0;
      presses++
    )
      await keyboard.press('ArrowDown');
    await keyboard.hasFocus(signOut);
    await opened.settled();
    assert.deepEqual(opened.complaints, [], 'the journey leaves nothing to complain about');
    await page.keyboard.press('Enter');
    await button(signIn.submit).waitFor();
    await opened.settled();
    // The server refuses again to say who is there, and whatever the page asked meanwhile.
    forgetRefusals();
  });
});
