import { serveParent } from '../process/parent.ts';
import { batchCodes, batchUsers } from '../scenarios/batch-update-user-stores.ts';
import { countWork } from './count-work.ts';
import { openRaw, transaction } from './open-raw.ts';

/** Arguments: the folder of a seeded directory, and how many stores a batch has. */
const [folder = '', stores = ''] = process.argv.slice(2);
const db = openRaw(folder);
const remove = db.prepare('delete from user_store where tenant_id = 1 and user_id = ?');
const insert = db.prepare('insert into user_store (tenant_id, user_id, store_code) values (1, ?, ?)');
const halves = [batchCodes(0, Number(stores)), batchCodes(1, Number(stores))];
let count = 0;

serveParent(undefined, (seconds) => countWork(seconds, replaceOnce));

function replaceOnce(): void {
  const userId = 1 + (count % batchUsers);
  const codes = halves[Math.floor(count / batchUsers) % 2] ?? [];
  count += 1;
  transaction(db, () => {
    remove.run(userId);
    for (const code of codes) insert.run(userId, code);
  });
}
