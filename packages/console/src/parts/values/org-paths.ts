import type { Org } from '../../api/directory-lists.ts';

type PlacedOrg = Pick<Org, 'id' | 'name' | 'parent_id'>;

const levelsMax = 64;

/** Returns the way from the root to each organization, such as `North region › Harbour team`, by its id. */
export function orgPaths(orgs: readonly PlacedOrg[]): ReadonlyMap<string, string> {
  const byId = new Map(orgs.map((org) => [String(org.id), org]));
  return new Map(orgs.map((org) => [String(org.id), namesUp(org, byId).join(' › ')]));
}

function namesUp(org: PlacedOrg, byId: ReadonlyMap<string, PlacedOrg>): string[] {
  const names: string[] = [];
  let current: PlacedOrg | undefined = org;
  for (let level = 0; current !== undefined && level < levelsMax; level++) {
    names.unshift(current.name);
    current = byId.get(String(current.parent_id));
  }
  // Every organization of a tree has the same root, so the path omits it.
  return names.length > 1 ? names.slice(1) : names;
}
