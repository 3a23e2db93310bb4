import type { StoreBindingDifference } from '../database/database.ts';

/** Returns the changes of a user's stores as an audit row has them; empty without a change. */
export function auditedStores({ added, removed }: StoreBindingDifference) {
  if (added.length + removed.length === 0) return {};
  return { stores: { ...(added.length > 0 && { added }), ...(removed.length > 0 && { removed }) } };
}
