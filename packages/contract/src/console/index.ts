export { batchUsersOfConsole, type OutcomeOfConsole } from './batch-users-of-console.ts';
export { type HistoryRange, historyRanges } from './call-operations.ts';
export { type ConsoleErrorCode, consoleErrorCodes } from './console-error-codes.ts';
export { consoleLimits } from './console-limits.ts';
export type {
  ConsoleData,
  ConsoleInput,
  ConsoleOperation,
  ConsoleReach,
  OperatorRole,
} from './console-operation.ts';
export { operatorRoles } from './console-operation.ts';
export type { ConsoleOperationKey, ConsoleOperations } from './console-operations.ts';
export { consoleOperations } from './console-operations.ts';
export type { DirectoryOperationKey } from './directory-operations.ts';
export { directoryOperationKeys, roleOf, tenantPath } from './directory-operations.ts';
export type {
  AdviceValues,
  FindingValues,
  LockAdviceValues,
  LockValues,
  SaidAdvice,
  SaidFinding,
  Sentences,
  UnmadeCheck,
} from './findings.ts';
