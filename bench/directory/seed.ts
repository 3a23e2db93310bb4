import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { orgOf, profile, roleOf, seeded, storeCode, storeOf } from './seeded-user.ts';

/** The code under test, and the size of its directory. */
export interface Subject {
  /** Folder of a checkout: this one, or the one given by `--compare`. */
  readonly root: string;
  readonly users: number;
}

export interface SeededDirectory {
  readonly folder: string;
  readonly appId: string;
  readonly appSecret: string;
  readonly users: number;
  /** URL of its PostgreSQL database; undefined when SQLite holds it in the folder. */
  readonly database?: string;
}

/** Loads the server package of a checkout, which may be another revision. */
export function serverOf(root: string): Promise<typeof import('@fieldroster/server')> {
  return import(pathToFileURL(join(root, 'packages/server/src/index.ts')).href);
}

/** Fills a folder with a directory that is the same every time. Each user has a role and an organization. */
export async function seedDirectory({ root, users }: Subject, folder: string): Promise<SeededDirectory> {
  const { defaultTenantName: tenant, issueApplication, openDirectory } = await serverOf(root);
  const directory = await openDirectory({ data: folder, environment: {} });
  const issued = await issueApplication(directory, { name: 'bench', tenant, scope: 'write' });
  // 149d49c, against which speed is compared, called it a store.
  const { database, store = database } = directory as typeof directory & { readonly store?: typeof database };
  await store.close();
  fillDirectory(folder, users);
  return { ...issued, folder, users };
}

const usersPerTransaction = 100_000;

/** Time between the creation of two users. */
const createdEveryMs = 10;

/**
 * Inserts roles, organizations, stores, and users with ids from 1 on into the first tenant of a new directory. Raw SQL
 * takes minutes for ten million users; the server's database interface would take hours.
 */
function fillDirectory(folder: string, users: number): void {
  using db = new DatabaseSync(join(folder, 'fieldroster.db'), { enableForeignKeyConstraints: false });
  // Safe without synchronous writes: after an interrupted run nobody uses the folder.
  db.exec('pragma synchronous = off; pragma cache_size = -262144');
  insertSurroundings(db);
  insertStores(db, 0, seeded.stores);
  const search = searchIndex(db);
  const insert = insertions(db, users);
  for (let first = 1; first <= users; first += usersPerTransaction) {
    const last = Math.min(users, first + usersPerTransaction - 1);
    db.exec('begin');
    for (let id = first; id <= last; id += 1) insert(id);
    search.add(first, last);
    db.exec('commit');
  }
  db.prepare("update counter set value = ? where name = 'user_id'").run(users);
  search.restoreTrigger();
}

function insertSurroundings(db: DatabaseSync): void {
  const role = db.prepare(`insert into role (tenant_id, id, name, system_id, position, description)
    values (1, ?, ?, 1, ?, 'Looks after stores')`);
  const org = db.prepare('insert into org (tenant_id, id, name, parent_id) values (1, ?, ?, ?)');
  for (let id = 1; id <= seeded.roles; id += 1) role.run(id, `Role ${id}`, id - 1);
  for (let id = 1; id <= seeded.orgs; id += 1) org.run(id, `Region ${id}`, id === 1 ? null : 1);
}

/** Inserts the stores with indexes from the first (included) to the end (excluded). */
export function insertStores(db: DatabaseSync, first: number, end: number): void {
  const store = db.prepare('insert into store (tenant_id, code, name, address) values (1, ?, ?, ?)');
  db.exec('begin');
  for (let index = first; index < end; index += 1) {
    store.run(storeCode(index), `Store ${index}`, `${index} High Street`);
  }
  db.exec('commit');
}

function insertions(db: DatabaseSync, users: number): (id: number) => void {
  const user =
    db.prepare(`insert into user (tenant_id, id, username, real_name, nickname, gender, email, phone,
      department, avatar, unique_code, ext_info, password_hash, status, revision, created_at, updated_at,
      without_role, without_org, without_store)
    values (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', null, 'active', 1, ?, ?, 0, 0, ?)`);
  const role = db.prepare('insert into user_role (tenant_id, user_id, role_id) values (1, ?, ?)');
  const org = db.prepare('insert into user_org (tenant_id, user_id, org_id) values (1, ?, ?)');
  const store = db.prepare('insert into user_store (tenant_id, user_id, store_code) values (1, ?, ?)');
  const endedAt = Date.now();
  return (id) => {
    const at = endedAt - createdEveryMs * (users - id);
    const number = storeOf(id, users);
    user.run(id, ...Object.values(profile(id)), at, at, number === undefined ? 1 : 0);
    role.run(id, roleOf(id));
    org.run(id, orgOf(id));
    if (number !== undefined) store.run(id, storeCode(number));
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
  if (values === undefined) throw new Error(`the trigger ${triggerName} has changed; adapt seed.ts to it`);
  db.exec(`drop trigger ${triggerName}`);
  const add = db.prepare(`${into} select ${values} from user as new where id between ? and ?`);
  return {
    add: (first: number, last: number) => void add.run(first, last),
    restoreTrigger: () => db.exec(trigger),
  };
}
