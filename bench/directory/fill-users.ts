import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { orgOf, profile, roleOf, storeCode, storeOf } from './seeded-user.ts';

const usersPerTransaction = 100_000;

/** Time between the creation of two users. */
const createdEveryMs = 10;

/**
 * Inserts users with ids from 1 on into a directory without users. Raw SQL takes minutes for ten million; the server's
 * database interface would take hours.
 */
export function fillUsers(folder: string, tenantId: bigint, users: number): void {
  const db = new DatabaseSync(join(folder, 'fieldroster.db'), { enableForeignKeyConstraints: false });
  // Safe without synchronous writes: after an interrupted run nobody uses the folder.
  db.exec('pragma synchronous = off; pragma cache_size = -262144');
  const search = searchIndex(db);
  const insert = insertions(db, tenantId, users);
  for (let first = 1; first <= users; first += usersPerTransaction) {
    const last = Math.min(users, first + usersPerTransaction - 1);
    db.exec('begin');
    for (let id = first; id <= last; id += 1) insert(id);
    search.add(first, last);
    db.exec('commit');
  }
  db.prepare("update counter set value = ? where name = 'user_id'").run(users);
  search.restoreTrigger();
  db.close();
}

function insertions(db: DatabaseSync, tenantId: bigint, users: number): (id: number) => void {
  const user =
    db.prepare(`insert into user (tenant_id, id, username, real_name, nickname, gender, email, phone,
    department, avatar, unique_code, ext_info, password_hash, status, revision, created_at, updated_at,
    without_role, without_org, without_store)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', null, 'active', 1, ?, ?, 0, 0, ?)`);
  const role = db.prepare('insert into user_role (tenant_id, user_id, role_id) values (?, ?, ?)');
  const org = db.prepare('insert into user_org (tenant_id, user_id, org_id) values (?, ?, ?)');
  const store = db.prepare('insert into user_store (tenant_id, user_id, store_code) values (?, ?, ?)');
  const endedAt = Date.now();
  return (id) => {
    const at = endedAt - createdEveryMs * (users - id);
    const number = storeOf(id, users);
    user.run(tenantId, id, ...Object.values(profile(id)), at, at, number === undefined ? 1 : 0);
    role.run(tenantId, id, roleOf(id));
    org.run(tenantId, id, orgOf(id));
    if (number !== undefined) store.run(tenantId, id, storeCode(number));
  };
}

const triggerName = 'user_search_insert';
const triggerBody = /begin\s+(insert into user_search \(rowid, text\))\s+values \((.*)\);\s*end$/is;

/**
 * Replaces the table's trigger by one statement for many rows. The trigger would make the index flush its buffer for
 * every row, which is most of the work.
 */
function searchIndex(db: DatabaseSync) {
  const row = db.prepare('select sql from sqlite_master where name = ?').get(triggerName);
  const trigger = String(row?.sql);
  const [, into, values] = triggerBody.exec(trigger) ?? [];
  if (values === undefined)
    throw new Error(`the trigger ${triggerName} has changed; adapt fill-users.ts to it`);
  db.exec(`drop trigger ${triggerName}`);
  const add = db.prepare(`${into} select ${values} from user as new where id between ? and ?`);
  return {
    add: (first: number, last: number) => void add.run(first, last),
    restoreTrigger: () => db.exec(trigger),
  };
}
