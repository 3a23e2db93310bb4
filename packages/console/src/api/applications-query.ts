import { queryOptions } from '@tanstack/react-query';
import { callConsole, type OwnResult } from './call.ts';
import type { Id } from './wire.ts';

export type Application = OwnResult<'listApplications'>['applications'][number];

/** Every application of a tenant, those that work first. */
export const applicationsQuery = (tenant: Id) =>
  queryOptions({
    queryKey: ['applications', String(tenant)],
    queryFn: async ({ signal }) => {
      const { applications } = await callConsole('listApplications', {}, tenant, { signal });
      return applications.toSorted(
        (a, b) =>
          Number(a.status === 'revoked') - Number(b.status === 'revoked') || a.name.localeCompare(b.name),
      );
    },
  });

/** Returns when any secret of the application was last used, in Unix milliseconds. */
export function lastUsedAt({ secrets }: Application): number | undefined {
  const used = secrets.flatMap(({ last_used_at }) =>
    last_used_at === undefined ? [] : [Number(last_used_at)],
  );
  return used.length === 0 ? undefined : Math.max(...used);
}

/** Returns an option for each application. */
export function applicationOptions(applications: readonly Application[] = []) {
  return applications.map(({ app_id, name }) => ({ value: app_id, label: name }));
}
