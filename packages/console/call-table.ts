import { type Operation, operations } from '@fieldroster/contract';
import {
  type ConsoleOperation,
  consoleOperations,
  directoryOperationKeys,
  tenantPath,
} from '@fieldroster/contract/console';

/** The parts of an operation that the page needs to call it. */
export interface CallEntry {
  readonly method: string;
  /** Path below `/console/api`; `:tenant` stands for the tenant's id. */
  readonly path: string;
  /** Names of the query parameters; everything else goes into the body. */
  readonly query: readonly string[];
  readonly hasBody: boolean;
  readonly answeredOnce?: true;
}

/** Every call of the page, by the operation's key. */
export const callTable: Readonly<Record<string, CallEntry>> = {
  ...Object.fromEntries(directoryOperationKeys.map((key) => [key, entryOf(operations[key], tenantPath)])),
  ...Object.fromEntries(
    Object.entries<ConsoleOperation>(consoleOperations).map(([key, operation]) => [
      key,
      { ...entryOf(operation, ''), ...(operation.answeredOnce && { answeredOnce: true }) },
    ]),
  ),
};

function entryOf({ method, path, query, body }: Operation | ConsoleOperation, prefix: string): CallEntry {
  return {
    method,
    path: prefix + path,
    query: Object.keys(query?.properties ?? {}),
    hasBody: body !== undefined,
  };
}
