import assert from 'node:assert/strict';
import { codesOf, type Operation, operations } from '@fieldroster/contract';

const operationsByRoute = new Map<string, Operation>(
  Object.values(operations).map((operation: Operation) => [
    `${operation.method} ${operation.path}`,
    operation,
  ]),
);

/** Asserts that an operation answers no code that it does not declare, for every request of every test. */
export function requireDeclaredCode(method: string, target: string, code: number): void {
  const operation = operationsByRoute.get(`${method} ${target.split('?')[0]}`);
  if (operation === undefined || code === 0) return;
  const declared: readonly number[] = codesOf(operation);
  assert(declared.includes(code), `${operation.name} answered ${code}, which it does not declare`);
}
