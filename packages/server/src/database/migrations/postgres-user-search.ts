import { type Kysely, sql } from 'kysely';
import { searchedColumns } from '../queries/lists/search-pattern.ts';

/** Name of the index; a database whose server lacks the extension `pg_trgm` does not have it. */
export const userSearchIndex = 'user_by_text';

/** What is indexed; a query must spell it the same. */
export const searchedText = sql`(${sql.join(
  searchedColumns.map((column) => sql.ref(column)),
  sql` || chr(10) || `,
)})`;

/** Without the extension, or the right to add it, the search reads rows instead of an index. */
export async function createPostgresUserSearch(db: Kysely<unknown>): Promise<void> {
  await sql`do $$ begin
    create extension if not exists pg_trgm;
    create index ${sql.ref(userSearchIndex)} on ${sql.table('user')} using gin (${searchedText} gin_trgm_ops);
  exception when others then
    raise notice 'searches will read rows, not an index: %', sqlerrm;
  end $$`.execute(db);
}
