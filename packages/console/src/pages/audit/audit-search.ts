/** The filters of the audit trail, as they are in the address. */
export interface AuditSearch {
  readonly operation?: string;
  readonly user?: string;
  readonly app?: string;
}

/** Reads the filters from an address, and leaves out what is none. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { operation, user, app } = search;
  return {
    ...(typeof operation === 'string' && operation !== '' && { operation }),
    ...(/^\d+$/.test(String(user ?? '')) && { user: String(user) }),
    ...(typeof app === 'string' && app !== '' && { app }),
  };
}
