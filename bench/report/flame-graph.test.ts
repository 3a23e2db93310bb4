import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CpuProfile } from './cpu-profile.ts';
import { drawFlameGraph } from './flame-graph.ts';

const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 6 });
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 4] },
    { id: 2, callFrame: frame('<serve>', 'file:///somewhere/packages/server/src/app.ts'), children: [5] },
    { id: 3, callFrame: frame('(idle)') },
    { id: 4, callFrame: frame('rare', 'file:///somewhere/node_modules/pino/pino.js') },
    { id: 5, callFrame: frame('parse', 'node:internal/url') },
  ],
  samples: [2, 5, 3, 4],
  timeDeltas: [30_000, 9_990, 960_000, 10],
};

test('a flame graph shows each call as wide as its share of the time that was worked', () => {
  const picture = drawFlameGraph(profile, 'A & B');
  assert.match(picture, /A &amp; B/);
  assert.match(
    picture,
    /&lt;serve&gt; app\.ts:7: 100\.0 %<\/title><rect class="ours" x="16" y="68" width="1179/,
  );
  assert.match(picture, /parse url:7: 25\.0 %<\/title><rect class="node" x="16" y="85" width="294\.7"/);
});

test('what waited or took next to nothing is left out, and so is where the files lie', () => {
  const picture = drawFlameGraph(profile, 'A');
  for (const text of ['(idle)', 'rare', 'somewhere']) assert.ok(!picture.includes(text), text);
});

test('a profile without work is an empty picture', () => {
  assert.match(drawFlameGraph({ ...profile, samples: [3], timeDeltas: [5] }, 'A'), /<svg [\s\S]*<\/svg>/);
});
