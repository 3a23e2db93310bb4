import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { explainedSurvivors } from './explained-survivors.ts';

const root = new URL('../../', import.meta.url);

test('every explanation is of a line that is in its file, so that none outlives the code that it explains', () => {
  const linesOf = (file: string) =>
    readFileSync(new URL(file, root), 'utf8')
      .split('\n')
      .map((line) => line.trim());
  const stale = explainedSurvivors.filter(({ file, line }) => !linesOf(file).includes(line));
  assert.deepEqual(
    stale.map(({ file, line }) => `${file}: ${line}`),
    [],
  );
});
