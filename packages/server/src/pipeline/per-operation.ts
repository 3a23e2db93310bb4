import { type Operation, type OperationKey, operations } from '@fieldroster/contract';

/** Makes a value for every operation of the contract, once, at startup. */
export function perOperation<T>(make: (operation: Operation) => T): Readonly<Record<OperationKey, T>> {
  const entries = Object.entries(operations).map(([key, operation]) => [key, make(operation)]);
  return Object.fromEntries(entries) as Record<OperationKey, T>;
}
