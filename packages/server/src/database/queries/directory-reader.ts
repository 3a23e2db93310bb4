import type {
  DirectoryLists,
  DirectoryReader,
  RoleRecord,
  StoreRecord,
  StoresInSlices,
  UserKey,
  UserManagementReader,
  UserWithBindings,
} from '../database.ts';
import { KyselyDirectoryLists } from './lists/directory-lists.ts';
import { toRole, toUserWithBindings } from './records.ts';
import type { Session } from './session.ts';
import { orgReader } from './targets/orgs.ts';
import { roleReader } from './targets/roles.ts';
import { storeReader } from './targets/stores.ts';
import * as bindings from './users/bindings-of-user.ts';
import * as users from './users/one-user.ts';
import * as stores from './users/stores-of-user.ts';
import { KyselyUserReader } from './users/users.ts';

/** Reads that an engine implements differently. */
export interface ReadParts {
  /** Source of the lists, if not the session. */
  readonly lists?: DirectoryLists | undefined;
  readonly lookUps?: users.UserLookUps;
}

/** One tenant's directory over a connection; every statement filters by the tenant. */
export class KyselyDirectoryReader implements DirectoryReader {
  readonly session: Session;
  readonly tenantId: bigint;

  readonly #lists: DirectoryLists | undefined;
  readonly #lookUps: users.UserLookUps;

  constructor(session: Session, tenantId: bigint, { lists, lookUps = users }: ReadParts = {}) {
    this.session = session;
    this.tenantId = tenantId;
    this.#lists = lists;
    this.#lookUps = lookUps;
  }

  get lists(): DirectoryLists {
    return this.#lists ?? new KyselyDirectoryLists(this.session, this.tenantId);
  }

  get users(): UserManagementReader {
    return new KyselyUserReader(this.session, this.tenantId);
  }

  async findUser(key: UserKey): Promise<UserWithBindings | undefined> {
    const { session, tenantId } = this;
    const { findUserById, findUserByUsername } = this.#lookUps;
    const [row] =
      'id' in key
        ? await findUserById(session, { tenantId, id: key.id })
        : await findUserByUsername(session, { tenantId, username: key.username });
    return row && toUserWithBindings(row);
  }

  async userExists(id: bigint): Promise<boolean> {
    return (await users.selectUserId(this.session, { tenantId: this.tenantId, id })).length > 0;
  }

  async findRoleOfUser(userId: bigint): Promise<RoleRecord | undefined> {
    const [row] = await bindings.selectRoleOfUser(this.session, { tenantId: this.tenantId, userId });
    return row && toRole(row);
  }

  listFewStoresOfUser(userId: bigint): Promise<StoreRecord[] | undefined> {
    return stores.listFewStoresOfUser(this.session, { tenantId: this.tenantId, userId });
  }

  openStoresOfUser(userId: bigint): Promise<StoresInSlices> {
    return stores.openStoresOfUser(this.session, { tenantId: this.tenantId, userId });
  }

  get roles() {
    return roleReader(this.session, this.tenantId);
  }

  get orgs() {
    return orgReader(this.session, this.tenantId);
  }

  get stores() {
    return storeReader(this.session, this.tenantId);
  }
}
