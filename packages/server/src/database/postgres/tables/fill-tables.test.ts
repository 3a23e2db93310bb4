import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { openTestPostgres, patient, runSql, type TestPostgres } from '../../../../test/test-postgres.ts';
import { copiedTables } from '../../queries/imports/copy-tables.ts';
import type { Rows, Session } from '../../queries/session.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from '../open.ts';
import { catchUpGeneratedKeys, copyPages, setIndexesAside } from './fill-tables.ts';

let postgres: TestPostgres;
let url: string;

before(async () => {
  postgres = await openTestPostgres();
  url = await postgres.createMigratedDatabase();
  await (await openPostgresDatabase({ ...patient, url })).close();
});

after(() => postgres.stop());

/** Definitions of every index and constraint of the tables. */
async function structure(): Promise<string[]> {
  const rows = await runSql(
    url,
    `select pg_get_indexdef(indexrelid) as definition from pg_index join pg_class on oid = indrelid
       where relnamespace = 'public'::regnamespace
     union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
       where connamespace = 'public'::regnamespace
     order by 1`,
  );
  return rows.map(({ definition }) => String(definition));
}

async function inTransaction(user: string, work: (session: Session) => Promise<void>) {
  const session = sessionAt(user);
  const { db } = session;
  try {
    await sql`begin`.execute(db);
    await work(session);
    await sql`commit`.execute(db);
  } finally {
    await db.destroy();
  }
}

/** Returns a name of this test's own: roles and tablespaces belong to the whole server. */
function ownName(name: string): string {
  return `${name}_of_${new URL(url).pathname.slice(1)}`;
}

async function dropRole(role: string): Promise<void> {
  await runSql(url, `drop owned by ${role}; drop role ${role}`);
}

function sessionAt(user: string) {
  const location = new URL(url);
  if (user !== '') location.username = user;
  return openSessionWithoutTimeout(location.href, patient.connectTimeoutMs);
}

function pages(...given: Rows[]): AsyncIterable<Rows> {
  return Readable.from(given);
}

test('indexes and foreign keys are gone while tables are filled, and the same afterwards', async () => {
  const whole = await structure();
  await inTransaction('', async (session) => {
    const { db } = session;
    const putBack = await setIndexesAside(db, copiedTables);
    const { rows } = await sql<{ left: bigint }>`select count(*) as left from pg_index
      where indrelid = to_regclass('user_role')`.execute(db);
    assert.deepEqual(rows, [{ left: 1n }], 'the primary key stays');
    assert.equal(
      await countKeys(session, 'user_change'),
      0n,
      'the order of changes is filled without its key',
    );
    await putBack();
    assert.equal(await countKeys(session, 'user_change'), 1n);
  });
  assert.deepEqual(await structure(), whole);
  assert(whole.some((line) => line.includes('gin')) && whole.some((line) => line.includes('FOREIGN KEY')));
});

async function countKeys({ db }: Session, table: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from pg_constraint
    where contype = 'p' and conrelid = to_regclass(${table})`.execute(db);
  return rows[0]?.count;
}

/** Returns the tablespaces of three indexes that are set aside, one of them that of a key. */
async function tablespaces(): Promise<unknown> {
  const [row] = await runSql(
    url,
    `select jsonb_object_agg(relname, spcname) as found from pg_class
       left join pg_tablespace on pg_tablespace.oid = reltablespace
     where pg_class.oid in ('user_by_department'::regclass, 'user_change_pk'::regclass, 'user_store_by_store'::regclass)`,
  );
  return row?.found;
}

describe('indexes in a tablespace of their own', () => {
  let fast: string;
  const inFast = () => ({ user_by_department: fast, user_change_pk: fast, user_store_by_store: null });
  const moveTo = (tablespace: string) =>
    runSql(
      url,
      `alter index user_by_department set tablespace ${tablespace}; alter index user_change_pk set tablespace ${tablespace}`,
    );
  const ofDatabase = (change: string) =>
    runSql(url, `do $$ begin execute format('alter database %I ${change}', current_database()); end $$`);
  const giveTablesTo = (user: string) =>
    runSql(
      url,
      `do $$ declare name text; begin
         for name in select quote_ident(tablename) from pg_tables where schemaname = 'public'
         loop execute 'alter table ' || name || ' owner to ${user}'; end loop;
       end $$`,
    );

  before(async () => {
    const inPlace = new URL(url);
    inPlace.searchParams.set('options', '-c allow_in_place_tablespaces=on');
    fast = ownName('fast');
    await runSql(inPlace.href, `create tablespace ${fast} location ''`);
    await moveTo(fast);
    assert.deepEqual(await tablespaces(), inFast());
  });

  after(async () => {
    await moveTo('pg_default');
    await runSql(url, `drop tablespace ${fast}`);
  });

  test('come back there, and the others where they were, even if new ones go elsewhere', async () => {
    await ofDatabase(`set default_tablespace = ${fast}`);
    try {
      await inTransaction('', async ({ db }) => (await setIndexesAside(db, copiedTables))());
      assert.deepEqual(await tablespaces(), inFast());
    } finally {
      await ofDatabase('reset default_tablespace');
    }
  });

  test('stay in place for a user who may not make them again there', async () => {
    const [own] = await runSql(url, 'select current_user as name');
    const owner = ownName('owner');
    await runSql(
      url,
      `create role ${owner} login password 'postgres'; grant all on schema public to ${owner}`,
    );
    await giveTablesTo(owner);
    try {
      await inTransaction(owner, async ({ db }) => {
        const putBack = await setIndexesAside(db, copiedTables);
        const { rows } = await sql`select to_regclass('user_by_department') is not null as stays,
          to_regclass('user_store_by_store') is null as goes`.execute(db);
        assert.deepEqual(rows, [{ stays: true, goes: true }]);
        await putBack();
      });
      assert.deepEqual(await tablespaces(), inFast());
    } finally {
      await giveTablesTo(String(own?.name));
      await dropRole(owner);
    }
  });
});

test('foreign keys are checked with statistics, and leave joins as they were', async () => {
  await inTransaction('', async ({ db }) => {
    const putBack = await setIndexesAside(db, copiedTables);
    await putBack();
    const { rows } = await sql<{ rows: number; hash: string }>`
      select reltuples as rows, current_setting('enable_hashjoin') as hash from pg_class
      where oid = to_regclass('user_role')`.execute(db);
    // Without statistics, the number of rows would be -1.
    assert.deepEqual(rows, [{ rows: 0, hash: 'on' }]);
  });
});

test('comments, storage parameters, statistics targets, clustering and replica identity that an operator set are kept', async () => {
  const given = `
    comment on index user_by_department is 'for the report of Mara''s \\ team';
    comment on constraint user_role_role_fk on user_role is 'see ticket 7';
    comment on table "user" is 'people';
    create index of_operator on "user" (lower(username)) with (fillfactor = 80);
    alter index of_operator alter column 1 set statistics 500;
    create unique index of_replication on user_store (tenant_id, user_id, store_code);
    alter table user_store replica identity using index of_replication;
    create index of_cluster on org (tenant_id, name);
    alter table org cluster on of_cluster;
    alter table "user" set (autovacuum_vacuum_scale_factor = 0.02);
    alter table "user" alter column username set statistics 300`;
  await runSql(url, given);
  const before = await ofOperators();
  await inTransaction('', async ({ db }) => {
    await (await setIndexesAside(db, copiedTables))();
  });
  assert.deepEqual(await ofOperators(), before);
  await runSql(url, 'drop index of_operator, of_cluster; alter table user_store replica identity default');
  await runSql(url, 'drop index of_replication');
});

/** Returns what an operator has set and the definitions of indexes and constraints do not contain. */
function ofOperators() {
  return runSql(
    url,
    `select pg_describe_object(classoid, objoid, objsubid) as what, description as given from pg_description
       where classoid in ('pg_class'::regclass, 'pg_constraint'::regclass) and objoid >= 16384
     union all select attrelid::regclass || '.' || attname, attstattarget::text from pg_attribute
       where attstattarget > 0 and attrelid >= 16384
     union all select oid::regclass::text, reloptions::text from pg_class where reloptions is not null and oid >= 16384
     union all select indexrelid::regclass::text, case when indisclustered then 'clustered' else 'replicated' end
       from pg_index where indisclustered or indisreplident
     order by 1, 2`,
  );
}

test('a row that breaks a foreign key is refused when the keys come back', async () => {
  const broken = inTransaction('', async (session) => {
    const { db } = session;
    const putBack = await setIndexesAside(db, copiedTables);
    await copyPages(session, 'user_role', pages([{ tenant_id: 1n, user_id: 1n, role_id: 1n }]));
    await putBack();
  });
  await assert.rejects(broken, /user_role_user_fk|user_role_role_fk/);
});

test('an index of the same name in a schema before that of the tables stays', async () => {
  await runSql(
    url,
    'create schema ahead; create table ahead.other (id bigint); create index user_by_department on ahead.other (id)',
  );
  const whole = await structure();
  try {
    await inTransaction('', async ({ db }) => {
      await sql`set local search_path = ahead, public`.execute(db);
      const putBack = await setIndexesAside(db, copiedTables);
      await putBack();
    });
    const kept = await runSql(url, `select to_regclass('ahead.user_by_department') is not null as kept`);
    assert.deepEqual(kept, [{ kept: true }]);
    assert.deepEqual(await structure(), whole);
  } finally {
    await runSql(url, 'drop schema ahead cascade');
  }
});

test('tables that a publication covers are filled too', async () => {
  await runSql(url, 'create publication everything for all tables');
  try {
    await inTransaction('', async ({ db }) => {
      const putBack = await setIndexesAside(db, copiedTables);
      await putBack();
    });
  } finally {
    await runSql(url, 'drop publication everything');
  }
});

test("an operator's own triggers fire for copied users, and keep their states", async () => {
  await runSql(
    url,
    `create table seen (id bigint);
     create function see() returns trigger language plpgsql as $$ begin insert into seen values (new.id); return null; end $$;
     create trigger own_sees after insert on "user" for each row execute function see();
     create trigger own_disabled after insert on "user" for each row execute function see();
     alter table "user" disable trigger own_disabled, enable always trigger user_change;
     insert into tenant (id, name, created_at) values (77, 'seventy-seven', 0)`,
  );
  const states = async () =>
    runSql(url, `select tgname, tgenabled from pg_trigger where not tgisinternal order by tgname`);
  const before = await states();
  try {
    await inTransaction('', async (session) => {
      const putBack = await setIndexesAside(session.db, copiedTables);
      await copyPages(session, 'user', pages([user(1n)]));
      await putBack();
    });
    assert.deepEqual(await runSql(url, 'select id from seen'), [{ id: '1' }]);
    assert.deepEqual(await states(), before);
  } finally {
    await runSql(
      url,
      `delete from "user"; delete from tenant where id = 77; drop function see() cascade; drop table seen;
       alter table "user" enable trigger user_change`,
    );
  }
});

test('for a user who may write the tables but does not own them, everything stays', async () => {
  const filler = ownName('filler');
  await runSql(url, `create role ${filler} login password 'postgres'`);
  await runSql(url, `grant all on all tables in schema public to ${filler}`);
  await inTransaction(filler, async (session) => {
    const { db } = session;
    const putBack = await setIndexesAside(db, copiedTables);
    const { rows } = await sql<{ count: bigint }>`select count(*) as count from pg_index
      where indrelid = to_regclass('user_role')`.execute(db);
    assert.deepEqual(rows, [{ count: 2n }]);
    await putBack();
  });
  await dropRole(filler);
});

test('rows arrive as they were: large integers, bytes, null and any text', async () => {
  const text = 'a "quoted" \\x00 back\\slash,\ttab\nline 🌏 李雷';
  await inTransaction('', async (session) => {
    const { db } = session;
    const claim = {
      expires_at_seconds: 9_007_199_254_740_993n,
      signature: Buffer.from([0, 92, 255]),
      request_id: text,
    };
    await copyPages(session, 'accepted_write', pages([claim]));
    const [stored] = await db.selectFrom('accepted_write').selectAll().execute();
    assert.deepEqual(stored, claim);
    const event = {
      id: 7n,
      at: 1n,
      operator_id: null,
      request_id: null,
      operation: text,
      changes: '{"a":null}',
    };
    await copyPages(session, 'operator_event', pages([event], [{ ...event, id: 8n, operator_id: 3n }]));
    const events = await db.selectFrom('operator_event').selectAll().orderBy('id').execute();
    assert.deepEqual(events, [
      { ...event, actor: null },
      { ...event, id: 8n, operator_id: 3n, actor: null },
    ]);
  });
});

test('every generated key continues above the rows that came with theirs', async () => {
  await inTransaction('', async (session) => {
    const { db } = session;
    await sql`truncate operator_event, audit_event`.execute(db);
    const rest = { at: 1n, operator_id: null, request_id: null, operation: 'login', changes: '{}' };
    await copyPages(session, 'operator_event', pages([{ ...rest, id: 40n }]));
    await catchUpGeneratedKeys(db);
    const added = await db
      .insertInto('operator_event')
      .values({ ...rest, operation: 'logout' })
      .returning('id')
      .executeTakeFirstOrThrow();
    assert.equal(added.id, 41n);
  });
});

test('generated keys of tables that are not of this release stay where they are', async () => {
  await inTransaction('', async ({ db }) => {
    await sql`create table own (id bigint generated always as identity)`.execute(db);
    for (let added = 0; added < 3; added++) await sql`insert into own default values`.execute(db);
    await sql`delete from own where id > 1`.execute(db);
    await catchUpGeneratedKeys(db);
    const { rows } = await sql`insert into own default values returning id`.execute(db);
    assert.deepEqual(rows, [{ id: 4n }]);
    await sql`drop table own`.execute(db);
  });
});

test('a row that PostgreSQL refuses is an error of the copy, and the connection stays usable', async () => {
  const session = sessionAt('');
  try {
    const row = { tenant_id: 1n, user_id: 1n, role_id: 1n };
    await assert.rejects(
      copyPages(session, 'user_role', pages([row])),
      /user_role_user_fk|user_role_role_fk/,
    );
    assert.equal((await sql`select 1`.execute(session.db)).rows.length, 1);
  } finally {
    await session.db.destroy();
  }
});

test('pages that end with an error undo the copy, and the connection stays usable', async () => {
  async function* failing() {
    yield [{ tenant_id: 1n, user_id: 1n, role_id: 1n }];
    throw new Error('the source is gone');
  }
  const session = sessionAt('');
  try {
    await assert.rejects(copyPages(session, 'user_role', failing()), { message: 'the source is gone' });
    assert.equal((await session.db.selectFrom('user_role').selectAll().execute()).length, 0);
  } finally {
    await session.db.destroy();
  }
});

/** Makes a row of the users' table. */
function user(id: bigint) {
  const texts = [
    'real_name',
    'nickname',
    'email',
    'phone',
    'department',
    'avatar',
    'unique_code',
    'ext_info',
  ];
  const numbers = ['gender', 'without_role', 'without_org', 'without_store', 'created_at', 'updated_at'];
  return {
    ...Object.fromEntries(texts.map((name) => [name, ''])),
    ...Object.fromEntries(numbers.map((name) => [name, 0n])),
    ...{ tenant_id: 77n, id, username: `user-${id}`, status: 'active', revision: 1n },
  };
}
