import { username } from '../directory/seeded-user.ts';
import { serveParent } from '../process/parent.ts';
import { randomNumbers } from '../scenarios/random.ts';
import { countCalls } from './count-calls.ts';
import { openRaw } from './open-raw.ts';

/** Arguments: the folder of a seeded directory, and how many users it has. */
const [folder = '', users = ''] = process.argv.slice(2);
const db = openRaw(folder);
const select = `select user.*, role.name as role_name, role.system_id, role.position, role.description,
    org.id as org_id, org.name as org_name, org.parent_id
  from user
  left join user_role on user_role.tenant_id = user.tenant_id and user_role.user_id = user.id
  left join role on role.tenant_id = user_role.tenant_id and role.id = user_role.role_id
  left join user_org on user_org.tenant_id = user.tenant_id and user_org.user_id = user.id
  left join org on org.tenant_id = user_org.tenant_id and org.id = user_org.org_id
  where user.tenant_id = 1`;
const byId = db.prepare(`${select} and user.id = ?`);
const byUsername = db.prepare(`${select} and user.username = ?`);
const random = randomNumbers(1);
let count = 0;

serveParent(undefined, (seconds) => countCalls(seconds, readOne));

function readOne(): void {
  const id = 1 + Math.floor(random() * Number(users));
  count += 1;
  const row = count % 2 === 0 ? byId.get(id) : byUsername.get(username(id));
  if (row === undefined) throw new Error(`user ${id} was not found`);
}
