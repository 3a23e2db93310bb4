import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFigure } from './figure.ts';
import { plotRatios } from './plot.ts';

test('a picture names each figure, with what is promised and whether it was kept', () => {
  const about = { name: 'a', title: 'A < B', comparedTo: 'C & D', unit: 'req/s', better: 'higher' } as const;
  const rounds = { measured: [{ value: 3 }], reference: [{ value: 2 }] };
  const figures = [toFigure({ ...about, mark: 1 }, rounds), toFigure({ ...about, limit: 4 }, rounds)];
  const picture = plotRatios(figures, 'Caption');
  for (const text of ['A &lt; B', '3 req/s, by C &amp; D', '≥ 1 met', '≥ 4 req/s MISSED']) {
    assert.ok(picture.includes(`>${text}<`), text);
  }
  assert.match(picture, /prefers-color-scheme: dark/);
});
