import {
  type ConsoleOperation,
  type ConsoleOperationKey,
  consoleOperations,
} from '@fieldroster/contract/console';

const keys = new Map<ConsoleOperation, ConsoleOperationKey>(
  Object.entries(consoleOperations).map(([key, operation]) => [operation, key as ConsoleOperationKey]),
);

/** Returns the key of an operation in the console's table. */
export function keyOf(operation: ConsoleOperation): ConsoleOperationKey {
  const key = keys.get(operation);
  if (key === undefined) throw new TypeError(`${operation.name} is not in the console's table`);
  return key;
}

/** Makes something for each of the console's own operations, by key. */
export function perConsoleOperation<T>(
  make: (operation: ConsoleOperation) => T,
): Record<ConsoleOperationKey, T> {
  const entries = Object.entries(consoleOperations).map(([key, operation]) => [key, make(operation)]);
  return Object.fromEntries(entries) as Record<ConsoleOperationKey, T>;
}
