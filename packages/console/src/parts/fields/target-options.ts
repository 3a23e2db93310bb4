import type { Org, Role } from '../../api/directory-lists.ts';
import { orgPaths } from '../values/org-paths.ts';
import type { LoadedOption } from './loaded-select.tsx';

/** Returns an option for each role. */
export function roleOptions(roles: readonly Pick<Role, 'id' | 'name'>[] = []): LoadedOption[] {
  return roles.map(({ id, name }) => ({ value: String(id), label: name }));
}

/** Returns an option for each organization, labelled with its path. */
export function orgOptions(orgs: readonly Pick<Org, 'id' | 'name' | 'parent_id'>[] = []): LoadedOption[] {
  return [...orgPaths(orgs)].map(([value, label]) => ({ value, label }));
}
