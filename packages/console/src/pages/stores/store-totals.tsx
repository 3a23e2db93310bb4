import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { storeCountQuery } from '../../api/count-queries.ts';
import type { Id } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Totals } from '../../parts/values/totals.tsx';
import type { StoreSearch } from './store-search.ts';

interface Props {
  readonly tenant: Id;
  readonly search: StoreSearch;
  /** How many rows are loaded, and whether more follow. */
  readonly loaded: { readonly count: number; readonly isMore: boolean };
  /** How many match, if somebody had to count them. */
  readonly total: { readonly count: number; readonly isMore: boolean } | undefined;
  /** Whether the rows are still those of the search before. */
  readonly isOld: boolean;
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
export function StoreTotals({ tenant, search, loaded, total, isOld }: Props) {
  const { stores: texts } = useTexts().targetsPages;
  const isFiltered = Object.keys(search).length > 0;
  const lacking = useQuery({ ...storeCountQuery(tenant, { unassigned: true }), enabled: !isFiltered });
  const isCounted = loaded.isMore && total !== undefined && total.count >= loaded.count;
  const counted = isCounted ? total : loaded;
  const { count = 0, isMore = false } = lacking.data ?? {};
  const link = (
    <Link to="/t/$tenant/stores" params={{ tenant: String(tenant) }} search={{ unassigned: true }}>
      {texts.withoutUser(count, isMore)}
    </Link>
  );
  return (
    <Totals {...(!isFiltered && !isOld && count > 0 && { more: link })}>
      {texts.counted(counted.count, counted.isMore)}
    </Totals>
  );
}
