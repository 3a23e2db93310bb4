import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { userCountQuery } from '../../api/count-queries.ts';
import type { Id } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Totals } from '../../parts/values/totals.tsx';
import { toFilters } from './user-list-filters.ts';
import type { UserSearch } from './user-search.ts';

interface Props {
  readonly tenant: Id;
  readonly search: UserSearch;
  /** How many rows are loaded, and whether more follow. */
  readonly loaded: { readonly count: number; readonly isMore: boolean };
  /** How many match, if somebody had to count them. */
  readonly total: { readonly count: number; readonly isMore: boolean } | undefined;
  /** Whether the rows are still those of the search before. */
  readonly isOld: boolean;
  readonly isSlow: boolean;
}

/** Returns how many users match. A list that is loaded to its end has been counted. */
export function useUserTotal(
  tenant: Id,
  search: UserSearch,
  { isMore, isOld }: { readonly isMore: boolean; readonly isOld: boolean },
) {
  return useQuery({ ...userCountQuery(tenant, toFilters(search)), enabled: !isOld && isMore }).data;
}

/** Shows how many users match, and how many of all users lack a store. */
export function UserTotals({ tenant, search, loaded, total, isOld, isSlow }: Props) {
  const { users, general } = useTexts();
  const isFiltered = Object.keys(search).length > 0;
  const lacking = useQuery({ ...userCountQuery(tenant, { unbound: 'store' }), enabled: !isFiltered });
  const isCounted = loaded.isMore && total !== undefined && total.count >= loaded.count;
  const counted = isCounted ? total : loaded;
  const { count = 0, isMore = false } = lacking.data ?? {};
  const link = (
    <Link to="/t/$tenant/users" params={{ tenant: String(tenant) }} search={{ missing: 'store' }}>
      {users.withoutStore(count, isMore)}
    </Link>
  );
  if (isSlow) return <Totals>{general.searching}</Totals>;
  return (
    <Totals {...(!isFiltered && !isOld && count > 0 && { more: link })}>
      {users.counted(counted.count, counted.isMore)}
    </Totals>
  );
}
