import type { ReactNode } from 'react';
import { Totals } from './totals.tsx';

/** How many entries there are, and whether more follow. */
export interface Count {
  readonly count: number;
  readonly isMore: boolean;
}

interface Props {
  readonly loaded: Count;
  /** How many match, if somebody had to count them. */
  readonly total: Count | undefined;
  readonly counted: (count: number, isMore: boolean) => string;
  /** Takes the place of the number: nothing, for example, while there is no answer. */
  readonly instead?: string | undefined;
  /** How many entries lack something; absent beside a part of the list. */
  readonly lacking: Count | undefined;
  /** Leads to the entries that lack something. */
  readonly link: (count: number, isMore: boolean) => ReactNode;
}

/**
 * Says how many entries match, and how many of all entries lack something. Keep it mounted while the list has no row: a
 * screen reader says only what changes in a part that was there before.
 */
export function ListTotals({ loaded, total, counted, instead, lacking, link }: Props) {
  const isCounted = loaded.isMore && total !== undefined && total.count >= loaded.count;
  const { count, isMore } = isCounted ? total : loaded;
  if (instead !== undefined) return <Totals>{instead}</Totals>;
  const hasLacking = lacking !== undefined && lacking.count > 0;
  return (
    <Totals isHidden={count === 0} {...(hasLacking && { more: link(lacking.count, lacking.isMore) })}>
      {counted(count, isMore)}
    </Totals>
  );
}
