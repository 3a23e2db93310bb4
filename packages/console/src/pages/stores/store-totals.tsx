import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { storeCountQuery } from '../../api/count-queries.ts';
import type { Id } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Totals } from '../../parts/totals.tsx';
import type { StoreSearch } from './store-search.ts';

interface Props {
  readonly tenant: Id;
  readonly search: StoreSearch;
  /** How many rows are loaded, and whether more follow. */
  readonly loaded: { readonly count: number; readonly isMore: boolean };
  /** Whether the rows are still those of the search before. */
  readonly isOld: boolean;
}

/** How many stores match, and how many of all stores nobody looks after. */
export function StoreTotals({ tenant, search, loaded, isOld }: Props) {
  const { stores: texts } = useTexts().targetsPages;
  const isFiltered = Object.keys(search).length > 0;
  const total = useQuery({ ...storeCountQuery(tenant, search), enabled: !isOld && loaded.isMore });
  const lacking = useQuery({ ...storeCountQuery(tenant, { unassigned: true }), enabled: !isFiltered });
  const isCounted = loaded.isMore && total.data !== undefined && total.data.count >= loaded.count;
  const counted = isCounted ? total.data : loaded;
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
