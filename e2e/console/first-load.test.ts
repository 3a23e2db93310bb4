import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsolePage } from './console-page.ts';

describe('the first load of the console', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  test('few files are needed, compressed for a browser that accepts it and plain for anyone else', async () => {
    const page = await (await fetch(`${opened.origin}/console/`)).text();
    const paths = [...page.matchAll(/(?:href|src)="(\/console\/assets\/[^"]+\.(?:js|css))"/g)].map(
      ([, path = '']) => path,
    );
    assert(paths.length > 0 && paths.length < 10, `the page names ${paths.length} files`);
    let [plainBytes, sentBytes] = [0, 0];
    for (const path of paths) {
      const plain = await fileAt(path, 'identity');
      const packed = await fileAt(path, 'gzip');
      assert.equal(plain.encoding, null);
      assert.equal(packed.text, plain.text, path);
      assert.match(packed.vary ?? '', /accept-encoding/i);
      plainBytes += plain.bytes;
      sentBytes += packed.bytes;
    }
    assert(sentBytes < plainBytes / 3, `${sentBytes} of ${plainBytes} bytes are sent`);
  });

  test('the list of users is asked for while the browser still loads the code of the page', async () => {
    const { page } = opened;
    const held = Promise.withResolvers<void>();
    await page.route(/\/users-page-[^/]*\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    const asked = page.waitForRequest(/\/find-users\?/);
    await opened.goTo('users');
    await asked;
    assert.equal(await page.getByRole('row').count(), 0);
    held.resolve();
    await page.getByRole('row').filter({ hasText: 'Mara Okafor' }).waitFor();
  });

  async function fileAt(path: string, encoding: string) {
    const answer = await fetch(opened.origin + path, { headers: { 'Accept-Encoding': encoding } });
    assert.equal(answer.status, 200, path);
    const { headers } = answer;
    return {
      encoding: headers.get('content-encoding'),
      vary: headers.get('vary'),
      bytes: Number(headers.get('content-length')),
      // Without the compression.
      text: await answer.text(),
    };
  }
});
