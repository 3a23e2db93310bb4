import type { Org } from '../../api/directory-lists.ts';

/** Returns the ids of an organization and of all that are below it. */
export function idsWithin(orgs: readonly Org[], top: Org): ReadonlySet<string> {
  const children = Map.groupBy(orgs, ({ parent_id }) => String(parent_id));
  const within = new Set<string>();
  const open = [String(top.id)];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (within.has(id)) continue;
    within.add(id);
    for (const child of children.get(id) ?? []) open.push(String(child.id));
  }
  return within;
}
