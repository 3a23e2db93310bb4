import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { navigation } from './navigation.ts';
import { pageLink, siteImages, siteLink, sitePages, titleOf } from './site-pages.ts';
import { turnLinks } from './turn-links.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const pages = new Set(['README.md', 'docs/a.md', 'docs/b.md', 'examples/README.md', 'examples/go/README.md']);

test('every page is in the navigation once', () => {
  const links = navigation(root).flatMap(({ items }) => items.map(({ link }) => link));
  const wanted = sitePages(root).map(pageLink);
  assert.deepEqual(links.toSorted(), wanted.toSorted());
  assert(wanted.includes('/') && wanted.includes('/docs/operations') && wanted.includes('/decisions/'));
});

test('a link from document to document becomes one from page to page', () => {
  const links = {
    'b.md': './b.md',
    'b.md#part': './b.md#part',
    '../README.md': '../index.md',
    '../examples/README.md#go': '../examples/index.md#go',
    '../examples/go': '../examples/go/index.md',
    '#here': '#here',
    'https://x.example/': 'https://x.example/',
    'openapi.json': 'openapi.json',
  };
  for (const [link, expected] of Object.entries(links))
    assert.equal(siteLink('docs/a.md', link, pages), expected);
});

test('a link to a source file, which the site does not have, is only its text', () => {
  assert.equal(siteLink('docs/a.md', '../packages/server/src/app.ts', pages), undefined);
  const tokens = [
    tokenOf('link_open', '../packages'),
    tokenOf('code_inline'),
    tokenOf('link_close'),
    tokenOf('link_open', 'b.md'),
    tokenOf('text'),
    tokenOf('link_close'),
  ];
  const paragraph = { ...tokenOf('inline'), children: tokens };
  turnLinks([paragraph], 'docs/a.md', pages);
  const left = paragraph.children.map(({ type, href }) => (href === '' ? type : href));
  assert.deepEqual(left, ['code_inline', './b.md', 'text', 'link_close']);
});

test('only the images of pages are copied', (t) => {
  const folder = temporaryFolder(t, {
    'README.md': '![a](docs/images/a.png) ![b](https://x.example/b.svg)\n',
    'docs/a.md': '![a](images/a.png) <img src="../bench/c.svg">\n',
    'bench/README.md': '![d](d.svg)\n',
  });
  assert.deepEqual(siteImages(folder), ['docs/images/a.png', 'bench/c.svg']);
});

test('a document without a heading cannot be listed', () => {
  assert.throws(() => titleOf(root, 'LICENSE'), /LICENSE has no heading/);
});

function tokenOf(type: string, href = '') {
  const token = {
    type,
    href,
    children: null,
    attrGet: () => token.href,
    attrSet(_name: string, value: string) {
      token.href = value;
    },
  };
  return token;
}
