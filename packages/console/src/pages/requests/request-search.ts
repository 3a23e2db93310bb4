import { isCalendarDay } from '@fieldroster/contract/calendar-day';
import type { Days } from '../../parts/fields/time-of-days.ts';

/** The filters of the failed calls, as they are in the address. */
export interface RequestSearch extends Days {
  readonly app?: string;
  readonly operation?: string;
  readonly code?: number;
  readonly request?: string;
}

/** Reads the filters from an address, and leaves out invalid ones. */
export function readRequestSearch(search: Record<string, unknown>): RequestSearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  return {
    ...(text('app') !== '' && { app: text('app') }),
    ...(text('operation') !== '' && { operation: text('operation') }),
    ...(/^\d{1,6}$/.test(text('code')) && { code: Number(text('code')) }),
    ...(text('request') !== '' && { request: text('request') }),
    ...(isCalendarDay(text('from')) && { from: text('from') }),
    ...(isCalendarDay(text('until')) && { until: text('until') }),
  };
}
