import type { Page } from 'playwright-core';
import { acceptInvitation } from '../../e2e/console/accept-invitation.ts';
import { type ConsolePage, ownerName, ownerPassword } from '../../e2e/console/console-page.ts';
import { postElsewhere } from '../../e2e/console/post-elsewhere.ts';
import { recordWeekBefore } from '../../e2e/console/record-week-before.ts';
import { SignedClient } from '../../e2e/signed-client.ts';

/** A view of the console to take pictures of. */
export interface ConsoleView {
  readonly name: string;
  /** Address below the tenant, or from `/console` when it begins with a slash. */
  readonly path: string;
  /** Brings the page into the wanted state once it has loaded. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** Puts the directory back as it was, after the picture. */
  readonly afterwards?: (page: Page) => Promise<void>;
}

const openTab = (index: number) => async (page: Page) => {
  await page.getByRole('dialog').getByRole('tab').nth(index).click();
};

const openFirstRow = async (page: Page) => {
  await page.locator('tbody tr').first().click();
  await page.getByRole('dialog').getByRole('heading').first().waitFor();
};

const selectTwo = async (page: Page) => {
  for (const index of [0, 1])
    await page.locator(`tbody [data-index="${index}"]`).getByRole('checkbox').check();
};

const sessions = (page: Page) => page.getByRole('region', { name: /^(Sessions|会话)$/ });

const showSessions = (page: Page) => sessions(page).scrollIntoViewIfNeeded();

const askToEndSessions = async (page: Page) => {
  await sessions(page).getByRole('button').nth(-2).click();
  await page.getByRole('dialog').getByRole('textbox').waitFor();
};

const openLinks = (page: Page) =>
  page
    .getByRole('region', { name: /^(Operators|操作员)$/ })
    .locator('ul')
    .last();

const showLinks = (page: Page) => openLinks(page).scrollIntoViewIfNeeded();

const askToWithdraw = async (page: Page) => {
  await openLinks(page).getByRole('button').first().click();
  await page.getByRole('dialog').getByRole('textbox').waitFor();
};

/** Every page of the console, with its drawers. */
export const consoleViews: readonly ConsoleView[] = [
  { name: 'overview', path: '' },
  { name: 'users', path: 'users' },
  { name: 'users-selected', path: 'users', prepare: selectTwo },
  { name: 'users-nothing-found', path: 'users?search=nobody-at-all' },
  { name: 'user', path: 'users/3' },
  { name: 'user-stores', path: 'users/3', prepare: openTab(1) },
  { name: 'user-history', path: 'users/3', prepare: openTab(2) },
  { name: 'stores', path: 'stores' },
  { name: 'store', path: 'stores/N-001' },
  { name: 'move-stores', path: 'move-stores?from=3' },
  { name: 'stores-unassigned', path: 'stores?unassigned=true' },
  { name: 'import', path: 'import' },
  { name: 'orgs', path: 'orgs' },
  { name: 'roles', path: 'roles' },
  { name: 'applications', path: 'applications' },
  { name: 'application', path: 'applications', prepare: openFirstRow },
  { name: 'requests', path: 'requests' },
  { name: 'request', path: 'requests?code=1014', prepare: openFirstRow },
  { name: 'lab', path: 'lab' },
  { name: 'audit', path: 'audit' },
  { name: 'settings', path: 'settings' },
  { name: 'settings-sessions', path: 'settings', prepare: showSessions },
  { name: 'settings-end-sessions', path: 'settings', prepare: askToEndSessions },
  { name: 'settings-open-links', path: 'settings', prepare: showLinks },
  { name: 'settings-withdraw-link', path: 'settings', prepare: askToWithdraw },
  { name: 'not-found', path: 'no-such-page' },
];

/** Waits until the page has its data and has stopped moving. */
export async function settle(opened: ConsolePage): Promise<void> {
  await opened.page.waitForLoadState('networkidle');
  await opened.page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await opened.settled();
}

/** Makes links for one use, which nobody opens. */
export async function makeLinks(opened: ConsolePage): Promise<void> {
  const password = ownerPassword;
  for (const access of [
    { role: 'manager', all_tenants: false, tenant_ids: [1] },
    { role: 'owner', all_tenants: true, tenant_ids: [] },
  ])
    await opened.change('POST', '/operators', { ...access, password });
  const id = await acceptInvitation(opened, 'ida');
  await opened.change('POST', '/operators/reset', { id, password });
}

/** Makes calls, some of which fail, so that no page is empty. */
export async function makeCalls(opened: ConsolePage): Promise<void> {
  const credentials = await opened.issueApplication('Shop till');
  // A server that starts knows it, so that no call fails for another reason.
  await opened.writeCallCounts();
  const client = new SignedClient(opened.server.url, credentials);
  await client.call('GET', '/user?username=mara.okafor');
  await client.call('GET', '/user?username=nobody');
  const signed = client.sign('GET', '/user?username=mara.okafor');
  await client.exchange({ ...signed, target: '/user?username=someone' });
  client.close();
  const revoked = new SignedClient(opened.server.url, { ...credentials, appId: 'revoked' });
  await revoked.call('GET', '/user?username=nobody');
  revoked.close();
  await postElsewhere(opened, '/session', { username: ownerName, password: ownerPassword });
  recordWeekBefore(opened, { users: 68, stores: 40, bindings: 231, applications: 1 });
  await opened.writeCallCounts();
  await opened.goTo('');
}
