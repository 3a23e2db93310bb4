/** The filters of the audit trail, as they are in the address. */
export interface AuditSearch {
  readonly operation?: string;
  readonly user?: string;
  readonly store?: string;
  readonly app?: string;
  readonly operator?: string;
  /** First and last day in the reader's zone, such as `2026-01-31`. */
  readonly from?: string;
  readonly until?: string;
  /** What belongs to no tenant; other filters do not apply. */
  readonly of?: 'deployment';
}

/** Reads the filters from an address, and leaves out invalid ones. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const text = (name: string, form: RegExp) => {
    const value = search[name];
    const written = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return form.test(written) ? { [name]: written } : {};
  };
  return {
    ...text('operation', /./),
    ...text('user', /^\d+$/),
    ...text('store', /./),
    ...text('app', /./),
    ...text('operator', /^\d+$/),
    ...text('from', day),
    ...text('until', day),
    ...(search.of === 'deployment' && { of: search.of }),
  };
}

const day = /^\d{4}-\d\d-\d\d$/;
