import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCsv, writeCsvAsIs } from './write-csv.ts';

test('a cell that another reader would end early is quoted', () => {
  const row = ['plain', 'a,b', 'x;y', 'x\ty', 'two\rlines', 'a "b"'];
  assert.equal(writeCsv([row]), 'plain,"a,b","x;y","x\ty","two\rlines","a ""b"""\n');
});

test('cells that have their guards get no other', () => {
  assert.equal(writeCsvAsIs([["'=1", '=secret']]), `'=1,=secret\n`);
  assert.equal(writeCsv([["'=1", '=1', 'x;=1']]), `''=1,'=1,"x;'=1"\n`);
});
