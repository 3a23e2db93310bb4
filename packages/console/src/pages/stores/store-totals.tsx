import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { storeCountQuery } from '../../api/count-queries.ts';
import type { Id } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { type Count, ListTotals } from '../../parts/values/list-totals.tsx';
import type { StoreSearch } from './store-search.ts';

interface Props {
  readonly tenant: Id;
  readonly search: StoreSearch;
  /** How many rows are loaded, and whether more follow. */
  readonly loaded: Count;
  /** How many match, if somebody had to count them. */
  readonly total: Count | undefined;
  /** Whether the rows are still those of the previous search. */
  readonly isOld: boolean;
  /** Takes the place of the number. */
  readonly instead: string | undefined;
}

/** Returns how many stores match. A list that is loaded to its end has been counted. */
export function useStoreTotal(
  tenant: Id,
  search: StoreSearch,
  { isMore, isOld }: { readonly isMore: boolean; readonly isOld: boolean },
) {
  return useQuery({ ...storeCountQuery(tenant, search), enabled: !isOld && isMore }).data;
}

/** Shows how many stores match, and how many of all stores nobody looks after. */
export function StoreTotals({ tenant, search, isOld, ...totals }: Props) {
  const { stores } = useTexts().targetsPages;
  const isFiltered = Object.keys(search).length > 0;
  const lacking = useQuery({ ...storeCountQuery(tenant, { unassigned: true }), enabled: !isFiltered });
  return (
    <ListTotals
      {...totals}
      counted={stores.counted}
      lacking={isFiltered || isOld ? undefined : lacking.data}
      link={(count, isMore) => (
        <Link to="/t/$tenant/stores" params={{ tenant: String(tenant) }} search={{ unassigned: true }}>
          {stores.withoutUser(count, isMore)}
        </Link>
      )}
    />
  );
}
