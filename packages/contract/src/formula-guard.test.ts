import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { guardFormula, unguardFormula } from './formula-guard.ts';

const guarded = [
  '=1+1',
  '=HYPERLINK("http://x","y")',
  '@SUM(A1)',
  '\t1',
  '\r1',
  '+A1',
  '-A1',
  '+1+cmd|x',
  '-2+3',
  "'=1",
  "''@x",
  '＝1+1',
  '＋A1',
  '－2+3',
  '＠SUM(A1)',
];

for (const text of guarded) {
  test(`${JSON.stringify(text)} is guarded, and comes back unchanged`, () => {
    assert.equal(guardFormula(text), `'${text}`);
    assert.equal(unguardFormula(guardFormula(text)), text);
  });
}

for (const [text, written] of [
  ['\r=1', "'\r'=1"],
  ['a;=1+1;b', "a;'=1+1;b"],
  ["a\n=cmd|'/c calc'!A0;", "a\n'=cmd|'/c calc'!A0;"],
  [';+A1;-2+3', ";'+A1;'-2+3"],
  ["=1;'=2", "'=1;''=2"],
  ['a\t=1+1\t+49 1\t-A1', "a\t'=1+1\t+49 1\t'-A1"],
  ['\t=1', "'\t'=1"],
] as const) {
  test(`${JSON.stringify(text)} is guarded wherever a cell could begin, and comes back unchanged`, () => {
    assert.equal(guardFormula(text), written);
    assert.equal(unguardFormula(written), text);
  });
}

for (const text of [
  '',
  'Mon; +49 (30) 123-45.6',
  '+49 1;+49 2',
  '-5;12',
  'a;b',
  'a\tb\t\tc',
  'ada',
  '1+1',
  '+49 (30) 123-45.6',
  '-5',
  '-',
  "'",
  "'quoted'",
  "O'Neil",
  "'+49 30",
  ' =1',
  'a=b',
]) {
  test(`${JSON.stringify(text)} stays unchanged, both ways`, () => {
    assert.equal(guardFormula(text), text);
    assert.equal(unguardFormula(text), text);
  });
}

test('every text comes back unchanged, and no cell of a written text begins like a formula', () => {
  const near = fc.string({
    unit: fc.constantFrom("'", ';', '=', '@', '+', '-', '\t', '\r', '\n', '1', ' ', '(', ')', '.', 'a'),
  });
  fc.assert(
    fc.property(fc.oneof(near, fc.string({ unit: 'binary' })), (text) => {
      const written = guardFormula(text);
      assert.equal(unguardFormula(written), text);
      assert.doesNotMatch(written, /(?:^|[;\n])[\t\r]|(?:^|[;\t\r\n])[=@]/);
      for (const cell of written.split(/[;\t\r\n]/).filter((part) => /^[+-]/.test(part)))
        assert.match(cell.slice(1), /^[\d ().-]*$/);
    }),
    { numRuns: 5_000 },
  );
});
