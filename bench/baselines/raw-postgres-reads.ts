import pg from 'pg';

/** As many connections as the server opens unless told otherwise. */
export const poolSize = 10;

const columns = 'id, username, real_name, nickname, gender, email, phone, department, avatar, unique_code';

/** Reads one row of a seeded directory by its key, with a statement that is prepared once per connection. */
export class RawPostgresReads {
  readonly #pool: pg.Pool;

  constructor(connectionString: string) {
    this.#pool = new pg.Pool({ connectionString, max: poolSize });
  }

  async byId(id: string): Promise<void> {
    await this.#read({
      name: 'by_id',
      text: `select ${columns} from "user" where tenant_id = 1 and id = $1`,
      values: [id],
    });
  }

  async byUsername(username: string): Promise<void> {
    await this.#read({
      name: 'by_username',
      text: `select ${columns} from "user" where tenant_id = 1 and username = $1`,
      values: [username],
    });
  }

  async #read(query: pg.QueryConfig): Promise<void> {
    const { rowCount } = await this.#pool.query(query);
    if (rowCount !== 1) throw new Error(`${query.name} found ${rowCount} rows`);
  }
}
