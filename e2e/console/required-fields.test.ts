import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { en } from '../../packages/console/src/i18n/en.ts';
import { zh } from '../../packages/console/src/i18n/zh.ts';
import { ConsolePage } from './console-page.ts';

describe('fields that are wrong when a form is sent', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    await opened.goTo('users');
  });

  after(() => opened?.close());

  const within = (form: Locator, name: string) => form.getByRole('textbox', { name, exact: true });

  /** Waits until the field is said to be wrong, and returns what a screen reader says of it besides its name. */
  async function complaintOf(field: Locator): Promise<string> {
    await field.and(opened.page.locator('[aria-invalid=true]')).waitFor();
    return field.evaluate((element) =>
      (element.getAttribute('aria-describedby') ?? '')
        .split(/\s+/)
        .map((id: string) => element.ownerDocument.getElementById(id)?.textContent)
        .join(' '),
    );
  }

  const isFocused = (field: Locator) =>
    field.evaluate((element) => element === element.ownerDocument.activeElement);

  for (const [language, texts] of [
    ['zh', zh],
    ['en', en],
  ] as const) {
    const { general, users, settings, link } = texts;

    test(`say so themselves, in the language of the page, and the first of them has the focus: ${language}`, async () => {
      const { page } = opened;
      await opened.visit('users');
      await page.evaluate(`localStorage.setItem('fieldroster-language', '${language}')`);
      await page.reload();
      await page.getByRole('button', { name: users.add }).first().click();
      const dialog = page.getByRole('dialog');
      const username = within(dialog, general.username);
      const password = within(dialog, users.initialPassword);
      const send = dialog.getByRole('button', { name: users.add, exact: true });
      await password.focus();
      await send.click();
      assert.equal(await complaintOf(username), general.fillIn);
      assert.equal(await complaintOf(password), general.fillIn);
      assert(await isFocused(username));
      await opened.requireAccessible();
      await username.fill('ann');
      await username.and(page.locator(':not([aria-invalid])')).waitFor();
      await send.click();
      assert(await isFocused(password));
    });

    test(`say how long a password must be: ${language}`, async () => {
      const { page } = opened;
      await opened.visit('settings');
      const section = page.getByRole('region', { name: settings.password.title, exact: true });
      const next = within(section, settings.password.next);
      await within(section, settings.password.current).fill('anything');
      await next.pressSequentially('short');
      await section.getByRole('button', { name: settings.password.action }).click();
      assert.equal(await complaintOf(next), `${general.tooShort(12)} ${link.passwordHelp}`);
      assert(await isFocused(next));
    });

    test(`a choice says so too, before the fields below it: ${language}`, async () => {
      const { page } = opened;
      await opened.change('POST', '/tenants', { name: `other-${language}` });
      await opened.visit('settings');
      await page.reload();
      await page.getByRole('button', { name: settings.operators.invite }).click();
      const dialog = page.getByRole('dialog');
      const tenants = dialog.getByRole('combobox', { name: settings.operators.tenants });
      await tenants.waitFor();
      await dialog.getByRole('button', { name: settings.operators.invite }).click();
      assert.equal(await complaintOf(tenants), settings.operators.noTenant);
      assert.equal(await complaintOf(within(dialog, settings.password.own)), general.fillIn);
      assert(await isFocused(tenants));
      await opened.requireAccessible();
    });
  }

  for (const [language, { applications, general }] of [
    ['zh', zh],
    ['en', en],
  ] as const)
    test(`an incomplete date says so too: ${language}`, async () => {
      const { page } = opened;
      await opened.visit('applications');
      await page.evaluate(`localStorage.setItem('fieldroster-language', '${language}')`);
      await page.reload();
      await page.locator('tbody tr').first().click();
      await page.getByRole('button', { name: applications.edit }).click();
      const dialog = page.getByRole('dialog', { name: applications.edit });
      const expires = dialog.locator('input[type=datetime-local]');
      await expires.fill('');
      await expires.focus();
      // The first part of the date only.
      await page.keyboard.press('1');
      await dialog.getByRole('button', { name: general.save }).click();
      assert.match(await complaintOf(expires), new RegExp(RegExp.escape(general.incompleteDate)));
      assert(await isFocused(expires));
      await opened.requireAccessible();
      await expires.fill('2099-01-31T12:00');
      await expires.and(page.locator(':not([aria-invalid])')).waitFor();
      await dialog.getByRole('button', { name: general.save }).click();
      await dialog.waitFor({ state: 'detached' });
    });

  test('on a phone, the label of the field with the focus is not behind the title of the dialog', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    await opened.visit('users');
    await page.getByRole('button', { name: en.users.add }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: en.users.add, exact: true }).click();
    const username = within(dialog, en.general.username);
    await complaintOf(username);
    const isShown = await dialog.locator('label', { hasText: en.general.username }).evaluate((label) => {
      const { x, y, width, height } = label.getBoundingClientRect();
      return label.contains(label.ownerDocument.elementFromPoint(x + width / 2, y + height / 2));
    });
    assert(isShown);
  });
});
