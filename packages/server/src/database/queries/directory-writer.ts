import { TimeSlice } from '../../slices/time-slice.ts';
import { without } from '../../slices/without.ts';
import type {
  BindingTarget,
  DirectoryWriter,
  ReplaceableBinding,
  StoreBinding,
  StoreBindingDifference,
  UserChanges,
  UserKey,
  UserManagementWriter,
  UserToChange,
} from '../database.ts';
import { codesAtOnce, inSlices } from './codes-in-slices.ts';
import { runUnanswered } from './compile-once.ts';
import { KyselyDirectoryReader } from './directory-reader.ts';
import { toNewUserColumns, toUserColumns, toUserToChange } from './records.ts';
import type { Session } from './session.ts';
import { orgWriter } from './targets/orgs.ts';
import { roleWriter } from './targets/roles.ts';
import { storeWriter } from './targets/stores.ts';
import * as bindings from './users/bindings-of-user.ts';
import * as users from './users/one-user.ts';
import { KyselyUserWriter } from './users/users.ts';

/** The tenant's directory inside a transaction, with write access. */
export class KyselyDirectoryWriter extends KyselyDirectoryReader implements DirectoryWriter {
  readonly nowMs: number;

  constructor(session: Session, tenantId: bigint, nowMs: number) {
    super(session, tenantId);
    this.nowMs = nowMs;
  }

  override get roles() {
    return roleWriter(this);
  }

  override get orgs() {
    return orgWriter(this);
  }

  override get stores() {
    return storeWriter(this);
  }

  override get users(): UserManagementWriter {
    return new KyselyUserWriter(this.session, this.tenantId, this.nowMs);
  }

  async lockUser(key: UserKey): Promise<UserToChange | undefined> {
    const { session, tenantId } = this;
    const [row] =
      'id' in key
        ? await users.lockUserById(session, { tenantId, id: key.id })
        : await users.lockUserByUsername(session, { tenantId, username: key.username });
    return row && toUserToChange(row);
  }

  async insertUser(username: string, fields: UserChanges): Promise<bigint | undefined> {
    const id = await this.session.engine.takeUserId(this.session);
    const [row] = await users.insertUser(this.session, {
      tenant_id: this.tenantId,
      id,
      username,
      ...toNewUserColumns(fields),
      created_at: BigInt(this.nowMs),
      updated_at: BigInt(this.nowMs),
    });
    return row?.id;
  }

  async updateUser(id: bigint, changes: UserChanges): Promise<void> {
    const query = this.session.db
      .updateTable('user')
      .set((eb) => ({
        ...toUserColumns(changes),
        revision: eb('revision', '+', 1n),
        updated_at: BigInt(this.nowMs),
      }))
      .where('tenant_id', '=', this.tenantId)
      .where('id', '=', id);
    await runUnanswered(this.session, query);
  }

  async readRoleBinding(userId: bigint, roleId: bigint): Promise<ReplaceableBinding> {
    const { session, tenantId } = this;
    return toReplaceable(await bindings.selectRoleBinding(session, { tenantId, userId, targetId: roleId }));
  }

  async replaceUserRole(userId: bigint, roleId: bigint): Promise<void> {
    await bindings.upsertUserRole(this.session, { tenantId: this.tenantId, userId, targetId: roleId });
    await this.#touch(userId, 'role');
  }

  async deleteUserRole(userId: bigint): Promise<void> {
    await bindings.deleteRoleOfUser(this.session, { tenantId: this.tenantId, userId });
    await this.#touch(userId, 'role');
  }

  async readOrgBinding(userId: bigint, orgId: bigint): Promise<ReplaceableBinding> {
    const { session, tenantId } = this;
    return toReplaceable(await bindings.selectOrgBinding(session, { tenantId, userId, targetId: orgId }));
  }

  async replaceUserOrg(userId: bigint, orgId: bigint): Promise<void> {
    await bindings.upsertUserOrg(this.session, { tenantId: this.tenantId, userId, targetId: orgId });
    await this.#touch(userId, 'org');
  }

  async deleteUserOrg(userId: bigint): Promise<void> {
    await bindings.deleteOrgOfUser(this.session, { tenantId: this.tenantId, userId });
    await this.#touch(userId, 'org');
  }

  async readStoreBinding(userId: bigint, storeCode: string): Promise<StoreBinding> {
    const values = { tenantId: this.tenantId, userId, storeCode };
    const [row] = await bindings.selectStoreBinding(this.session, values);
    const { found = null, bound = null, last_allowed = null } = row ?? {};
    return { exists: found !== null, bound: bound !== null, isFull: last_allowed !== null };
  }

  async insertUserStore(userId: bigint, storeCode: string): Promise<void> {
    await bindings.insertUserStore(this.session, { tenantId: this.tenantId, userId, storeCode });
    await this.#touch(userId, 'store');
  }

  async deleteUserStore(userId: bigint, storeCode: string): Promise<void> {
    await bindings.deleteUserStore(this.session, { tenantId: this.tenantId, userId, storeCode });
    await this.#touch(userId, 'store');
  }

  async replaceUserStores(userId: bigint, codes: readonly string[]): Promise<StoreBindingDifference> {
    const { session, tenantId } = this;
    const before = await this.#storeCodesOf(userId);
    const timeSlice = new TimeSlice();
    const removed = await without(before, codes, timeSlice);
    const added = await without(new Set(codes), before, timeSlice);
    await inSlices(session, removed, (codes) =>
      bindings.deleteUserStores(session, { tenantId, userId, codes }),
    );
    await inSlices(session, added, (codes) =>
      bindings.insertUserStores(session, { tenantId, userId, codes }),
    );
    if (removed.length + added.length > 0) await this.#touch(userId, 'store');
    return { added, removed };
  }

  async #storeCodesOf(userId: bigint): Promise<string[]> {
    const { session, tenantId } = this;
    const codes: string[] = [];
    const limit = BigInt(codesAtOnce);
    const timeSlice = new TimeSlice();
    for (let after = ''; ; ) {
      const rows = await bindings.selectStoreCodesOfUser(session, { tenantId, userId, after, limit });
      for (const { code } of rows) codes.push(code);
      if (rows.length < codesAtOnce) return codes;
      after = rows.at(-1)?.code ?? '';
      if (timeSlice.isOver()) await timeSlice.next();
    }
  }

  async #touch(userId: bigint, target: BindingTarget): Promise<void> {
    const { tenantId, nowMs } = this;
    await users.touchUser[target](this.session, { tenantId, id: userId, nowMs: BigInt(nowMs) });
  }
}

interface ReplaceableRow {
  readonly found: bigint | null;
  readonly current: bigint | null;
}

function toReplaceable([row]: readonly ReplaceableRow[]): ReplaceableBinding {
  const { found = null, current = null } = row ?? {};
  return { exists: found !== null, ...(current !== null && { current }) };
}
