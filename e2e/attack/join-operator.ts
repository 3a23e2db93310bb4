import { ConsoleBrowser, owner } from '../../packages/server/test/console-browser.ts';
import { openProvisioned, type Provisioned } from '../provision-directory.ts';
import type { ServerProcess } from '../server-process.ts';

/** Makes an operator of the console, by default an owner, and signs in. */
export async function joinOperator(
  { port }: ServerProcess,
  provisioned: Provisioned,
  access = owner,
): Promise<ConsoleBrowser> {
  const { database } = await openProvisioned(provisioned);
  const browser = new ConsoleBrowser({ port, nowMs: Date.now(), database });
  await browser.join('Mara Okafor', access);
  await database.close();
  return browser;
}
