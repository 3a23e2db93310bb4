import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { checkDocumentPaths, pathsNamedIn } from './check-document-paths.ts';

test('every path and link in the documents of this repository exists', () => {
  assert.deepEqual(checkDocumentPaths(fileURLToPath(new URL('../../', import.meta.url))), []);
});

test('the map may not name a path that does not exist', (t) => {
  const text = 'See `src/here.ts`, `src/gone.ts`, `src/` and `src/<anything>.ts`, not `src/<name>.md`.\n';
  const folder = temporaryFolder(t, { 'ARCHITECTURE.md': text, 'src/here.ts': '' });
  assert.deepEqual(checkDocumentPaths(folder), [
    'ARCHITECTURE.md: names src/gone.ts, which does not exist',
    'ARCHITECTURE.md: names src/<name>.md, which does not exist',
  ]);
});

test('no document may name a source that does not exist', (t) => {
  const text =
    'See `packages/here.ts`, `packages/gone.ts`, `deploy/secrets/made-later` and `e2e/<name>.ts`.\n';
  const folder = temporaryFolder(t, {
    'ARCHITECTURE.md': '',
    'docs/a.md': text,
    'packages/here.ts': '',
    'e2e/x.ts': '',
  });
  assert.deepEqual(checkDocumentPaths(folder), ['docs/a.md: names packages/gone.ts, which does not exist']);
});

test('the map must exist, and be short', (t) => {
  assert.deepEqual(checkDocumentPaths(temporaryFolder(t)), ['ARCHITECTURE.md: is missing']);
  const [problem] = checkDocumentPaths(temporaryFolder(t, { 'ARCHITECTURE.md': 'line\n'.repeat(151) }));
  assert.match(problem ?? '', /has 151 lines/);
});

test('a link that leads nowhere is found, and so is an anchor', (t) => {
  const page =
    '# A page\n\n## What it is\n\n[a](b.md) [b](#what-it-is) [c](gone.md) [d](b.md#gone) [e](https://x.example/)\n';
  const files = { 'ARCHITECTURE.md': '', 'docs/a.md': page, 'docs/b.md': '# B\n' };
  assert.deepEqual(checkDocumentPaths(temporaryFolder(t, files)), [
    'docs/a.md: links to gone.md, which does not exist',
    'docs/a.md: links to b.md#gone, which does not exist',
  ]);
});

test('a missing image is found, and so are links in HTML and in references', (t) => {
  const page =
    '![a](gone.svg "title") [![b](here.svg)](gone.md)\n<img alt="c" src="gone.png"> <a href="#gone">d</a>\n\n[e]: gone.txt\n`[f](not-a-link)`\n';
  const files = { 'ARCHITECTURE.md': '', 'a.md': page, 'here.svg': '' };
  assert.deepEqual(
    checkDocumentPaths(temporaryFolder(t, files)),
    ['gone.svg', 'gone.md', 'gone.txt', '#gone', 'gone.png'].map(
      (target) => `a.md: links to ${target}, which does not exist`,
    ),
  );
});

test('an anchor of a folder is one of its README', (t) => {
  const page = '[a](b#here) [b](b#gone) [c](c#here)\n';
  const files = { 'ARCHITECTURE.md': '', 'a.md': page, 'b/README.md': '# Here\n', 'c/d.txt': '' };
  assert.deepEqual(checkDocumentPaths(temporaryFolder(t, files)), [
    'a.md: links to b#gone, which does not exist',
    'a.md: links to c#here, which does not exist',
  ]);
});

test('a repeated heading has two anchors, and one in a code block has none', (t) => {
  const page =
    '# A page\n\n## Same\n\n## Same\n\n```bash\n# a comment\nlink](gone.md)\n```\n\n[a](#same) [b](#same-1) [c](#same-2) [d](#a-comment) [e](gone.md "title")\n';
  assert.deepEqual(checkDocumentPaths(temporaryFolder(t, { 'ARCHITECTURE.md': '', 'a.md': page })), [
    'a.md: links to #same-2, which does not exist',
    'a.md: links to #a-comment, which does not exist',
    'a.md: links to gone.md, which does not exist',
  ]);
});

test('code that is not a path is not mistaken for one', () => {
  assert.deepEqual(
    pathsNamedIn('`GET /user` `/user` `@fieldroster/server` `npm run docs` `a.b` `--port`'),
    [],
  );
});
