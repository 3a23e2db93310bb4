import type { AuditListRequest, DirectoryLists, UserFilters, UserListRequest } from '../../database.ts';
import { KyselyDirectoryLists } from '../../queries/lists/directory-lists.ts';
import type { Replica } from './replica.ts';

/** One tenant's lists, read from a replica that is not behind. */
export class ReplicaLists implements DirectoryLists {
  readonly #replica: Replica;
  readonly #tenantId: bigint;

  constructor(replica: Replica, tenantId: bigint) {
    this.#replica = replica;
    this.#tenantId = tenantId;
  }

  listUsers(request: UserListRequest) {
    return this.#read((lists) => lists.listUsers(request));
  }

  countListed(filters: UserFilters) {
    return this.#read((lists) => lists.countListed(filters));
  }

  countStoresOf(userIds: readonly bigint[], most: number) {
    return this.#read((lists) => lists.countStoresOf(userIds, most));
  }

  countUsers(after: bigint) {
    return this.#read((lists) => lists.countUsers(after));
  }

  countStores(after: string) {
    return this.#read((lists) => lists.countStores(after));
  }

  listAuditEvents(request: AuditListRequest) {
    return this.#read((lists) => lists.listAuditEvents(request));
  }

  listDeletions(userIds: readonly bigint[]) {
    return this.#read((lists) => lists.listDeletions(userIds));
  }

  nameUsers(ids: readonly bigint[]) {
    return this.#read((lists) => lists.nameUsers(ids));
  }

  #read<T>(work: (lists: DirectoryLists) => Promise<T>): Promise<T> {
    return this.#replica.read((session) => work(new KyselyDirectoryLists(session, this.#tenantId)));
  }
}
