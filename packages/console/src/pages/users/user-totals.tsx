import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { userCountQuery } from '../../api/count-queries.ts';
import type { Id } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Totals } from '../../parts/totals.tsx';
import { toFilters } from './user-list-filters.ts';
import type { UserSearch } from './user-search.ts';

interface Props {
  readonly tenant: Id;
  readonly search: UserSearch;
  /** How many rows are loaded, and whether more follow. */
  readonly loaded: { readonly count: number; readonly isMore: boolean };
  /** Whether the rows are still those of the search before. */
  readonly isOld: boolean;
  readonly isSlow: boolean;
}

/** How many users match, and how many of all users lack a store. */
export function UserTotals({ tenant, search, loaded, isOld, isSlow }: Props) {
  const { users, palette } = useTexts();
  const isFiltered = Object.keys(search).length > 0;
  // A list that is loaded to its end has been counted.
  const total = useQuery({ ...userCountQuery(tenant, toFilters(search)), enabled: !isOld && loaded.isMore });
  const lacking = useQuery({ ...userCountQuery(tenant, { unbound: 'store' }), enabled: !isFiltered });
  const isCounted = loaded.isMore && total.data !== undefined && total.data.count >= loaded.count;
  const counted = isCounted ? total.data : loaded;
  const { count = 0, isMore = false } = lacking.data ?? {};
  const link = (
    <Link to="/t/$tenant/users" params={{ tenant: String(tenant) }} search={{ missing: 'store' }}>
      {users.withoutStore(count, isMore)}
    </Link>
  );
  if (isSlow) return <Totals>{palette.searching}</Totals>;
  return (
    <Totals {...(!isFiltered && !isOld && count > 0 && { more: link })}>
      {users.counted(counted.count, counted.isMore)}
    </Totals>
  );
}
