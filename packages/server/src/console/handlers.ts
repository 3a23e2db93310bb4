import type { ConsoleOperationKey, ConsoleOperations } from '@fieldroster/contract/console';
import type { ConsoleHandler } from './console-context.ts';
import * as applications from './handlers/applications.ts';
import * as audit from './handlers/audit.ts';
import * as calls from './handlers/calls.ts';
import { changeUsers } from './handlers/change-users.ts';
import { countStores, countUsers } from './handlers/count-entries.ts';
import { examineDeployment, queryDeployment, verifyBackup } from './handlers/deployment.ts';
import * as failedCalls from './handlers/failed-calls.ts';
import { findStores } from './handlers/find-stores.ts';
import { findUsers, queryUserDetails } from './handlers/find-users.ts';
import { queryLink, useLink } from './handlers/links.ts';
import { moveStores } from './handlers/move-stores.ts';
import {
  inviteOperator,
  listOperators,
  resetOperator,
  updateOperator,
  withdrawLink,
} from './handlers/operators.ts';
import * as ownAccount from './handlers/own-account.ts';
import * as session from './handlers/session.ts';
import { createTenant } from './handlers/tenants.ts';

/** The handler of every operation of the console; the compiler reports a missing one. */
export const consoleHandlers: {
  readonly [Key in ConsoleOperationKey]: ConsoleHandler<ConsoleOperations[Key]>;
} = {
  ...session,
  queryLink,
  useLink,
  ...ownAccount,
  listOperators,
  inviteOperator,
  updateOperator,
  resetOperator,
  withdrawLink,
  createTenant,
  ...applications,
  ...calls,
  ...audit,
  ...failedCalls,
  moveStores,
  queryDeployment,
  examineDeployment,
  verifyBackup,
  findStores,
  countStores,
  findUsers,
  countUsers,
  queryUserDetails,
  changeUsers,
};
