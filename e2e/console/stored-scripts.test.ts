import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type Credentials, SignedClient } from '../signed-client.ts';
import { ConsolePage, ownerPassword } from './console-page.ts';
import { createAccount } from './create-account.ts';
import { findLiveParts, hostileTexts, reportRefusals } from './hostile-texts.ts';
import { asSent, failWith, issueManager, writeEverywhere } from './write-hostile-texts.ts';

interface Written {
  readonly text: string;
  readonly userId: number;
}

/** Every text is in the lists. Where a page shows one text, the tests open only this many. */
const someTexts = 5;

const operatorName = '<img src=x onerror=hacked()>';

describe('hostile texts in every field', () => {
  let opened: ConsolePage;
  let application: Credentials;
  let written: readonly Written[] = [];
  /** The scripts that ran, or tried to. */
  const ran: string[] = [];

  before(async () => {
    opened = await ConsolePage.open();
    await watch(opened.page);
    application = await issueManager(opened, hostileTexts.slice(0, 3).join(' '));
    const client = new SignedClient(opened.server.url, application);
    const users: Written[] = [];
    for (const text of hostileTexts) users.push({ text, userId: await writeEverywhere(client, text) });
    written = users;
    for (const [index, text] of hostileTexts.entries()) await failWith(client, text, index % 2 === 0);
    client.close();
    await opened.writeCallCounts();
  });

  after(async () => {
    await opened?.close();
    assert.deepEqual(ran, [], 'nothing ran after the last look');
  });

  /** Records a script that runs in any frame, a dialog, and what the policy of the page refused. */
  async function watch(page: Page): Promise<void> {
    await page.exposeFunction('hacked', () => ran.push(`hacked at ${page.url()}`));
    await page.exposeFunction('refusedByPolicy', (what: string) => ran.push(what));
    await page.addInitScript(reportRefusals);
    page.on('dialog', async (dialog) => {
      ran.push(`dialog ${dialog.message()}`);
      await dialog.dismiss();
    });
  }

  /** Asserts that the text is read as it is, in an element or a field, and that nothing of the page is alive. */
  async function requireLiteral(place: Locator, ...texts: readonly string[]): Promise<void> {
    for (const text of texts) await place.getByText(text).first().waitFor();
    await requireDead();
  }

  async function requireDead(): Promise<void> {
    const { page } = opened;
    await opened.settled();
    assert.deepEqual(await page.evaluate(findLiveParts), [], page.url());
    // Taken away, so that one page's fault does not fail the others.
    assert.deepEqual(ran.splice(0), [], page.url());
    assert.deepEqual(opened.complaints.splice(0), [], page.url());
  }

  const main = () => opened.page.getByRole('main');
  const drawer = () => opened.page.getByRole('dialog');

  /** Goes back to the list behind a drawer, which need not be drawn again for the next one. */
  async function closeDrawer(list: string): Promise<void> {
    await opened.follow(list);
    await drawer().waitFor({ state: 'detached' });
  }

  test('are text in the list of users, its search, and its filters', async () => {
    const { page } = opened;
    for (const text of hostileTexts.slice(0, someTexts)) {
      await opened.visit(`users?search=${encodeURIComponent(JSON.stringify(text))}`);
      const row = page.getByRole('row').filter({ hasText: text });
      await requireLiteral(row, text);
      assert.equal(await page.getByRole('searchbox').first().inputValue(), text);
    }
    await page.getByRole('combobox', { name: 'Role' }).click();
    await requireLiteral(page.getByRole('listbox'), ...hostileTexts);
  });

  test('are text in the profile, stores and history of a user; a picture is neither loaded nor linked', async () => {
    const { page } = opened;
    await opened.visit('users');
    for (const { text, userId } of written) {
      await opened.follow(`users/${userId}`);
      await requireLiteral(drawer(), text);
      const values = await drawer()
        .getByRole('textbox')
        .evaluateAll((fields) => fields.map((field) => Reflect.get(field, 'value')));
      assert.equal(
        values.filter((value) => value === text).length,
        7,
        `the seven fields of the profile: ${values}`,
      );
      assert.equal(await page.getByLabel('Picture (URL)').inputValue(), text);
      assert.equal(await drawer().locator('img').count(), 0);
      await drawer().getByRole('tab', { name: 'Stores' }).click();
      await drawer()
        .getByRole('button', { name: `Unassign ${text}` })
        .waitFor();
      await requireLiteral(drawer(), text);
      await drawer().getByRole('tab', { name: 'History' }).click();
      await drawer().getByTitle('batch-update-user-stores').first().waitFor();
      await requireLiteral(drawer().getByRole('tabpanel'), text);
      await closeDrawer('users');
    }
  });

  test('are text in the list of stores and in each store', async () => {
    await opened.visit('stores');
    for (const text of hostileTexts) {
      await opened.follow(`stores/${encodeURIComponent(text)}`);
      // The store's name, code and address show the text, and so does the name of the user who looks after it.
      await drawer().getByText(text, { exact: true }).nth(3).waitFor();
      await requireLiteral(drawer(), text);
      await closeDrawer('stores');
    }
    await opened.visit('stores?search=hacked');
    await requireLiteral(main(), ...hostileTexts.filter((text) => text.includes('hacked')));
  });

  for (const path of ['orgs', 'roles', 'audit']) {
    test(`are text on the page ${path}`, async () => {
      await opened.visit(path);
      await requireLiteral(main(), ...(path === 'audit' ? hostileTexts.slice(-3) : hostileTexts));
    });
  }

  test('are text in the audit trail of each store', async () => {
    for (const text of hostileTexts.slice(-someTexts)) {
      await opened.visit(`audit?store=${encodeURIComponent(JSON.stringify(text))}`);
      await main().getByRole('listitem').first().waitFor();
      await requireLiteral(main(), text);
    }
  });

  test('are text in the names of applications, and in what calls them out', async () => {
    const name = hostileTexts.slice(0, 3).join(' ');
    for (const path of ['', 'applications']) {
      await opened.visit(path);
      await requireLiteral(main(), name);
    }
    await opened.visit(`applications/${application.appId}`);
    await requireLiteral(drawer(), name);
  });

  test('are text in the paths of failed calls, and in the strings that the server signed', async () => {
    const { page } = opened;
    await opened.visit('requests');
    const rows = main().getByRole('row').filter({ hasText: 'query-user' });
    await rows.first().waitFor();
    assert.equal(await rows.count(), hostileTexts.length);
    await requireDead();
    const seen = new Set<string>();
    for (let index = 0; index < hostileTexts.length; index++) {
      await rows.nth(index).click();
      await drawer().getByText('/user?username=').first().waitFor();
      const content = (await drawer().textContent()) ?? '';
      for (const text of hostileTexts) if (content.includes(asSent(text))) seen.add(text);
      await requireDead();
      await page.keyboard.press('Escape');
      await drawer().waitFor({ state: 'detached' });
    }
    assert.deepEqual([...seen].sort(), [...hostileTexts].sort());
  });

  test('are text where stores are moved, and in what the palette finds', async () => {
    const { page } = opened;
    for (const { text, userId } of written.slice(0, someTexts)) {
      await opened.visit(`move-stores?from=${userId}`);
      await requireLiteral(main(), text);
    }
    await page.keyboard.press('Control+k');
    for (const text of hostileTexts.slice(0, someTexts)) {
      await page.getByRole('combobox', { name: 'Search' }).fill(text);
      await requireLiteral(drawer().getByRole('listbox'), text);
    }
    await page.keyboard.press('Escape');
  });

  test('are text in the name of an operator, for the others and for itself', async () => {
    const { page } = opened;
    await opened.visit('settings');
    await page.getByRole('button', { name: 'Invite operator' }).click();
    await drawer().getByLabel('All tenants').check();
    await drawer().getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
    await drawer().getByRole('button', { name: 'Invite operator' }).click();
    const link = await drawer().getByRole('textbox', { name: 'One-time link' }).inputValue();
    await drawer().getByRole('button', { name: 'I have sent it' }).click();
    const guest = await page.context().browser()?.newContext({ locale: 'en-GB' });
    assert(guest !== undefined);
    const theirs = await guest.newPage();
    await watch(theirs);
    await createAccount(theirs, link, operatorName, ownerPassword);
    await theirs.getByRole('button', { name: `Account: ${operatorName}` }).click();
    assert.deepEqual(await theirs.evaluate(findLiveParts), []);
    await guest.close();
    await page.reload();
    await requireLiteral(main().getByRole('region', { name: 'Operators' }), operatorName);
    await opened.visit('audit?of=deployment');
    await requireLiteral(main(), operatorName);
  });

  test('are text in every step of an import', async () => {
    const { page } = opened;
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const lines = hostileTexts.map((text, index) => [`${text}${index}`, text, text, text].map(cell).join());
    await opened.visit('import');
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose file' }).click();
    const content = [`username,real_name,phone,${cell(hostileTexts[0] ?? '')}`, ...lines].join('\n');
    await (await chosen).setFiles({
      name: '<img src=x onerror=hacked()>.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(content),
    });
    await page.getByRole('button', { name: 'Show what would change' }).waitFor();
    await requireLiteral(main(), ...hostileTexts.slice(0, 2));
    await page.getByRole('button', { name: 'Show what would change' }).click();
    await page.getByRole('button', { name: /^Import \d+ users$/ }).waitFor();
    await requireLiteral(main(), ...hostileTexts);
    await page.getByRole('button', { name: /^Import \d+ users$/ }).click();
    await page.getByText('The import is complete').waitFor();
    await requireLiteral(main(), ...hostileTexts);
    await opened.visit('users?search=hacked');
    await requireLiteral(main(), hostileTexts[0] ?? '');
  });

  test('are text in the notices before a move of stores, after it and once it is undone', async () => {
    const { page } = opened;
    const body = page.locator('body');
    for (const [index, from] of written.slice(0, someTexts).entries()) {
      const to = written[index + 1];
      assert(to !== undefined);
      await opened.visit(`move-stores?from=${from.userId}&to=${to.userId}`);
      await page.getByRole('region', { name: 'From' }).getByRole('checkbox').first().check();
      await requireLiteral(main(), `1 store moves from ${from.text} to ${to.text}.`);
      await page.getByRole('button', { name: 'Move 1 store' }).click();
      await requireLiteral(body, `1 store moved from ${from.text} to ${to.text}`);
      await page.getByRole('button', { name: 'Undo' }).click();
      await requireLiteral(body, `1 store is back with ${from.text}`);
    }
  });

  test('are text in the preview of a change to many users', async () => {
    const { page } = opened;
    const [role = '', ...others] = hostileTexts.filter((text) => text.includes('hacked'));
    await opened.visit('users?search=hacked');
    await main().getByRole('row').filter({ hasText: role }).first().waitFor();
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check();
    await requireLiteral(main(), ...others);
    for (const [action, choice, change] of [
      ['Set role…', 'Role', (text: string) => `${text} → ${role}`],
      ['Set organization…', 'Organization', (text: string) => `${text} → ${role}`],
      ['Unassign store…', 'Store', (text: string) => `− ${text}`],
    ] as const) {
      await page.getByRole('button', { name: action, exact: true }).click();
      const field = drawer().getByRole('combobox', { name: choice });
      await field.click();
      // Roles are few, so their field takes no text.
      if (choice !== 'Role') await field.fill(role);
      await page.getByRole('option').filter({ hasText: role }).first().click();
      const preview = drawer().getByRole('list', { name: 'What changes' });
      await requireLiteral(preview, role, ...others, change(choice === 'Store' ? role : (others[0] ?? '')));
      await page.keyboard.press('Escape');
      await drawer().waitFor({ state: 'detached' });
    }
  });

  test('are text in the names of tenants, where one is chosen and where one is granted', async () => {
    const { page } = opened;
    await opened.visit('settings');
    const tenants = page.getByRole('region', { name: 'Tenants', exact: true });
    for (const text of hostileTexts) {
      await tenants.getByLabel('Name').fill(text);
      await tenants.getByRole('button', { name: 'Create tenant' }).click();
      await tenants.getByRole('listitem').filter({ hasText: text }).waitFor();
    }
    await requireLiteral(page.locator('body'), ...hostileTexts);
    await page.getByRole('button', { name: 'Invite operator' }).click();
    await drawer().getByRole('combobox', { name: 'Tenants' }).click();
    await requireLiteral(page.getByRole('listbox'), ...hostileTexts);
    await page.getByRole('option', { name: hostileTexts[0] ?? '' }).click();
    await requireLiteral(drawer(), hostileTexts[0] ?? '');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await drawer().waitFor({ state: 'detached' });
    await page.getByRole('banner').getByRole('combobox', { name: 'Tenant' }).click();
    await requireLiteral(page.getByRole('listbox'), ...hostileTexts);
    await page.getByRole('option', { name: hostileTexts[0] ?? '' }).click();
    await page.waitForURL(/\/t\/\d+$/);
    await page.getByRole('link', { name: 'Audit' }).click();
    await main().getByTitle('tenant create').waitFor();
    await requireLiteral(main(), hostileTexts[0] ?? '');
  });
});
