import pg from 'pg';
import { SeededRandom } from '../../e2e/seeded-random.ts';
import { username } from '../directory/seeded-user.ts';
import { countCalls, serveParent } from '../process/parent.ts';
import type { UserKey } from './directory-rows.ts';

/** The server's default. */
const poolSize = 10;

/** Selects one row of a user. */
const selectRow = `select id, username, real_name, nickname, gender, email, phone, department, avatar, unique_code
  from "user" where tenant_id = 1`;

/**
 * Reads a row of a seeded directory by a key. Each connection prepares each statement once.
 *
 * @param select an unfinished condition of the table "user"
 */
export function postgresReads(connectionString: string, select = selectRow) {
  const pool = new pg.Pool({ connectionString, max: poolSize });
  return async (key: UserKey, value: string): Promise<readonly unknown[]> => {
    const text = `${select} and "user".${key} = $1`;
    const { rows } = await pool.query({ name: key, text, values: [value], rowMode: 'array' });
    if (rows[0] === undefined) throw new Error(`user ${value} was not found`);
    return rows[0];
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
