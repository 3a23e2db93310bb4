import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SeededRandom } from '../../e2e/seeded-random.ts';
import { type Measure, serveParent, timeOnce } from '../process/parent.ts';
import { givenBatch, importedStores, randomBinding, storeSet, usersInTurn } from '../scenarios/payloads.ts';

/** Arguments: the kind of work, the folder of a seeded directory, its number of users, and rows or users per commit. */
const [kind = '', folder = '', users = '', perCommit = ''] = process.argv.slice(2);
const [userCount, together] = [Number(users), Number(perCommit)];

/** As durable as the server's, and with foreign keys. */
const db = new DatabaseSync(join(folder, 'fieldroster.db'), { enableForeignKeyConstraints: true });
db.exec(
  'pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32768; pragma wal_autocheckpoint = 8000',
);

const insertBinding = 'insert into user_store (tenant_id, user_id, store_code) values (1, ?, ?)';

/** The rows of the server's operations, by prepared statements in one transaction, without HTTP. */
const kinds: Readonly<Record<string, () => Measure>> = {
  'bind-stores': () => repeat(bindStores()),
  'replace-stores': () => repeat(replaceStores()),
  'batch-users': () => repeat(saveBatch()),
  'import-stores': importStores,
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

/** Does the work for each item in one transaction, and returns their number. */
function commitTogether<Item>(items: readonly Item[], work: (item: Item) => void): number {
  db.exec('begin immediate');
  for (const item of items) work(item);
  db.exec('commit');
  return items.length;
}

/** Prepares what every change of a user's stores writes besides the bindings: a change of the user, and an audit row. */
function changeRecorder(operation: string) {
  const touch = db.prepare(
    'update user set without_store = 0, revision = revision + 1, updated_at = ? where tenant_id = 1 and id = ?',
  );
  const audit =
    db.prepare(`insert into audit_event (tenant_id, at, app_id, request_id, operation, user_id, changes)
    values (1, ?, 'bench', ?, '${operation}', ?, ?)`);
  return { touch, audit };
}

/** Binds random users to random stores: a claim, the binding, a change of the user, and an audit row. */
function bindStores(): () => number {
  const claim = db.prepare(
    'insert into accepted_write (expires_at_seconds, signature, request_id) values (?, ?, ?)',
  );
  const bind = db.prepare(`${insertBinding} on conflict do nothing`);
  const { touch, audit } = changeRecorder('bind-user-store');
  const random = new SeededRandom(2);
  const bindings = () => Array.from({ length: together }, () => randomBinding(random, userCount));
  return () =>
    commitTogether(bindings(), ({ user_id: userId, store_code: code }) => {
      const now = Date.now();
      const requestId = randomBytes(8).toString('hex');
      claim.run(Math.floor(now / 1000) + 120, randomBytes(32), requestId);
      if (bind.run(userId, code).changes > 0) touch.run(now, userId);
      audit.run(now, requestId, userId, JSON.stringify({ stores: { added: [code] } }));
    });
}

/** Replaces all stores of one user with the same number of others. */
function replaceStores(): () => number {
  const remove = db.prepare('delete from user_store where tenant_id = 1 and user_id = ?');
  const insert = db.prepare(insertBinding);
  const sets = [storeSet(0, together), storeSet(1, together)];
  let count = 0;
  return () => {
    const userId = 1 + (count % usersInTurn);
    const codes = sets[Math.floor(count / usersInTurn) % 2] ?? [];
    count += 1;
    return commitTogether([userId], () => {
      remove.run(userId);
      for (const code of codes) insert.run(userId, code);
    });
  };
}

/** Gives each user of a batch ten other stores. */
function saveBatch(): () => number {
  const findUser = db.prepare('select id from user where tenant_id = 1 and username = ?');
  const listStores = db.prepare('select store_code from user_store where tenant_id = 1 and user_id = ?');
  const unbind = db.prepare('delete from user_store where tenant_id = 1 and user_id = ? and store_code = ?');
  const bind = db.prepare(insertBinding);
  const { touch, audit } = changeRecorder('batch-users');
  let sent = 0;
  return () =>
    commitTogether(givenBatch(sent++, together, userCount), ({ username, store_codes: added }) => {
      const { id = 0 } = findUser.get(username) as { id?: number };
      const removed = listStores.all(id).map(({ store_code }) => String(store_code));
      for (const code of removed) unbind.run(id, code);
      for (const code of added) bind.run(id, code);
      const now = Date.now();
      touch.run(now, id);
      audit.run(now, 'bench', id, JSON.stringify({ stores: { added, removed } }));
    });
}

/** Inserts as many rows as a round of the import. */
function importStores(): Measure {
  const insert = db.prepare('insert into store (tenant_id, code, name, address) values (1, ?, ?, ?)');
  let imports = 0;
  return () => {
    const stores = importedStores(imports++);
    return timeOnce(stores.length, () => commitTogether(stores, (store) => insert.run(...store)));
  };
}

const work = kinds[kind]?.();
if (work === undefined) throw new TypeError(`there is no work named ${kind}`);
serveParent(work);
