import * as applications from './application-operations.ts';
import * as audit from './audit-operations.ts';
import {
  listFailedCalls,
  queryApplicationCalls,
  queryCallHistory,
  queryFailedCall,
  queryHealth,
} from './call-operations.ts';
import * as deployment from './deployment-operations.ts';
import * as operators from './operator-operations.ts';
import * as session from './session-operations.ts';
import * as stores from './store-operations.ts';
import * as users from './user-operations.ts';

const calls = { queryCallHistory, queryHealth, queryApplicationCalls, listFailedCalls, queryFailedCall };

/** The console's own operations. The signed ones join them for each tenant; see `directory-operations.ts`. */
export const consoleOperations = {
  ...session,
  ...operators,
  ...applications,
  ...calls,
  ...audit,
  ...stores,
  ...users,
  ...deployment,
} as const;

export type ConsoleOperations = typeof consoleOperations;

export type ConsoleOperationKey = keyof ConsoleOperations;
