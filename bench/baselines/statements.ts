import { SeededRandom } from '../../e2e/seeded-random.ts';
import { prepareInserts } from '../directory/seed.ts';
import { seeded, storeCode, username } from '../directory/seeded-user.ts';
import { type Measure, serveParent, timeOnce } from '../process/parent.ts';
import {
  batchCodes,
  givenStores,
  importedStores,
  importedUsers,
  usersOfReplacement,
} from '../scenarios/payloads.ts';
import {
  auditAs,
  binder,
  inTransaction,
  openDirectoryFile,
  touchUser,
  userReader,
} from './directory-rows.ts';

/** Arguments: the kind of work, the folder of a seeded directory, its number of users, and rows or users per commit. */
const [kind = '', folder = '', users = '', perCommit = ''] = process.argv.slice(2);
const [userCount, together] = [Number(users), Number(perCommit)];

const db = openDirectoryFile(folder);

/** The rows of the server's operations, by prepared statements in one transaction, without HTTP. */
const kinds: Readonly<Record<string, () => Measure>> = {
  'read-users': () => repeat(readUsers()),
  'bind-stores': () => repeat(bindStores()),
  'replace-stores': () => repeat(replaceStores()),
  'batch-users': () => repeat(saveBatch()),
  'import-stores': importStores,
  'import-users': importUsers,
};

/** Repeats the work until the time is over. Each call returns how many units it did; the value is units per second. */
function repeat(work: () => number): Measure {
  return (seconds) => {
    const startedAt = performance.now();
    const endsAt = startedAt + seconds * 1000;
    let units = 0;
    while (performance.now() < endsAt) units += work();
    return { value: units / ((performance.now() - startedAt) / 1000) };
  };
}

/** Repeats work in one transaction, as often as the arguments say. */
function commitTogether(work: () => void): number {
  inTransaction(db, () => {
    for (let index = 0; index < together; index += 1) work();
  });
  return together;
}

function readUsers(): () => number {
  const [read, random] = [userReader(db), new SeededRandom(1)];
  let count = 0;
  return () => {
    const id = random.integer(1, userCount);
    if (count++ % 2 === 0) read('id', String(id));
    else read('username', username(id));
    return 1;
  };
}

/** Binds random users to random stores. */
function bindStores(): () => number {
  const [bind, random] = [binder(db), new SeededRandom(2)];
  return () =>
    commitTogether(() => bind(random.integer(1, userCount), storeCode(random.integer(0, seeded.stores - 1))));
}

/** Replaces all stores of one user with the same number of others. */
function replaceStores(): () => number {
  const remove = db.prepare('delete from user_store where tenant_id = 1 and user_id = ?');
  const { store: insert } = prepareInserts(db);
  const halves = [batchCodes(0, together), batchCodes(1, together)];
  let count = 0;
  return () => {
    const userId = 1 + (count % usersOfReplacement);
    const codes = halves[Math.floor(count / usersOfReplacement) % 2] ?? [];
    count += 1;
    inTransaction(db, () => {
      remove.run(userId);
      for (const code of codes) insert.run(userId, code);
    });
    return 1;
  };
}

/** Gives each user of a batch ten other stores. */
function saveBatch(): () => number {
  const findUser = db.prepare('select id from user where tenant_id = 1 and username = ?');
  const listStores = db.prepare('select store_code from user_store where tenant_id = 1 and user_id = ?');
  const unbind = db.prepare('delete from user_store where tenant_id = 1 and user_id = ? and store_code = ?');
  const { store: bind } = prepareInserts(db);
  const [touch, audit] = [touchUser(db), auditAs(db, 'batch-users')];
  // Starts in the middle: a server measured on the same directory gave the first users these stores.
  let sent = Math.floor(userCount / 2);
  const saveOne = () => {
    const { username, store_codes: added } = givenStores(sent++, userCount);
    const { id = 0 } = findUser.get(username) as { id?: number };
    const removed = listStores.all(id).map(({ store_code }) => String(store_code));
    for (const code of removed) unbind.run(id, code);
    for (const code of added) bind.run(id, code);
    const now = Date.now();
    touch.run(now, id);
    audit.run(now, 'bench', id, JSON.stringify({ stores: { added, removed } }));
  };
  return () => commitTogether(saveOne);
}

/** Inserts as many rows as a round of the import. */
function importRows<Row>(rowsOf: (number: number) => readonly Row[], insert: (row: Row) => void): Measure {
  let imports = 0;
  return () => {
    const rows = rowsOf(imports++);
    return timeOnce(rows.length, () => {
      inTransaction(db, () => rows.forEach(insert));
      return rows.length;
    });
  };
}

function importStores(): Measure {
  const insert = db.prepare('insert into store (tenant_id, code, name, address) values (1, ?, ?, ?)');
  return importRows(importedStores, (store) => void insert.run(...store));
}

/** Inserts users with their bindings and audit rows. */
function importUsers(): Measure {
  const { user, role, org, store } = prepareInserts(db);
  const audit = auditAs(db, 'batch-users');
  let id = userCount;
  return importRows(importedUsers, ([username, realName, department, roleId, orgId, code]) => {
    id += 1;
    const now = Date.now();
    user.run(id, username, realName, '', 0, '', '', department, '', '', now, now, 0);
    role.run(id, roleId);
    org.run(id, orgId);
    store.run(id, code);
    audit.run(now, 'bench', id, JSON.stringify({ username: { to: username }, stores: { added: [code] } }));
  });
}

const work = kinds[kind]?.();
if (work === undefined) throw new TypeError(`there is no work named ${kind}`);
serveParent(work);
