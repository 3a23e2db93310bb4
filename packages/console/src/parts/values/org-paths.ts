import type { Org } from '../../api/directory-lists.ts';

type PlacedOrg = Pick<Org, 'id' | 'name' | 'parent_id'>;

const levelsMax = 64;

/**
 * Returns the way from the root to each organization, such as `North region › Harbour team`, by its id. If all have the
 * same root, their ways leave it out.
 */
export function orgPaths(orgs: readonly PlacedOrg[]): ReadonlyMap<string, string> {
  const byId = new Map(orgs.map((org) => [String(org.id), org]));
  const hasOneRoot = orgs.filter((org) => !byId.has(String(org.parent_id))).length === 1;
  return new Map(
    orgs.map((org) => {
      const names = namesDown(org, byId);
      return [String(org.id), (hasOneRoot && names.length > 1 ? names.slice(1) : names).join(' › ')];
    }),
  );
}

function namesDown(org: PlacedOrg, byId: ReadonlyMap<string, PlacedOrg>): string[] {
  const names: string[] = [];
  let current: PlacedOrg | undefined = org;
  for (let level = 0; current !== undefined && level < levelsMax; level++) {
    names.unshift(current.name);
    current = byId.get(String(current.parent_id));
  }
  return names;
}
