import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCodes, operations } from '@fieldroster/contract';
import {
  codesInOrder,
  operationsInOrder,
  styleOfCode,
  styleOfOperation,
  successStyle,
} from './line-styles.ts';

test('every operation and every code has its own place, which decides how the chart draws it', () => {
  const names = Object.values(operations).map(({ name }) => name);
  assert.deepEqual(operationsInOrder.toSorted(), names.toSorted());
  const failures = Object.keys(errorCodes)
    .map(Number)
    .filter((code) => code !== 0);
  assert.deepEqual(codesInOrder.toSorted(), failures.toSorted());
});

test('operations and codes that are often seen together look different', () => {
  const unlike = (styles: readonly object[]) => new Set(styles.map((style) => JSON.stringify(style))).size;
  assert.equal(unlike(operationsInOrder.slice(0, 18).map(styleOfOperation)), 18);
  assert.equal(unlike(codesInOrder.slice(0, 21).map(styleOfCode)), 21);
});

test('success looks like nothing else, and only failures are in the danger colour', () => {
  assert.deepEqual(styleOfCode(0), successStyle);
  const colors = [...codesInOrder.map(styleOfCode), ...operationsInOrder.map(styleOfOperation)];
  assert(colors.every(({ color }) => color !== successStyle.color));
  assert(operationsInOrder.every((name) => !styleOfOperation(name).color.includes('danger')));
});
