import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { pathsNamedIn } from '../checks/check-document-paths.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/security-checklist.md'), 'utf8');

const states = ['proved', 'partly', 'missing', 'does not apply'];

interface Row {
  readonly chapter: string;
  readonly item: string;
  readonly state: string;
  readonly evidence: string;
}

const sections = page.split(/^## /m);

/** The rows below the heading of each chapter. */
const rows = sections.flatMap((section): Row[] => {
  const chapter = section.slice(0, section.indexOf('\n'));
  const found = section.matchAll(/^\| ((?:API|\d)[\d.–]*) \| [^|]+ \| ([^|]+) \| (.+) \|$/gm);
  return [...found].map(([, item = '', state = '', evidence = '']) => ({ chapter, item, state, evidence }));
});

/** Counts the requirements of a row: `6.5.1–6.5.5` has five. */
function countOf({ item }: Row): number {
  const [first = 0, last = first] = item.split('–').map((number) => Number(number.split('.').at(-1)));
  return item.includes('–') ? last - first + 1 : 1;
}

test('every path on the checklist exists', () => {
  const missing = pathsNamedIn(page).filter((path) => !existsSync(join(root, path)));
  assert.deepEqual(missing, []);
});

/** Returns whether a text is part of the title of a test, or the whole label of a row in a table of tests. */
function isTested(source: string, text: string): boolean {
  const titles = source.matchAll(/^\s*(?:test|describe)\(\s*(['"`])(.+?)\1,/gm);
  return [...titles].some(([, , title = '']) => title.includes(text)) || source.includes(`'${text}'`);
}

test('every test that the checklist names is in its file, and every proved row has evidence', () => {
  for (const { item, state, evidence } of rows) {
    const cited = [...evidence.matchAll(/`([^`]+)`: ((?:"[^"]+"(?:, )?)+)/g)];
    for (const [, path = '', names = ''] of cited) {
      const source = readFileSync(join(root, path), 'utf8');
      for (const [, name = ''] of names.matchAll(/"([^"]+)"/g))
        assert.ok(isTested(source, name), `${item}: ${path} has no test "${name}"`);
    }
    if (state === 'proved')
      assert.ok(cited.length > 0 || evidence.includes(']('), `${item} names no evidence`);
    if (state === 'partly') assert.match(evidence, /Missing/, `${item} does not say what is missing`);
  }
});

test('the summary counts the rows, and every item appears once', () => {
  const items = rows.map(({ item }) => item);
  assert.equal(new Set(items).size, items.length);
  const chapters = [...new Set(rows.map(({ chapter }) => chapter))];
  const sums = chapters.map((chapter) => countsOf(rows.filter((row) => row.chapter === chapter)));
  const ofAsvs = countsOf(rows.filter(({ item }) => !item.startsWith('API')));
  assert.equal(ofAsvs.at(-1), 253, 'ASVS 5.0 has 253 requirements of levels 1 and 2');
  const expected = new Map(chapters.map((chapter, index) => [chapter, sums[index]]));
  expected.set('**ASVS 5.0, level 2**', ofAsvs);
  const summary = page.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gm);
  const written = [...summary].map(([, chapter = '', ...counts]) => [chapter, counts.map(Number)] as const);
  assert.deepEqual(new Map(written), expected);
});

function countsOf(some: readonly Row[]): number[] {
  const sumOf = (counted: readonly Row[]) => counted.reduce((sum, row) => sum + countOf(row), 0);
  return [...states.map((state) => sumOf(some.filter((row) => row.state === state))), sumOf(some)];
}

test('the list of what is missing names every row that is missing or partly proved, and no other', () => {
  const list = sections.find((section) => section.startsWith('What is missing\n')) ?? '';
  const named = [...list.matchAll(/\(([\w.–]+(?:, [\w.–]+)*)\)$/gm)].flatMap(([, items = '']) =>
    items.split(', '),
  );
  const open = rows.filter(({ state }) => state === 'missing' || state === 'partly');
  assert.deepEqual(named.toSorted(), open.map(({ item }) => item).toSorted());
});
