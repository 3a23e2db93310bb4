import { type Kysely, sql } from 'kysely';
import { searchedColumns } from '../../queries/lists/search-pattern.ts';

/** Name of the index; it is missing if the server lacks the extension `pg_trgm`. */
export const userSearchIndex = 'user_by_text';

/** The indexed expression; queries must spell it identically. */
export const searchedText = sql`(${sql.join(
  searchedColumns.map((column) => sql.ref(column)),
  sql` || chr(10) || `,
)})`;

/** Creates the search index. Without the extension, or the right to add it, searches read rows instead. */
export async function createPostgresUserSearch(db: Kysely<unknown>): Promise<void> {
  await sql`do $$ begin
    create extension if not exists pg_trgm;
    create index ${sql.ref(userSearchIndex)} on ${sql.table('user')} using gin (${searchedText} gin_trgm_ops);
  exception when others then
    raise notice 'searches will read rows, not an index: %', sqlerrm;
  end $$`.execute(db);
}
