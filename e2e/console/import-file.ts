import type { Page } from 'playwright-core';
import type { ConsolePage } from './console-page.ts';

/** Opens the import at its first step, even if an earlier test left it at a later one. */
export async function openImport(opened: ConsolePage): Promise<void> {
  await opened.visit('import');
  const again = opened.page
    .getByRole('button', { name: /^(Import another file|Choose another file|Choose file)$/ })
    .first();
  await again.waitFor();
  if ((await again.innerText()) !== 'Choose file') await again.click();
}

/** Chooses a file in the first step of the import. */
export async function chooseFile(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose file' }).click();
  await (await chosen).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
}
