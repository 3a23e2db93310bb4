import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { errorCodes, operations, particularCodesOf } from '@fieldroster/contract';
import { figureSentences } from '../docs/figures.ts';
import { fillSection } from '../docs/fill-section.ts';
import { renderDocs } from '../docs/render-docs.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { checkGeneratedDocs } from './check-generated-docs.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const rendered = renderDocs(root);

const benchmark = 'bench/results/latest.json';

const figures = readFileSync(join(root, benchmark), 'utf8');

test('the generated documents of this repository are up to date', () => {
  assert.deepEqual(checkGeneratedDocs(root), []);
});

const inOtherPages = /`FIELDROSTER_PORT` \||\d kB|\b1101\b|signed reads/;

test('a document that was changed by hand, or is missing, is found', (t) => {
  for (const path of rendered.keys()) {
    const folder = temporaryFolder(t, { ...Object.fromEntries(rendered), [benchmark]: figures });
    assert.deepEqual(checkGeneratedDocs(folder), []);
    const text = readFileSync(join(folder, path), 'utf8');
    // In the page with the interface, only the tables are generated, and the codes are not among them.
    const generated = path === 'docs/interface.md' ? /difference between clocks \|/ : inOtherPages;
    writeFileSync(join(folder, path), text.replace(generated, 'changed'));
    assert.equal(checkGeneratedDocs(folder).length, 1, path);
  }
});

test('a benchmark without a row that the README needs is refused', (t) => {
  const folder = temporaryFolder(t, { [benchmark]: figures.replace('"bind-user-store"', '"renamed"') });
  assert.throws(() => figureSentences(folder), /latest\.json has no row bind-user-store/);
});

test('every code has a section that says what causes it and what to do', () => {
  const page = rendered.get('docs/errors.md') ?? '';
  for (const [code, { name, meaning, cure }] of Object.entries(errorCodes)) {
    const section = page.slice(page.indexOf(`\n## ${code} ${name}\n`)).split('\n## ')[1] ?? '';
    for (const part of [meaning, cure, 'HTTP status', 'What causes it', 'Answered by']) {
      assert.ok(section.includes(part), `${code}: ${part}`);
    }
  }
});

test('every operation has a section with its codes and fields', () => {
  const page = rendered.get('docs/operations.md') ?? '';
  for (const operation of Object.values(operations)) {
    const section = page.slice(page.indexOf(`\n## ${operation.name}\n`)).split('\n## ')[1] ?? '';
    for (const code of particularCodesOf(operation))
      assert.ok(section.includes(`[${code}](errors.md#`), operation.name);
    const { query, body } = { query: undefined, body: undefined, ...operation };
    const fields = [query, body].flatMap((schema) => Object.keys(schema?.properties ?? {}));
    for (const field of fields)
      assert.ok(section.includes(`\n| \`${field}\` |`), `${operation.name}: ${field}`);
  }
});

test('a page that lost the marks of its section is refused', () => {
  assert.throws(() => fillSection('a page', 'codes', 'new'), /no section "codes"/);
});
