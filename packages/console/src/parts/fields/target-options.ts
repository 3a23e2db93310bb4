import type { Org, Role } from '../../api/directory-lists.ts';
import { orgPaths } from '../values/org-paths.ts';
import type { LoadedOption } from './loaded-select.tsx';

/** Returns a choice for each role. */
export function roleOptions(roles: readonly Pick<Role, 'id' | 'name'>[] = []): LoadedOption[] {
  return roles.map(({ id, name }) => ({ value: String(id), label: name }));
}

/** Returns a choice for each organization, with the way to it. */
export function orgOptions(orgs: readonly Pick<Org, 'id' | 'name' | 'parent_id'>[] = []): LoadedOption[] {
  return [...orgPaths(orgs)].map(([value, label]) => ({ value, label }));
}
