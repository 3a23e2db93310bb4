import { limits } from '@fieldroster/contract';
import type { ConsoleOperations } from '@fieldroster/contract/console';
import type { ConsoleHandler } from '../console-context.ts';

/** Finds stores for the palette, the list of stores, and the question which of them nobody looks after. */
export const findStores: ConsoleHandler<ConsoleOperations['findStores']> = async (
  { search, unassigned = false, after, limit = limits.pageEntriesDefault },
  { parts, tenantId },
) => {
  const filter = { ...(search !== undefined && { text: search }), isUnassigned: unassigned };
  const { stores, next = '' } = await parts.database.directory(tenantId).stores.search(filter, after, limit);
  return { stores: [...stores], next };
};
