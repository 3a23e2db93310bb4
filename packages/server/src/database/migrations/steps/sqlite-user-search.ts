import { type Kysely, type RawBuilder, sql } from 'kysely';
import { searchedColumns } from '../../queries/lists/search-pattern.ts';

/**
 * Creates the search index, which maps trigrams to users. It stores neither texts nor positions, because every user
 * found is checked anyway; this cuts its cost to a third.
 */
export async function createSqliteUserSearch(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table user_search using fts5(
    text, content='', contentless_delete=1, detail=none, tokenize='trigram')`.execute(db);
  const columns = sql.join(['tenant_id', 'id', ...searchedColumns].map((column) => sql.ref(column)));
  const changed = ['tenant_id', 'id', ...searchedColumns].map(
    (column) => sql`old.${sql.ref(column)} is not new.${sql.ref(column)}`,
  );
  const remove = sql`delete from user_search where rowid = old.id;`;
  await sql`create trigger user_search_insert after insert on ${sql.table('user')}
    begin ${addNew()} end`.execute(db);
  await sql`create trigger user_search_delete after delete on ${sql.table('user')}
    begin ${remove} end`.execute(db);
  await sql`create trigger user_search_update after update of ${columns} on ${sql.table('user')}
    when ${sql.join(changed, sql` or `)}
    begin ${remove} ${addNew()} end`.execute(db);
}

/** Adds every user to an empty index. */
export async function fillSqliteUserSearch(db: Kysely<unknown>): Promise<void> {
  await sql`insert into user_search (rowid, text)
    select u.id, ${searchedTextOf(sql`u`)} from ${sql.table('user')} as u order by u.id`.execute(db);
}

function addNew(): RawBuilder<unknown> {
  return sql`insert into user_search (rowid, text) values (new.id, ${searchedTextOf(sql`new`)});`;
}

function searchedTextOf(row: RawBuilder<unknown>): RawBuilder<unknown> {
  const texts = searchedColumns.map((column) => sql`${row}.${sql.ref(column)}`);
  return sql.join([tenantMark(sql`${row}.tenant_id`), ...texts], sql` || char(10) || `);
}

/** Characters of Unicode's private use area that form a tenant's mark. */
const [firstMark, marks] = [sql.lit(0xe000), sql.lit(6400)];

/** Returns the tenant as a separate trigram, so that a search never walks through other tenants' users. */
export function tenantMark(tenantId: RawBuilder<unknown>): RawBuilder<string> {
  return sql`char(${firstMark} + ${tenantId} % ${marks}, ${firstMark} + ${tenantId} / ${marks} % ${marks},
    ${firstMark} + ${tenantId} / ${marks} / ${marks} % ${marks})`;
}
