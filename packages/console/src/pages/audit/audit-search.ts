import { isCalendarDay } from '@fieldroster/contract/calendar-day';
import { parseId } from '../../api/wire.ts';
import type { Days } from '../../parts/fields/time-of-days.ts';

/** The filters of the audit trail, as they are in the address. */
export interface AuditSearch extends Days {
  readonly operation?: string;
  readonly user?: string;
  readonly store?: string;
  readonly app?: string;
  readonly operator?: string;
  /** Shows the changes that belong to no tenant; other filters do not apply. */
  readonly of?: 'deployment';
}

/** Reads the filters from an address, and leaves out invalid ones. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const text = (name: string, isValid: (text: string) => boolean) => {
    const value = search[name];
    const written = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return isValid(written) ? { [name]: written } : {};
  };
  return {
    ...text('operation', isGiven),
    ...text('user', isId),
    ...text('store', isGiven),
    ...text('app', isGiven),
    ...text('operator', isId),
    ...text('from', isCalendarDay),
    ...text('until', isCalendarDay),
    ...(search.of === 'deployment' && { of: search.of }),
  };
}

const isGiven = (text: string) => text !== '';

const isId = (text: string) => parseId(text) !== undefined;
