import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsolePage } from './console-page.ts';

describe('a dialog over one entry, and the step back to another', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  test('a dialog about one application closes with it', async () => {
    const { page } = opened;
    const { appId: first } = await opened.issueApplication('First till');
    const { appId: second } = await opened.issueApplication('Second till');
    await opened.goTo('applications');
    for (const [name, title] of [
      ['Edit access', 'Edit access'],
      ['Rotate secret', 'Rotate secret'],
      ['Revoke application', 'Revoke application'],
    ] as const) {
      await opened.follow(`applications/${first}`);
      await page.getByRole('heading', { name: 'First till' }).waitFor();
      await opened.follow(`applications/${second}`);
      await page.getByRole('heading', { name: 'Second till' }).waitFor();
      await page.getByRole('button', { name }).click();
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'First till' }).waitFor();
      await opened.settled();
      assert.equal(await dialog.count(), 0, name);
    }
  });

  test('a dialog about one store closes with it, and a half-chosen representative is forgotten', async () => {
    const { page } = opened;
    await opened.goTo('stores');
    const go = async (code: string) => {
      await opened.follow(`stores/${code}`);
      await page.getByText(code, { exact: true }).last().waitFor();
      await page.waitForURL(new RegExp(`${code}$`));
      await page.getByRole('dialog').getByRole('link').first().waitFor();
    };
    for (const name of ['Edit store', 'Delete store']) {
      await go('N-001');
      await go('N-002');
      await page.getByRole('button', { name }).click();
      const dialog = page.getByRole('dialog', { name });
      await dialog.waitFor();
      await page.goBack();
      await page.waitForURL(/N-001$/);
      await opened.settled();
      assert.equal(await dialog.count(), 0, name);
    }
    const field = page.getByRole('combobox', { name: 'Name, phone or code of a user' });
    await go('N-002');
    await field.fill('Mateo');
    await page.getByRole('option').first().click();
    await page.goBack();
    await page.waitForURL(/N-001$/);
    await opened.settled();
    assert.equal(await field.inputValue(), '');
  });

  test('a dialog about an entry of one tenant closes with the pages of that tenant', async () => {
    const { page } = opened;
    const { id } = await opened.change('POST', '/tenants', { name: 'second' });
    await opened.change('POST', `/tenants/${id}/role`, { name: 'Courier' });
    await opened.goTo('roles');
    await page.getByRole('row').filter({ hasText: 'Team leader' }).waitFor();
    await page.evaluate(
      `history.pushState({}, '', '/console/t/${id}/roles'); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await page.getByRole('row').filter({ hasText: 'Courier' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit role' });
    await dialog.waitFor();
    await page.goBack();
    await page.getByRole('row').filter({ hasText: 'Team leader' }).waitFor();
    await opened.settled();
    assert.equal(await dialog.count(), 0);
  });
});
