import { Turns } from '../../turns/turns.ts';
import type {
  DirectoryWriter,
  StoreBindingDifference,
  UserChanges,
  UserKey,
  UserManagementWriter,
  UserRecord,
} from '../database.ts';
import { KyselyDirectoryReader } from './directory-reader.ts';
import { toNewUserColumns, toUser, toUserColumns } from './records.ts';
import type { Session } from './session.ts';
import { orgWriter } from './targets/orgs.ts';
import { roleWriter } from './targets/roles.ts';
import { storeWriter } from './targets/stores.ts';
import * as targets from './targets/unknown-targets.ts';
import type { BindingTarget } from './targets/without-binding.ts';
import * as bindings from './users/bindings-of-user.ts';
import * as users from './users/one-user.ts';
import { KyselyUserWriter } from './users/users.ts';

/** Store codes per statement: some milliseconds of work on an in-process engine. */
const codesAtOnce = 1000;

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

  async lockUser(key: UserKey): Promise<UserRecord | undefined> {
    const { session, tenantId } = this;
    const [row] =
      'id' in key
        ? await users.lockUserById(session, { tenantId, id: key.id })
        : await users.lockUserByUsername(session, { tenantId, username: key.username });
    return row && toUser(row);
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
    await this.session.db
      .updateTable('user')
      .set((eb) => ({
        ...toUserColumns(changes),
        revision: eb('revision', '+', 1n),
        updated_at: BigInt(this.nowMs),
      }))
      .where('tenant_id', '=', this.tenantId)
      .where('id', '=', id)
      .execute();
  }

  async roleExists(id: bigint): Promise<boolean> {
    return (await targets.selectRoleId(this.session, { tenantId: this.tenantId, id })).length > 0;
  }

  async orgExists(id: bigint): Promise<boolean> {
    return (await targets.selectOrgId(this.session, { tenantId: this.tenantId, id })).length > 0;
  }

  async replaceUserRole(userId: bigint, roleId: bigint): Promise<bigint | undefined> {
    const values = { tenantId: this.tenantId, userId, roleId };
    const [before] = await bindings.selectBoundRole(this.session, values);
    if (before?.id === roleId) return roleId;
    await bindings.upsertUserRole(this.session, values);
    await this.#touch(userId, 'role');
    return before?.id;
  }

  async deleteUserRole(userId: bigint, roleId: bigint): Promise<boolean> {
    const values = { tenantId: this.tenantId, userId, roleId };
    return this.#touchIf(userId, 'role', await bindings.deleteUserRole(this.session, values));
  }

  async replaceUserOrg(userId: bigint, orgId: bigint): Promise<bigint | undefined> {
    const values = { tenantId: this.tenantId, userId, orgId };
    const [before] = await bindings.selectBoundOrg(this.session, values);
    if (before?.id === orgId) return orgId;
    await bindings.upsertUserOrg(this.session, values);
    await this.#touch(userId, 'org');
    return before?.id;
  }

  async deleteUserOrg(userId: bigint, orgId: bigint): Promise<boolean> {
    const values = { tenantId: this.tenantId, userId, orgId };
    return this.#touchIf(userId, 'org', await bindings.deleteUserOrg(this.session, values));
  }

  async listUnknownStoreCodes(codes: readonly string[]): Promise<string[]> {
    const { session, tenantId } = this;
    const unknown = new Set<string>();
    await this.#inSlices(codes, async (encoded) => {
      const rows = await targets.selectUnknownStoreCodes(session, { tenantId, codes: encoded });
      for (const { code } of rows) unknown.add(code);
    });
    return codes.filter((code) => unknown.has(code));
  }

  async insertUserStore(userId: bigint, storeCode: string): Promise<boolean> {
    const values = { tenantId: this.tenantId, userId, storeCode };
    return this.#touchIf(userId, 'store', await bindings.insertUserStore(this.session, values));
  }

  async deleteUserStore(userId: bigint, storeCode: string): Promise<boolean> {
    const values = { tenantId: this.tenantId, userId, storeCode };
    return this.#touchIf(userId, 'store', await bindings.deleteUserStore(this.session, values));
  }

  async replaceUserStores(userId: bigint, codes: readonly string[]): Promise<StoreBindingDifference> {
    const { session, tenantId } = this;
    const before = await this.#storeCodesOf(userId);
    const after = new Set(codes);
    const removed = [...before.difference(after)];
    const added = [...after.difference(before)];
    await this.#inSlices(removed, (codes) => bindings.deleteUserStores(session, { tenantId, userId, codes }));
    await this.#inSlices(added, (codes) => bindings.insertUserStores(session, { tenantId, userId, codes }));
    if (removed.length + added.length > 0) await this.#touch(userId, 'store');
    return { added, removed };
  }

  async #storeCodesOf(userId: bigint): Promise<ReadonlySet<string>> {
    const { session, tenantId } = this;
    const codes = new Set<string>();
    const limit = BigInt(codesAtOnce);
    const turns = new Turns();
    for (let after = ''; ; ) {
      const rows = await bindings.selectStoreCodesOfUser(session, { tenantId, userId, after, limit });
      for (const { code } of rows) codes.add(code);
      if (rows.length < codesAtOnce) return codes;
      after = rows.at(-1)?.code ?? '';
      if (turns.isOver()) await turns.next();
    }
  }

  /** Runs a statement for a thousand codes at a time, yielding to the event loop. */
  async #inSlices(codes: readonly string[], run: (encoded: unknown) => Promise<unknown>): Promise<void> {
    const turns = new Turns();
    for (let start = 0; start < codes.length; start += codesAtOnce) {
      await run(this.session.engine.encodeCodes(codes.slice(start, start + codesAtOnce)));
      if (turns.isOver()) await turns.next();
    }
  }

  async #touch(userId: bigint, target: BindingTarget): Promise<void> {
    const { tenantId, nowMs } = this;
    await users.touchUser[target](this.session, { tenantId, id: userId, nowMs: BigInt(nowMs) });
  }

  /** Returns whether rows were changed, and if so marks the user as changed. */
  async #touchIf(userId: bigint, target: BindingTarget, changedRows: readonly unknown[]): Promise<boolean> {
    if (changedRows.length === 0) return false;
    await this.#touch(userId, target);
    return true;
  }
}
