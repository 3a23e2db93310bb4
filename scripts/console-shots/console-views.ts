import type { Page } from 'playwright-core';
import type { ConsolePage } from '../../e2e/console/console-page.ts';

/** A view of the console to take pictures of. */
export interface ConsoleView {
  readonly name: string;
  /** Address below the tenant, or from `/console` when it begins with a slash. */
  readonly path: string;
  /** What brings the page into the wanted state once it has loaded. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const openTab = (index: number) => async (page: Page) => {
  await page.getByRole('dialog').getByRole('tab').nth(index).click();
};

/** Every page of the console, with its drawers. */
export const consoleViews: readonly ConsoleView[] = [
  { name: 'overview', path: '' },
  { name: 'users', path: 'users' },
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
  { name: 'requests', path: 'requests' },
  { name: 'lab', path: 'lab' },
  { name: 'audit', path: 'audit' },
  { name: 'settings', path: 'settings' },
  { name: 'not-found', path: 'no-such-page' },
];

/** Waits until the page has its data and has stopped moving. */
export async function settle({ page }: ConsolePage): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
}
