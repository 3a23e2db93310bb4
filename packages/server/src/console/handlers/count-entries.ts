import type { ConsoleOperations } from '@fieldroster/contract/console';
import type { BoundedCount } from '../../database/database.ts';
import { filtersOf, requireTargets } from '../../operations/user-filters.ts';
import type { ConsoleHandler, TenantContext } from '../console-context.ts';

/**
 * Counts users for the line above their list. A count stops at some thousands. For a larger directory the total is the
 * one that the overview shows, which may be some minutes old.
 */
export const countUsers: ConsoleHandler<ConsoleOperations['countUsers']> = async (input, context) => {
  const { parts, tenantId, refuse } = context;
  const directory = parts.database.directory(tenantId);
  await requireTargets(input, directory, refuse);
  const filters = filtersOf(input);
  const counted = await directory.lists.countListed(filters);
  const isFiltered = Object.keys(filters).length > 0;
  const { count, isMore } = isFiltered ? asTotal(counted) : await completed(counted, 'users', context);
  return { users: count, is_more: isMore };
};

/** Counts stores in the same way. */
export const countStores: ConsoleHandler<ConsoleOperations['countStores']> = async (
  { search, unassigned = false },
  context,
) => {
  const { parts, tenantId } = context;
  const filter = { ...(search !== undefined && { text: search }), isUnassigned: unassigned };
  const counted = await parts.database.directory(tenantId).stores.count(filter);
  const isFiltered = search !== undefined || unassigned;
  const { count, isMore } = isFiltered ? asTotal(counted) : await completed(counted, 'stores', context);
  return { stores: count, is_more: isMore };
};

interface Total {
  readonly count: bigint;
  readonly isMore: boolean;
}

function asTotal({ count, isMore }: BoundedCount): Total {
  return { count: BigInt(count), isMore };
}

/** Replaces a count that stopped early by the last known total, unless that is smaller and so out of date. */
async function completed(
  counted: BoundedCount,
  entries: 'users' | 'stores',
  { parts, tenantId }: Pick<TenantContext, 'parts' | 'tenantId'>,
): Promise<Total> {
  const seen = asTotal(counted);
  if (!seen.isMore) return seen;
  const total = (await parts.counts.read(tenantId))?.[entries] ?? 0n;
  return total > seen.count ? { count: total, isMore: false } : seen;
}
