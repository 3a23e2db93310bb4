import { type HistoryRange, historyRanges } from '../../api/history-ranges.ts';

/** The part of the address that says what the overview shows. */
export interface OverviewSearch {
  /** The last hour when left out. */
  readonly range?: HistoryRange;
  readonly by?: 'operation';
}

/** Reads what to show from an address, and leaves out what is unknown. */
export function readOverviewSearch({ range, by }: Record<string, unknown>): OverviewSearch {
  const known = historyRanges.find((word) => word === range);
  return {
    ...(known !== undefined && { range: known }),
    ...(by === 'operation' && { by }),
  };
}
