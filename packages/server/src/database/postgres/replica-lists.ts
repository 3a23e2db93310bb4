import type { AuditListRequest, DirectoryLists, UserFilters, UserListRequest } from '../database.ts';
import { KyselyDirectoryLists } from '../queries/lists/directory-lists.ts';
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
    return this.#replica.read((session) =>
      new KyselyDirectoryLists(session, this.#tenantId).listUsers(request),
    );
  }

  countListed(filters: UserFilters) {
    return this.#replica.read((session) =>
      new KyselyDirectoryLists(session, this.#tenantId).countListed(filters),
    );
  }

  countStoresOf(userIds: readonly bigint[], most: number) {
    return this.#replica.read((session) =>
      new KyselyDirectoryLists(session, this.#tenantId).countStoresOf(userIds, most),
    );
  }

  countUsers(after: bigint) {
    return this.#replica.read((session) =>
      new KyselyDirectoryLists(session, this.#tenantId).countUsers(after),
    );
  }

  countStores(after: string) {
    return this.#replica.read((session) =>
      new KyselyDirectoryLists(session, this.#tenantId).countStores(after),
    );
  }

  listAuditEvents(request: AuditListRequest) {
    return this.#replica.read((session) =>
      new KyselyDirectoryLists(session, this.#tenantId).listAuditEvents(request),
    );
  }

  listDeletions(userIds: readonly bigint[]) {
    return this.#replica.read((session) =>
      new KyselyDirectoryLists(session, this.#tenantId).listDeletions(userIds),
    );
  }

  nameUsers(ids: readonly bigint[]) {
    return this.#replica.read((session) => new KyselyDirectoryLists(session, this.#tenantId).nameUsers(ids));
  }
}
