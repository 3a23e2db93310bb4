import { serveParent } from '../process/parent.ts';
import { givenStores } from '../scenarios/batch-traffic.ts';
import { countWork } from './count-work.ts';
import { openRaw, transaction } from './open-raw.ts';

/** Arguments: the folder of a seeded directory, how many users it has, and how many of them go into a commit. */
const [folder = '', users = '', together = ''] = process.argv.slice(2);
const db = openRaw(folder);
const findUser = db.prepare('select id from user where tenant_id = 1 and username = ?');
const listStores = db.prepare('select store_code from user_store where tenant_id = 1 and user_id = ?');
const unbind = db.prepare('delete from user_store where tenant_id = 1 and user_id = ? and store_code = ?');
const bind = db.prepare('insert into user_store (tenant_id, user_id, store_code) values (1, ?, ?)');
const touch = db.prepare(
  'update user set without_store = 0, revision = revision + 1, updated_at = ? where tenant_id = 1 and id = ?',
);
const audit = db.prepare(
  `insert into audit_event (tenant_id, at, app_id, request_id, operation, user_id, changes)
    values (1, ?, 'bench', 'bench', 'batch-users', ?, ?)`,
);
/** In the middle: a server that was measured on the same directory has given the first ones these stores. */
let sent = Math.floor(Number(users) / 2);

serveParent(undefined, async (seconds) => {
  const { value } = await countWork(seconds, () => transaction(db, saveBatch));
  return { value: value * Number(together) };
});

/** The rows that a batch leaves whose users get other stores than before. */
function saveBatch(): void {
  for (let index = 0; index < Number(together); index += 1) {
    const { username, store_codes: added } = givenStores(sent++, Number(users));
    const { id = 0 } = findUser.get(username) as { id?: number };
    const removed = listStores.all(id).map(({ store_code }) => String(store_code));
    for (const code of removed) unbind.run(id, code);
    for (const code of added) bind.run(id, code);
    const now = Date.now();
    touch.run(now, id);
    audit.run(now, id, JSON.stringify({ stores: { added, removed } }));
  }
}
