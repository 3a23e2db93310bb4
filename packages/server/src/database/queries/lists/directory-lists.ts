import type {
  AuditEntry,
  AuditListRequest,
  AuditPage,
  BoundedCount,
  DirectoryLists,
  ListedUser,
  Page,
  StoreRangeCounts,
  UserFilters,
  UserListRequest,
  UserName,
  UserRangeCounts,
} from '../../database.ts';
import type { Session } from '../session.ts';
import { countStores, countUsers } from './count-entries.ts';
import { countStoresOf } from './count-stores-of.ts';
import { listAuditEvents, listDeletions } from './list-audit-events.ts';
import { countListed, listUsers } from './list-users.ts';
import { nameUsers } from './name-users.ts';

/** One tenant's lists over a connection. */
export class KyselyDirectoryLists implements DirectoryLists {
  readonly #session: Session;
  readonly #tenantId: bigint;

  constructor(session: Session, tenantId: bigint) {
    this.#session = session;
    this.#tenantId = tenantId;
  }

  listUsers(request: UserListRequest): Promise<Page<ListedUser>> {
    return listUsers(this.#session, this.#tenantId, request);
  }

  countListed(filters: UserFilters): Promise<BoundedCount> {
    return countListed(this.#session, this.#tenantId, filters);
  }

  countStoresOf(userIds: readonly bigint[], most: number): Promise<ReadonlyMap<bigint, number>> {
    return countStoresOf(this.#session, this.#tenantId, userIds, most);
  }

  countUsers(after: bigint): Promise<UserRangeCounts> {
    return countUsers(this.#session, this.#tenantId, after);
  }

  countStores(after: string): Promise<StoreRangeCounts> {
    return countStores(this.#session, this.#tenantId, after);
  }

  listAuditEvents(request: AuditListRequest): Promise<AuditPage> {
    return listAuditEvents(this.#session, this.#tenantId, request);
  }

  listDeletions(userIds: readonly bigint[]): Promise<readonly AuditEntry[]> {
    return listDeletions(this.#session, this.#tenantId, userIds);
  }

  nameUsers(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, UserName>> {
    return nameUsers(this.#session, this.#tenantId, ids);
  }
}
