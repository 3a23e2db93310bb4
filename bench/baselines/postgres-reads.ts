import pg from 'pg';
import { SeededRandom } from '../../e2e/seeded-random.ts';
import { username } from '../directory/seeded-user.ts';
import { countCalls, serveParent } from '../process/parent.ts';

/** The server's default. */
const poolSize = 10;

/** Reads one row of a user by a key. Each connection prepares each statement once. */
export function postgresReads(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: poolSize });
  return async (key: 'id' | 'username', value: string): Promise<void> => {
    const text = `select id, username, real_name, nickname, gender, email, phone, department, avatar, unique_code
      from "user" where tenant_id = 1 and ${key} = $1`;
    const { rowCount } = await pool.query({ name: key, text, values: [value], rowMode: 'array' });
    if (rowCount !== 1) throw new Error(`user ${value} was not found`);
  };
}

if (import.meta.main) {
  /** Arguments: the URL of a seeded database, its number of users, and the number of reads to run at once. */
  const [url = '', users = '', atOnce = ''] = process.argv.slice(2);
  const read = postgresReads(url);
  const random = new SeededRandom(1);
  serveParent((seconds) =>
    countCalls(seconds, Number(atOnce), (count) => {
      const id = random.integer(1, Number(users));
      return count % 2 === 0 ? read('id', String(id)) : read('username', username(id));
    }),
  );
}
