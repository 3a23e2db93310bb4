import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { siteFiles } from '../site/site-pages.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { checkSite } from './check-site.ts';

test('the site of this repository has all its files, images and links', () => {
  assert.deepEqual(checkSite(fileURLToPath(new URL('../../', import.meta.url))), []);
});

test('a missing image, file or page is found', (t) => {
  const pages = Object.fromEntries(
    ['interface', 'operations', 'errors'].map((name) => [`docs/${name}.md`, `# ${name}\n\n![a](a.svg)\n`]),
  );
  const [present = '', missing = ''] = Object.values(siteFiles);
  assert.deepEqual(checkSite(temporaryFolder(t, { ...pages, [present]: '' })), [
    `the site needs ${missing}, which does not exist`,
    'the site needs docs/a.svg, which does not exist',
    'the site links "Operating" to /docs/operating, which is not a page',
  ]);
});
