import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stringsTriedMax } from '../find-mistake.ts';
import { reserialisedBytesMax } from './reserialised-bodies.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const section = readme.split('## ').find((part) => part.startsWith('Why a signature')) ?? '';

test('the README lists the name of every mistake', () => {
  const sources = readdirSync(new URL('.', import.meta.url))
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'));
  const names = sources.flatMap((text) =>
    [...text.matchAll(/\bname: '([a-z0-9-]+)',$/gm)].map(([, name]) => name),
  );
  const listed = [...section.matchAll(/`([a-z0-9]+(?:-[a-z0-9]+)+)`/g)].map(([, name]) => name);
  assert.deepEqual(listed.toSorted(), [...new Set(names)].toSorted());
});

test('the README states the bounds of the search', () => {
  const bounds = `up to ${stringsTriedMax.toLocaleString('en')} texts; no body above ${reserialisedBytesMax / 1024} KiB`;
  assert.ok(section.includes(bounds), bounds);
});
