import { setImmediate as nextIteration } from 'node:timers/promises';
import type {
  UserCredentials,
  UserManagementReader,
  UserManagementWriter,
  UserProfile,
  UserState,
  UserStatus,
  UserToSave,
} from '../../database.ts';
import { emptyValue, userFieldList } from '../../user-columns.ts';
import { inSlices } from '../codes-in-slices.ts';
import { toUserToChange } from '../records.ts';
import { type Cell, rowsToJson } from '../rows-json.ts';
import type { Session } from '../session.ts';
import * as unknown from '../targets/unknown-targets.ts';
import * as manyBindings from './bindings-of-many.ts';
import * as bindings from './bindings-of-user.ts';
import { replaceHash, selectCredentials } from './credentials.ts';
import * as many from './many-users.ts';
import { deleteUser, updateStatus } from './one-user.ts';

/** Binding rows per read: some milliseconds of work on an in-process engine. */
const storesAtOnce = 2500;

export class KyselyUserReader implements UserManagementReader {
  protected readonly session: Session;
  protected readonly tenantId: bigint;

  constructor(session: Session, tenantId: bigint) {
    this.session = session;
    this.tenantId = tenantId;
  }

  async readStates(
    usernames: readonly string[],
    withStores?: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, UserState>> {
    const { session, tenantId } = this;
    const listed = { tenantId, usernames: session.engine.encodeTexts(usernames) };
    const users = await many.selectUserStates(session, listed);
    const read = withStores ? users.filter(({ username }) => withStores.has(username)) : users;
    const stores = await this.#storesOf(read.map(({ id }) => id));
    return new Map(
      users.map((row) => [
        row.username,
        {
          user: toUserToChange(row),
          ...(row.role_id !== null && { roleId: row.role_id }),
          ...(row.org_id !== null && { orgId: row.org_id }),
          storeCodes: stores.get(row.id) ?? [],
        },
      ]),
    );
  }

  async countStores(usernames: readonly string[], most: number): Promise<ReadonlyMap<string, number>> {
    const { session, tenantId } = this;
    const listed = { tenantId, usernames: session.engine.encodeTexts(usernames) };
    const rows = await many.countStoresOfUsers(session, { ...listed, limit: BigInt(most) + 1n });
    return new Map(rows.map(({ username, stores }) => [username, Number(stores)]));
  }

  async findCredentials(username: string): Promise<UserCredentials | undefined> {
    const [row] = await selectCredentials(this.session, { tenantId: this.tenantId, username });
    if (row === undefined) return undefined;
    const { id, status, password_hash } = row;
    return { id, status, ...(password_hash !== null && { passwordHash: password_hash }) };
  }

  async listUnknownRoles(ids: readonly bigint[]): Promise<bigint[]> {
    const rows = await unknown.selectUnknownRoleIds(this.session, this.given(ids.map((id) => [id])));
    return rows.map(({ id }) => id);
  }

  async listUnknownOrgs(ids: readonly bigint[]): Promise<bigint[]> {
    const rows = await unknown.selectUnknownOrgIds(this.session, this.given(ids.map((id) => [id])));
    return rows.map(({ id }) => id);
  }

  async listUnknownUsers(ids: readonly bigint[]): Promise<bigint[]> {
    const rows = await unknown.selectUnknownUserIds(this.session, this.given(ids.map((id) => [id])));
    return rows.map(({ id }) => id);
  }

  async listUnknownStores(codes: readonly string[]): Promise<string[]> {
    const { session, tenantId } = this;
    const found = new Set<string>();
    await inSlices(session, codes, async (encoded) => {
      const rows = await unknown.selectUnknownStoreCodes(session, { tenantId, codes: encoded });
      for (const { code } of rows) found.add(code);
    });
    return codes.filter((code) => found.has(code));
  }

  protected given(rows: readonly (readonly Cell[])[]) {
    return { tenantId: this.tenantId, rows: rowsToJson(rows) };
  }

  /** Reads the stores of all users at once, or in several statements for very many stores. */
  async #storesOf(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string[]>> {
    const stores = new Map(ids.map((id) => [id, [] as string[]]));
    for (let left = ids.toSorted(byValue); left.length > 0; ) {
      const limit = BigInt(storesAtOnce);
      const given = this.given(left.map((id) => [id]));
      const rows = await many.selectStoreCodesOfUsers(this.session, { ...given, limit });
      for (const { user_id, code } of rows) stores.get(user_id)?.push(code);
      const last = rows.at(-1);
      if (last === undefined || rows.length < storesAtOnce) break;
      await this.#addRest(stores.get(last.user_id) ?? [], last.user_id);
      left = left.filter((id) => id > last.user_id);
    }
    return stores;
  }

  async #addRest(codes: string[], userId: bigint): Promise<void> {
    const { session, tenantId } = this;
    const limit = BigInt(storesAtOnce);
    for (let count = storesAtOnce; count === storesAtOnce; ) {
      await nextIteration();
      const after = codes.at(-1) ?? '';
      const rows = await bindings.selectStoreCodesOfUser(session, { tenantId, userId, after, limit });
      for (const { code } of rows) codes.push(code);
      count = rows.length;
    }
  }
}

function byValue(one: bigint, other: bigint): number {
  return one < other ? -1 : 1;
}

export class KyselyUserWriter extends KyselyUserReader implements UserManagementWriter {
  readonly #nowMs: bigint;

  constructor(session: Session, tenantId: bigint, nowMs: number) {
    super(session, tenantId);
    this.#nowMs = BigInt(nowMs);
  }

  override async readStates(
    usernames: readonly string[],
    withStores?: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, UserState>> {
    const { session, tenantId } = this;
    await session.engine.planForManyRows(session, ['user', 'user_role', 'user_org', 'user_store']);
    // Lock in a separate statement: one that waited for its lock would show the bindings from before.
    const rows = await many.lockUsersByName(session, {
      tenantId,
      usernames: session.engine.encodeTexts(usernames),
    });
    const locked = new Set(rows.map(({ id }) => id));
    const states = await super.readStates(usernames, withStores);
    // Users that another process has committed between the statements are not locked, so two batches could change the
    // same state. They count as unknown: inserting them fails, and the next attempt locks them.
    return new Map([...states].filter(([, { user }]) => locked.has(user.id)));
  }

  async saveUsers(users: readonly UserToSave[]): Promise<ReadonlyMap<string, bigint>> {
    if (users.length === 0) return new Map();
    const ids = await this.#insert(users.filter(({ existing }) => existing === undefined));
    for (const { existing } of users) if (existing !== undefined) ids.set(existing.username, existing.id);
    await this.#bind(
      users.filter(({ username }) => ids.has(username)),
      ids,
    );
    await this.#update(users);
    return ids;
  }

  async deleteUser(id: bigint): Promise<void> {
    const key = { tenantId: this.tenantId, userId: id };
    await bindings.deleteRoleOfUser(this.session, key);
    await bindings.deleteOrgOfUser(this.session, key);
    await bindings.deleteStoresOfUser(this.session, key);
    await deleteUser(this.session, { tenantId: this.tenantId, id });
  }

  async setUserStatus(id: bigint, status: UserStatus): Promise<void> {
    const { session, tenantId } = this;
    await updateStatus(session, { tenantId, id, status, nowMs: this.#nowMs });
  }

  async replacePasswordHash(id: bigint, from: string, to: string): Promise<boolean> {
    const { session, tenantId } = this;
    return (await replaceHash(session, { tenantId, id, from, to })).length > 0;
  }

  /** Returns the ids of the users whose names were free. */
  async #insert(users: readonly UserToSave[]): Promise<Map<string, bigint>> {
    if (users.length === 0) return new Map();
    const { engine } = this.session;
    const ids = await engine.takeUserIds(this.session, users.length);
    const rows = users.map((user, index) => [...savedRow(user, ids[index] as bigint), ...withoutCells(user)]);
    const made = await many.insertUsers(this.session, { ...this.given(rows), nowMs: this.#nowMs });
    return new Map(made.map(({ username, id }) => [username, id]));
  }

  /** Must run after the bindings are written. */
  async #update(users: readonly UserToSave[]): Promise<void> {
    const { session, tenantId } = this;
    const now = { nowMs: this.#nowMs };
    const changed: Cell[][] = [];
    const touched: Cell[][] = [];
    for (const user of users) {
      if (user.existing === undefined) continue;
      const { id } = user.existing;
      if (Object.keys(user.fields).length > 0) changed.push([tenantId, ...savedRow(user, id)]);
      else touched.push([tenantId, id]);
    }
    await many.updateUsers(session, now, changed);
    await many.touchUsers(session, now, touched);
  }

  async #bind(users: readonly UserToSave[], ids: ReadonlyMap<string, bigint>): Promise<void> {
    const rowsOf = (values: (user: UserToSave) => readonly Cell[]) =>
      users.flatMap((user) => values(user).map((value) => [ids.get(user.username) as bigint, value]));
    const roles = rowsOf(({ roleId }) => (roleId === undefined ? [] : [roleId]));
    const orgs = rowsOf(({ orgId }) => (orgId === undefined ? [] : [orgId]));
    const removed = rowsOf(({ storesRemoved }) => storesRemoved);
    const added = rowsOf(({ storesAdded }) => storesAdded);
    if (roles.length > 0) await manyBindings.upsertUserRoles(this.session, this.given(roles));
    if (orgs.length > 0) await manyBindings.upsertUserOrgs(this.session, this.given(orgs));
    const { session, tenantId } = this;
    await manyBindings.deleteStoresOfUsers(session, { tenantId }, removed);
    await manyBindings.insertStoresOfUsers(session, { tenantId }, added);
  }
}

/** Returns the cells of a new user: 1 for each kind that it will not be bound to, else 0. */
function withoutCells({ roleId, orgId, storesAdded }: UserToSave): Cell[] {
  return [roleId === undefined, orgId === undefined, storesAdded.length === 0].map(Number);
}

/** Returns the cells in the order of `savedColumns`. */
function savedRow({ username, existing, fields }: UserToSave, id: bigint): Cell[] {
  const now: Partial<UserProfile> = { ...existing, ...fields };
  const profile = userFieldList.map((field) => now[field.property] ?? emptyValue(field));
  return [id, username, fields.passwordHash ?? null, ...profile];
}
