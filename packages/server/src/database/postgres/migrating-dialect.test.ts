import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { openTestPostgres, runSql, type TestPostgres } from '../../../test/test-postgres.ts';
import { migrate } from '../migrations/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { openSession } from './open.ts';

let postgres: TestPostgres;

before(async () => {
  postgres = await openTestPostgres({ durable: false });
});

after(() => postgres.stop());

/**
 * Shares three connections among its clients as PgBouncer in transaction mode does: a transaction keeps a connection, and
 * any other statement takes the one that has rested longest.
 */
class TransactionPooler {
  readonly #connections: readonly pg.Client[];
  readonly #free: pg.Client[];
  readonly #waiting: ((connection: pg.Client) => void)[] = [];

  constructor(url: string) {
    this.#connections = Array.from({ length: 3 }, () => new pg.Client({ connectionString: url }));
    this.#free = [...this.#connections];
  }

  async connect(): Promise<void> {
    for (const connection of this.#connections) await connection.connect();
  }

  async end(): Promise<void> {
    for (const connection of this.#connections) await connection.end();
  }

  /** Stands in for the pool of a client of the pooler. */
  poolOfClient(): PostgresPool {
    let held: pg.Client | undefined;
    const client = {
      query: async (text: string, values: unknown[]) => {
        const connection = held ?? (await this.#take());
        if (/^(begin|start transaction)/i.test(text)) held = connection;
        if (/^(commit|rollback)/i.test(text)) held = undefined;
        try {
          return await connection.query(text, values);
        } finally {
          if (held === undefined) this.#giveBack(connection);
        }
      },
      release: () => {},
    };
    const connect = async () => client as unknown as PostgresPoolClient;
    return { options: {}, connect, end: async () => {} };
  }

  #take(): pg.Client | Promise<pg.Client> {
    return this.#free.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  #giveBack(connection: pg.Client): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(connection);
    else next(connection);
  }
}

test('behind a pooler in transaction mode, each migration runs once, and no lock is left on its connections', async () => {
  const url = await postgres.createDatabase();
  const pooler = new TransactionPooler(url);
  await pooler.connect();
  const processes = Array.from({ length: 2 }, () => openSession(pooler.poolOfClient()));
  const done: string[] = [];
  for (const process of processes) await migrate(process, migrations, (names) => void done.push(...names));
  // Other tests hold such locks in their databases on the same server.
  const locks = `select count(*)::int as left from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`;
  assert.deepEqual(await runSql(url, locks), [{ left: 0 }]);
  assert.deepEqual(done, Object.keys(migrations));
  await pooler.end();
});

test('processes behind a pooler in transaction mode that migrate at the same moment wait for each other', async () => {
  const url = await postgres.createDatabase();
  const pooler = new TransactionPooler(url);
  await pooler.connect();
  const processes = Array.from({ length: 3 }, () => openSession(pooler.poolOfClient()));
  const done: string[] = [];
  await Promise.all(
    processes.map((process) => migrate(process, migrations, (names) => void done.push(...names))),
  );
  assert.deepEqual(done, Object.keys(migrations));
  await pooler.end();
});
