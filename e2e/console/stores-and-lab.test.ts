import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Request } from 'playwright-core';
import { ConsolePage } from './console-page.ts';

describe('stores, organizations and the signature lab in the console', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  const row = (name: string) => opened.page.getByRole('row').filter({ hasText: name });

  test('a store that nobody looks after is found, by a search too', async () => {
    const { page } = opened;
    await opened.visit('stores');
    await page.getByRole('button', { name: 'Add store' }).click();
    await page.getByRole('dialog').getByLabel('Code').fill('Q-1');
    await page.getByRole('dialog').getByLabel('Name').fill('Lonely shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Add store' }).click();
    await page.getByText('Lonely shop added').waitFor();
    await row('N-001').waitFor();
    await page.getByRole('switch', { name: 'Without a representative' }).check();
    await row('N-001').waitFor({ state: 'detached' });
    await row('Q-1').waitFor();
    await opened.requireAccessible();
    await page.keyboard.press('/');
    await page.keyboard.type('lonely');
    await page.waitForURL(/search=lonely/);
    await page.reload();
    await row('Q-1').waitFor();
    assert.equal(await page.getByRole('row').count(), 2, 'the heading and one store');
  });

  test('a store that nobody looks after is assigned from its page, which can be undone', async () => {
    const { page } = opened;
    await opened.change('POST', '/tenants/1/store', { code: 'Q-2', name: 'Forgotten kiosk' });
    await opened.visit('stores/Q-2');
    const drawer = page.getByRole('dialog', { name: 'Forgotten kiosk' });
    await drawer.getByText('This store has no representative.').waitFor();
    const field = drawer.getByRole('combobox', { name: 'Name, phone or code of a user' });
    await field.fill('Okafor');
    await page.getByRole('option', { name: 'Mara Okafor (mara.okafor)' }).click();
    await opened.requireAccessible();
    await drawer.getByRole('button', { name: 'Assign representative' }).click();
    await page.getByText('Mara Okafor now looks after Forgotten kiosk').waitFor();
    await drawer.getByRole('link', { name: 'Mara Okafor' }).waitFor();
    await field.fill('Okafor');
    const again = page.getByRole('option', { name: 'Mara Okafor (mara.okafor): already looks after it' });
    assert.equal(await again.getAttribute('data-combobox-disabled'), 'true');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Mara Okafor no longer looks after Forgotten kiosk').waitFor();
    await drawer.getByText('This store has no representative.').waitFor();
  });

  test('an edited store does not overwrite what somebody else saved since the form opened', async () => {
    const { page } = opened;
    await page.clock.install();
    await opened.change('POST', '/tenants/1/store', {
      code: 'Q-3',
      name: 'Corner shop',
      address: '1 Old Road',
    });
    await opened.visit('stores/Q-3');
    const drawer = page.getByRole('dialog', { name: 'Corner shop' });
    await drawer.getByRole('button', { name: 'Edit store' }).click();
    const form = page.getByRole('dialog', { name: 'Edit store' });
    await form.getByLabel('Name').fill('Corner kiosk');
    await opened.change('PUT', '/tenants/1/store', { code: 'Q-3', address: '2 New Road' });
    // Coming back to the tab reads the store again.
    await page.clock.fastForward(60_000);
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await page.locator('dd', { hasText: '2 New Road' }).waitFor();
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.getByRole('alert').waitFor();
    const answer = await page.request.get(`${opened.origin}/console/api/tenants/1/store?code=Q-3`);
    const { name, address } = (await answer.json()).data;
    assert.deepEqual({ name, address }, { name: 'Corner shop', address: '2 New Road' });
    // The browser reports the refusal.
    opened.expectReports(409);
  });

  test('assigning a store to a user who has it already offers nothing to undo', async () => {
    const { page } = opened;
    const { id } = await opened.change('POST', '/tenants/1/user', {
      username: 'zed',
      real_name: 'Zed',
      password: 'a long password',
    });
    const path = '/tenants/1/user/store';
    await opened.visit('stores/N-001');
    const drawer = page.getByRole('dialog');
    const pick = async (field: string, typed: string, option: string) => {
      await drawer.getByRole('combobox', { name: field }).fill(typed);
      await page.getByRole('option', { name: option }).click();
    };
    await pick('Name, phone or code of a user', 'zed', 'Zed (zed)');
    // As another operator does meanwhile.
    await opened.change('POST', path, { user_id: id, store_code: 'N-001' });
    await drawer.getByRole('button', { name: 'Assign representative' }).click();
    await page.getByText(/^Zed already looks after /).waitFor();
    await opened.visit(`users/${id}`);
    await drawer.getByRole('tab', { name: 'Stores' }).click();
    await pick('Code, name or address of a store', 'N-002', '(N-002)');
    await opened.change('POST', path, { user_id: id, store_code: 'N-002' });
    await drawer.getByRole('button', { name: 'Assign store' }).click();
    await page.getByText('N-002 is already assigned').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
  });

  test('a user who is deleted takes the offers to undo older changes along', async () => {
    const { page } = opened;
    const user = { username: 'gone', real_name: 'Gone Girl', password: 'a long password' };
    const { id } = await opened.change('POST', '/tenants/1/user', user);
    await opened.visit(`users/${id}`);
    await page.getByRole('button', { name: 'Disable user' }).click();
    await page.getByText('Gone Girl is disabled').waitFor();
    await page.getByRole('button', { name: 'Delete user' }).click();
    const confirmation = page.getByRole('dialog', { name: 'Delete user' });
    await confirmation.getByText(/^Deleting Gone Girl removes /).waitFor();
    await confirmation.getByLabel('Type gone to confirm').fill('gone');
    await confirmation.getByRole('button', { name: 'Delete user' }).click();
    await page.getByText('Gone Girl deleted').waitFor();
    await page.getByText('Gone Girl is disabled').waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
  });

  test('a store that somebody looks after is deleted only after its code is typed a second time', async () => {
    const { page } = opened;
    await opened.visit('stores/N-003');
    await page.getByRole('button', { name: 'Delete store' }).click();
    const confirmation = page.getByRole('dialog', { name: 'Delete store' });
    await confirmation.getByText(/^Deleting N-003 unassigns \d+ people\. This cannot be undone\.$/).waitFor();
    const code = confirmation.getByLabel('Type N-003 to confirm');
    await code.fill('N-003');
    await page.keyboard.press('Enter');
    const refusal = confirmation.getByRole('alert');
    await refusal.filter({ hasText: 'Nothing was deleted' }).waitFor();
    assert.doesNotMatch(await refusal.innerText(), /force|unbind/);
    await page.keyboard.press('Enter');
    assert.equal(await code.inputValue(), '');
    assert(await confirmation.getByRole('button', { name: 'Unassign and delete' }).isDisabled());
    await opened.settled();
    await opened.requireAccessible();
    await page.keyboard.press('Escape');
    await opened.visit('stores');
    await row('N-003').click();
    await page.getByRole('heading', { name: 'Representatives' }).waitFor();
    // The answer's status is an error, which the browser reports.
    opened.expectReports(409);
  });

  test('an organization with others below it says so instead of asking for its name', async () => {
    const { page } = opened;
    await opened.visit('orgs');
    await page.getByRole('button', { name: 'More: South region' }).click();
    const remove = page.getByRole('menuitem', { name: 'Delete organization' });
    const colour = await remove.evaluate((item) => {
      const { getComputedStyle } = item.ownerDocument.defaultView;
      const shown = getComputedStyle(item).color;
      item.style.color = 'var(--fr-danger)';
      return { shown, danger: getComputedStyle(item).color };
    });
    assert.equal(colour.shown, colour.danger);
    await remove.click();
    await page.getByText(/South region has \d+ organizations? below it/).waitFor();
    assert.equal(await page.getByLabel(/^Type /).count(), 0);
    await page.keyboard.press('Escape');
  });

  test('an organization is dragged below another one, and back', async () => {
    const { page } = opened;
    await opened.visit('orgs');
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    await opened.settled();
    let lists = 0;
    const countLists = (request: Request) => {
      if (request.method() === 'GET' && /\/orgs(\?|$)/.test(request.url())) lists += 1;
    };
    page.on('request', countLists);
    await link('Lakes team').dragTo(link('South region'));
    await page.getByText('Lakes team is now below South region').waitFor();
    await opened.settled();
    page.off('request', countLists);
    assert.equal(lists, 1, 'the organizations are loaded once more');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Lakes team is back in its place').waitFor();
  });

  test('dragging an organization cannot be undone once it was moved again', async () => {
    const { page } = opened;
    await opened.visit('orgs');
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    const moved = page.getByText('Lakes team is now below South region');
    const orgs = await page.request.get(`${opened.origin}/console/api/tenants/1/orgs`);
    const { data } = (await orgs.json()) as {
      data: { orgs: { id: number; name: string; parent_id: number }[] };
    };
    const lakes = data.orgs.find(({ name }) => name === 'Lakes team');
    assert(lakes !== undefined);
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor({ state: 'detached' });
    await link('Lakes team').dragTo(link('South region'));
    await moved.waitFor();
    // As another operator does.
    await opened.change('PUT', '/tenants/1/org', { id: lakes.id, parent_id: lakes.parent_id });
    await undo.click();
    await page.getByText('Somebody else has changed this in the meantime').waitFor();
    opened.expectReports(409);
    await opened.visit('orgs');
    await opened.settled();
    // The first notice has the same text. It goes when the second one appears.
    const older = await moved.elementHandle();
    await link('Lakes team').dragTo(link('South region'));
    await older?.waitForElementState('hidden');
    await moved.waitFor();
    await page.getByRole('button', { name: 'More: Lakes team' }).click();
    await page.getByRole('menuitem', { name: 'Edit or move' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Lake team');
    await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Lake team saved').waitFor();
    await undo.waitFor({ state: 'detached' });
  });

  test('the lab shows the stages, the first difference and the cause, and sends nothing', async () => {
    const { page } = opened;
    await opened.visit('lab');
    await page.getByText('The result appears here. Begin with the URL.').waitFor();
    await opened.settled();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.getByLabel('URL, as it is sent').fill('/user?b=2&a=x%20y');
    await page.getByText('Paste the Timestamp header').waitFor();
    await page.getByLabel('Headers').fill('Timestamp: 1767225600\nNonce: n1');
    const right = 'get\n1767225600\nn1\n/user?a=x y&b=2';
    const asJson = page.getByRole('textbox', { name: 'Expected string to sign, as JSON' });
    const shown = JSON.parse(await asJson.inputValue()) as string;
    assert.equal(shown.toLowerCase(), right);
    await page.getByLabel('Your string to sign').fill(shown.replace('n1', 'n2'));
    await page.getByText('The first difference is in line 3 (Nonce), character 2.').waitFor();
    await page.getByLabel('Your string to sign').fill(shown.replace('n1', 'n2').replace('b=2', 'b=3'));
    await page.locator('mark').getByText('3').waitFor();
    const marked = await page.locator('mark').allInnerTexts();
    assert.deepEqual(marked, ['1', '2', '2', '3'], 'the first difference of each line is marked');
    await opened.requireAccessible();
    await page.getByLabel('Your string to sign').fill(shown);
    await page.getByText('Your string is right').waitFor();
    assert.deepEqual(sent, [], 'what one types stays in the browser');
  });

  test('what was typed into the lab is there after a look at another page, and after the example took its place', async () => {
    const { page } = opened;
    await opened.visit('lab');
    const url = page.getByLabel('URL, as it is sent');
    await url.fill('/user?username=typed');
    await page.getByRole('navigation').getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    await page.goBack();
    await url.waitFor();
    assert.equal(await url.inputValue(), '/user?username=typed');
    await page.getByRole('button', { name: 'Fill in an example' }).click();
    assert.notEqual(await url.inputValue(), '/user?username=typed');
    await page.getByRole('navigation').getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    await page.goBack();
    await url.waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    assert.equal(await url.inputValue(), '/user?username=typed');
  });
});
