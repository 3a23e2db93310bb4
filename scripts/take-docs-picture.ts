import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../e2e/browser.ts';
import { provisionDirectory } from '../e2e/provision-directory.ts';
import { ServerProcess } from '../e2e/server-process.ts';
import { SignedClient } from '../e2e/signed-client.ts';

// Replaces the picture of /docs in docs/interface.md:
// node --conditions=fieldroster-source scripts/take-docs-picture.ts

const picture = fileURLToPath(new URL('../docs/images/reference.png', import.meta.url));

const directory = await provisionDirectory(1);
const server = await ServerProcess.start(directory);
const browser = await launchBrowser();
const client = new SignedClient(server.url, directory.credentials);
try {
  const page = await browser.newPage({ colorScheme: 'light', viewport: { width: 1080, height: 1290 } });
  await client.call('POST', '/user', { username: 'mara.okafor', password: 'Gr33n-Tea' });
  await client.call('POST', '/user/store', { user_id: 1, store_code: directory.storeCodes[0] });
  await page.goto(`${server.url}/docs#/queryUserStores`);
  await page.getByLabel('APPID').fill(directory.credentials.appId);
  await page.getByLabel('APPSECRET').fill(directory.credentials.appSecret);
  await page.getByLabel('user_id').fill('1');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /^HTTP / })
    .waitFor();
  await page.evaluate('window.scrollTo(0, 0)');
  await page.screenshot({ path: picture });
} finally {
  client.close();
  await browser.close();
  await server.stop();
  await directory.remove();
}
