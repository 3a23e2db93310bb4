import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { userCountQuery } from '../../api/count-queries.ts';
import type { Id } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { type Count, ListTotals } from '../../parts/values/list-totals.tsx';
import { toFilters } from './user-list-filters.ts';
import type { UserSearch } from './user-search.ts';

interface Props {
  readonly tenant: Id;
  readonly search: UserSearch;
  /** How many rows are loaded, and whether more follow. */
  readonly loaded: Count;
  /** How many match, if somebody had to count them. */
  readonly total: Count | undefined;
  /** Whether the rows are still those of the previous search. */
  readonly isOld: boolean;
  /** Takes the place of the number. */
  readonly instead: string | undefined;
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
export function UserTotals({ tenant, search, isOld, ...totals }: Props) {
  const { users } = useTexts();
  const isFiltered = Object.keys(search).length > 0;
  const lacking = useQuery({ ...userCountQuery(tenant, { unbound: 'store' }), enabled: !isFiltered });
  return (
    <ListTotals
      {...totals}
      counted={users.counted}
      lacking={isFiltered || isOld ? undefined : lacking.data}
      link={(count, isMore) => (
        <Link to="/t/$tenant/users" params={{ tenant: String(tenant) }} search={{ missing: 'store' }}>
          {users.withoutStore(count, isMore)}
        </Link>
      )}
    />
  );
}
