// Generated from the contract by scripts/generate.ts; edit the contract instead.

import type { AuditEvents } from './list-audit-events.ts';
import type { Orgs } from './list-orgs.ts';
import type { Roles } from './list-roles.ts';
import type { StoreUsers } from './list-store-users.ts';
import type { Stores } from './list-stores.ts';
import type { Users } from './list-users.ts';

/** The operation behind each method that iterates over a whole list, and the field of its answer with the entries. */
export const lists = {
  users: { key: 'listUsers', items: 'users' },
  auditEvents: { key: 'listAuditEvents', items: 'events' },
  roles: { key: 'listRoles', items: 'roles' },
  orgs: { key: 'listOrgs', items: 'orgs' },
  stores: { key: 'listStores', items: 'stores' },
  storeUsers: { key: 'listStoreUsers', items: 'users' },
} as const;

/** A method for every paged operation, which iterates over all pages. */
export interface ListMethods<Id = bigint>
  extends Users<Id>,
    AuditEvents<Id>,
    Roles<Id>,
    Orgs<Id>,
    Stores<Id>,
    StoreUsers<Id> {}

/** The most entries that a page may have. */
export const pageEntriesMax = 500;
