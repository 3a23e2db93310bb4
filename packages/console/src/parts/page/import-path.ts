import type { Id } from '../../api/wire.ts';

export type ImportedKind = 'users' | 'stores' | 'orgs' | 'roles';

/** Returns the address of the page that imports entries of a kind. */
export function importPath(tenant: Id, of: ImportedKind): string {
  return of === 'users' ? `/t/${tenant}/import` : `/t/${tenant}/import?of=${of}`;
}
