import { queryOptions } from '@tanstack/react-query';
import { callDirectory, type DirectoryResult } from './call.ts';
import type { Id } from './wire.ts';

export type Role = DirectoryResult<'listRoles'>['roles'][number];
export type Org = DirectoryResult<'listOrgs'>['orgs'][number];

const pageEntries = 500;

/** Every role of a tenant. There are few. */
export const rolesQuery = (tenant: Id) =>
  queryOptions({
    queryKey: ['roles', String(tenant)],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      collect(async (cursor) => {
        const page = await callDirectory('listRoles', tenant, { limit: pageEntries, ...cursor }, { signal });
        return { entries: page.roles, next: page.next_cursor };
      }),
  });

/** Every organization of a tenant. A tree of thousands is still one list. */
export const orgsQuery = (tenant: Id) =>
  queryOptions({
    queryKey: ['orgs', String(tenant)],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      collect(async (cursor) => {
        const page = await callDirectory('listOrgs', tenant, { limit: pageEntries, ...cursor }, { signal });
        return { entries: page.orgs, next: page.next_cursor };
      }),
  });

/** Returns the parameter of a page; the first one has none. */
export function cursorOf(cursor: string): { cursor?: string } {
  return cursor === '' ? {} : { cursor };
}

async function collect<Entry>(
  read: (cursor: { cursor?: string }) => Promise<{ entries: Entry[]; next: string }>,
): Promise<Entry[]> {
  const all: Entry[] = [];
  let cursor = '';
  do {
    const { entries, next } = await read(cursorOf(cursor));
    all.push(...entries);
    cursor = next;
  } while (cursor !== '');
  return all;
}
