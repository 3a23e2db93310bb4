import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Opens the database of a seeded directory like the server: as durable, and with foreign keys.
 *
 * @param mapped whether to map the file into memory, as the server does while nobody else writes
 */
export function openDirectoryFile(folder: string, mapped = false): DatabaseSync {
  const db = new DatabaseSync(join(folder, 'fieldroster.db'), { enableForeignKeyConstraints: true });
  db.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32768; pragma wal_autocheckpoint = 8000',
  );
  if (mapped) db.exec('pragma mmap_size = 2147483647');
  return db;
}

export function inTransaction(db: DatabaseSync, work: () => void): void {
  db.exec('begin immediate');
  work();
  db.exec('commit');
}

/** Selects what the answer to a query of a user shows, in the order that `toUser` expects. */
export const selectUser = `select "user".id, username, real_name, nickname, gender, email, phone, department, avatar, unique_code,
    role.id, role.name, system_id, position, description, org.id, org.name, parent_id
  from "user"
  left join user_role on user_role.tenant_id = "user".tenant_id and user_role.user_id = "user".id
  left join role on role.tenant_id = user_role.tenant_id and role.id = user_role.role_id
  left join user_org on user_org.tenant_id = "user".tenant_id and user_org.user_id = "user".id
  left join org on org.tenant_id = user_org.tenant_id and org.id = user_org.org_id
  where "user".tenant_id = 1`;

/** A column by which a query names a user. */
export type UserKey = 'id' | 'username';

export function userReader(db: DatabaseSync) {
  const statements = {
    id: db.prepare(`${selectUser} and "user".id = ?`),
    username: db.prepare(`${selectUser} and username = ?`),
  };
  for (const statement of Object.values(statements)) statement.setReturnArrays(true);
  return (key: UserKey, value: string) => {
    const row = statements[key].get(key === 'id' ? Number(value) : value) as unknown as unknown[] | undefined;
    if (row === undefined) throw new Error(`user ${value} was not found`);
    return toUser(row);
  };
}

/** Names the fields of a row, which takes less time than the driver's own objects. */
export function toUser(row: readonly unknown[]) {
  return {
    id: row[0],
    username: row[1],
    real_name: row[2],
    nickname: row[3],
    gender: row[4],
    email: row[5],
    phone: row[6],
    department: row[7],
    avatar: row[8],
    unique_code: row[9],
    roles: [{ id: row[10], name: row[11], system_id: row[12], order: row[13], description: row[14] }],
    orgs: [{ id: row[15], name: row[16], parent_id: row[17] }],
  };
}

/** Counts a change of a user. */
export function touchUser(db: DatabaseSync) {
  return db.prepare(
    'update user set without_store = 0, revision = revision + 1, updated_at = ? where tenant_id = 1 and id = ?',
  );
}

export function auditAs(db: DatabaseSync, operation: string) {
  return db.prepare(`insert into audit_event (tenant_id, at, app_id, request_id, operation, user_id, changes)
    values (1, ?, 'bench', ?, '${operation}', ?, ?)`);
}

/** Looks up the user and the store of a binding, because either may be unknown. */
export function bindingChecker(db: DatabaseSync) {
  const findUser =
    db.prepare(`select username, status, revision, real_name, nickname, gender, email, phone, department,
      avatar, unique_code, ext_info
    from user where tenant_id = 1 and id = ?`);
  const findStore = db.prepare('select code from store where tenant_id = 1 and code = ?');
  for (const statement of [findUser, findStore]) statement.setReturnArrays(true);
  return (userId: number, code: string): void => {
    if (findUser.get(userId) === undefined || findStore.get(code) === undefined)
      throw new Error(`user ${userId} or store ${code} was not found`);
  };
}

/** Writes the rows of a binding: a claim, the binding, a change of the user, and an audit row. */
export function binder(db: DatabaseSync) {
  const claim = db.prepare(
    'insert into accepted_write (expires_at_seconds, signature, request_id) values (?, ?, ?)',
  );
  const bind = db.prepare(
    'insert into user_store (tenant_id, user_id, store_code) values (1, ?, ?) on conflict do nothing',
  );
  const [touch, audit] = [touchUser(db), auditAs(db, 'bind-user-store')];
  return (userId: number, code: string): void => {
    const now = Date.now();
    const requestId = randomBytes(8).toString('hex');
    claim.run(Math.floor(now / 1000) + 120, randomBytes(32), requestId);
    if (bind.run(userId, code).changes > 0) touch.run(now, userId);
    audit.run(now, requestId, userId, JSON.stringify({ stores: { added: [code] } }));
  };
}
