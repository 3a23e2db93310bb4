import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { en } from './en.ts';

const sources = join(import.meta.dirname, '..');

const code = globSync('**/*.{ts,tsx}', { cwd: sources })
  .filter((path) => !/\.test\.ts$|^i18n\/(?:en|zh)(?:\/|\.ts$)/.test(path))
  .map((path) => readFileSync(join(sources, path), 'utf8'))
  .join('\n');

/** Groups whose texts are chosen by what the server says. */
const groupsOfData = ['codes', 'refusals', 'problems', 'changes', 'roles'];

/** Texts that are chosen by a name in data, such as the status of a user or the name of a field. */
const chosenByName: readonly string[] = [
  ...['from', 'until'].map((field) => `general.${field}`),
  ...['active', 'disabled', 'suspended', 'revoked'].map((status) => `general.${status}`),
  ...['typed', 'sending', 'shownOnce', 'making'].map((loss) => `discard.${loss}`),
  ...['signatureLab', 'importUsers'].map((page) => `navigation.${page}`),
  ...['headers', 'body', 'signedString'].map((field) => `lab.${field}`),
];

/** Whether a text is read from its group, or from a variable named after texts, or taken out of either. */
function isNamed(group: string, key: string): boolean {
  // Pages call their own group by such a name, but never the general one.
  const holder = group === 'general' ? group : `(?:${group}|\\w*[tT]exts|\\w*[wW]ords)`;
  const isRead = new RegExp(`\\b${holder}\\??\\s*\\.${key}\\b`).test(code);
  return isRead || new RegExp(`\\{[^{}]*\\b${key}\\b[^{}]*\\}\\s*[:=][^;{}]*\\b${holder}\\b`).test(code);
}

test('every text of the console is named somewhere, or chosen by a name', () => {
  const unused = Object.entries(en).flatMap(([group, texts]) => {
    if (typeof texts !== 'object' || groupsOfData.includes(group)) return [];
    return Object.keys(texts)
      .filter((key) => !isNamed(group, key))
      .map((key) => `${group}.${key}`);
  });
  assert.deepEqual(unused, chosenByName);
});
