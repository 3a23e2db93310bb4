import type { OperatorRecord, OperatorRole } from '../../database/database.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { SecondFactorRule } from '../../settings/settings.ts';
import { type Demand, includesRole } from '../require-access.ts';

/** The least role that each rule binds. */
const leastRoles: Readonly<Record<SecondFactorRule, OperatorRole | undefined>> = {
  optional: undefined,
  owners: 'owner',
  managers: 'manager',
  everyone: 'viewer',
};

/** Returns whether the rule binds an operator, with or without a second factor. */
export function isBound({ role }: Pick<OperatorRecord, 'role'>, rule: SecondFactorRule): boolean {
  const least = leastRoles[rule];
  return least !== undefined && includesRole(role, least);
}

/** Returns whether an operator must set up a second factor before anything else. */
export function lacksSecondFactor(operator: OperatorRecord, rule: SecondFactorRule): boolean {
  return operator.totpSealed === undefined && isBound(operator, rule);
}

/**
 * Restricts an operator who lacks a mandatory second factor to operations on their own account, where they can set it up.
 *
 * @throws {ApiError} 1621
 */
export function requireSecondFactor(
  { name, reach }: Demand,
  operator: OperatorRecord,
  rule: SecondFactorRule,
): void {
  if (reach === 'self' || !lacksSecondFactor(operator, rule)) return;
  throw new ApiError(
    1621,
    `${name} needs a second factor on this server; set up your second factor first, in the console`,
  );
}
