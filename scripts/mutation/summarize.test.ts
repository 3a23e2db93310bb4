import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MutationReport, summarize } from './summarize.ts';

const source = 'const limit = 1;\n  if (size > limit) refuse();\n';
const mutant = (status: string, replacement: string) => ({
  mutatorName: 'ConditionalExpression',
  replacement,
  status,
  location: { start: { line: 2, column: 7 }, end: { line: 2, column: 19 } },
});
const report: MutationReport = {
  files: {
    'a.ts': {
      source,
      mutants: [
        mutant('Killed', 'true'),
        mutant('Timeout', '{}'),
        mutant('Survived', 'size >=\n limit'),
        mutant('NoCoverage', 'false'),
        mutant('Ignored', '""'),
      ],
    },
  },
};

test('lists every survivor and counts those noticed; ignored changes do not count', () => {
  assert.deepEqual(summarize('room', report, []).split('\n'), [
    'a.ts:2:7 Survived ConditionalExpression: size > limit -> size >= limit in: if (size > limit) refuse();',
    'a.ts:2:7 NoCoverage ConditionalExpression: size > limit -> false in: if (size > limit) refuse();',
    'room: 2 of 4 changes noticed, 50.0 %; 0 explained, 2 open',
  ]);
});

test('an explanation covers one change of one line of one file', () => {
  const entry = {
    file: 'a.ts',
    line: 'if (size > limit) refuse();',
    code: 'size > limit',
    replacement: 'false',
    reason: 'r',
  };
  assert.match(summarize('room', report, [entry]), /; 1 explained, 1 open$/);
  for (const other of [
    { file: 'b.ts' },
    { line: 'if (other)' },
    { code: 'size' },
    { replacement: 'size < limit' },
  ]) {
    assert.match(summarize('room', report, [{ ...entry, ...other }]), /; 0 explained, 2 open$/);
  }
});
