import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { searchedText, userSearchIndex } from '../migrations/steps/postgres-user-search.ts';
import type { CandidateSource } from '../queries/lists/candidate-source.ts';
import { caseVariants, searchedColumns } from '../queries/lists/search-pattern.ts';
import { noMoment } from '../queries/lists/user-sources.ts';
import type { Session, UserSearch } from '../queries/session.ts';

/** The shortest text that the index covers: three letters or digits in a row. */
const indexedWord = /[\p{L}\p{N}]{3,}/u;

/** PostgreSQL uses regular expressions, which `pg_trgm` indexes and which do not depend on the locale here. */
export const postgresUserSearch: UserSearch = {
  contains,
  matches: (table, text) =>
    contains(
      searchedColumns.map((column) => `${table}.${column}`),
      text,
    ),
  async source({ db }, tenantId, text) {
    const [word] = indexedWord.exec(text) ?? [];
    if (word === undefined || !(await indexKnows(db, word))) return undefined;
    return indexedUsers(tenantId, expression(text));
  },
};

function contains(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const pattern = expression(text);
  return sql`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} ~ ${pattern}`),
    sql` or `,
  )})`;
}

/** Returns whether the index exists and covers the word; in a database with the C locale it covers ASCII letters only. */
async function indexKnows(db: Session['db'], word: string): Promise<boolean> {
  const index = await sql<{ there: boolean }>`
    select to_regclass(${userSearchIndex}) is not null as there`.execute(db);
  if (index.rows[0]?.there !== true) return false;
  const { rows } = await sql<{ known: boolean }>`
    select cardinality(show_trgm(${word})) > 0 as known`.execute(db);
  return rows[0]?.known === true;
}

function indexedUsers(tenantId: bigint, pattern: string): CandidateSource {
  return {
    async next(after, size) {
      const start = after === undefined ? sql`true` : sql`id > ${after.id}`;
      return {
        scanned: sql`select ${noMoment} as at, id from ${sql.table('user')}
          where tenant_id = ${tenantId} and ${start} and ${searchedText} ~ ${pattern} order by id limit ${size}`,
      };
    },
  };
}

function expression(text: string): string {
  return caseVariants(text)
    .map((variants) => (variants.length > 1 ? `[${variants.join('')}]` : literally(variants[0] ?? '')))
    .join('');
}

function literally(character: string): string {
  return /[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character;
}
