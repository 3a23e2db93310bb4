import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCsv } from './write-csv.ts';

test('a cell that another reader would end early is quoted', () => {
  const row = ['plain', 'a,b', 'x;=1+1', 'two\rlines', 'a "b"'];
  assert.equal(writeCsv([row]), 'plain,"a,b","x;=1+1","two\rlines","a ""b"""\n');
});
