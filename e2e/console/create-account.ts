import type { Page } from 'playwright-core';

/** Opens a link for one use, creates the account that it invites to, and waits until its owner is signed in. */
export async function createAccount(
  page: Page,
  link: string,
  username: string,
  password: string,
): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Username').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}
