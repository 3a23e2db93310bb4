import { randomBytes } from 'node:crypto';
import { seeded, storeCode } from '../directory/seeded-user.ts';
import { serveParent } from '../process/parent.ts';
import { randomNumbers } from '../scenarios/random.ts';
import { countWork } from './count-work.ts';
import { openRaw, transaction } from './open-raw.ts';

/** Arguments: the folder of a seeded directory, how many users it has, and how many bindings share a commit. */
const [folder = '', users = '', together = ''] = process.argv.slice(2);
const db = openRaw(folder);
const claim = db.prepare(
  'insert into accepted_write (expires_at_seconds, signature, request_id) values (?, ?, ?)',
);
const bind = db.prepare(
  'insert into user_store (tenant_id, user_id, store_code) values (1, ?, ?) on conflict do nothing',
);
const touch = db.prepare(
  'update user set without_store = 0, revision = revision + 1, updated_at = ? where tenant_id = 1 and id = ?',
);
const audit = db.prepare(
  `insert into audit_event (tenant_id, at, app_id, request_id, operation, user_id, changes)
    values (1, ?, 'bench', ?, 'bind-user-store', ?, ?)`,
);
const random = randomNumbers(2);

serveParent(undefined, async (seconds) => {
  const { value } = await countWork(seconds, () => transaction(db, bindGroup));
  return { value: value * Number(together) };
});

/** The rows that as many requests leave. */
function bindGroup(): void {
  for (let index = 0; index < Number(together); index += 1) {
    const userId = 1 + Math.floor(random() * Number(users));
    const code = storeCode(Math.floor(random() * seeded.stores));
    const now = Date.now();
    const requestId = randomBytes(8).toString('hex');
    claim.run(Math.floor(now / 1000) + 120, randomBytes(32), requestId);
    if (bind.run(userId, code).changes > 0) touch.run(now, userId);
    audit.run(now, requestId, userId, JSON.stringify({ stores: { added: [code] } }));
  }
}
