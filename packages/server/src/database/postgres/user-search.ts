import { simpleLowerCase } from '@fieldroster/contract/characters';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { searchedText, userSearchIndex } from '../migrations/steps/postgres-user-search.ts';
import type { CandidateSource } from '../queries/lists/candidate-source.ts';
import { caseVariants, searchedColumns } from '../queries/lists/search-pattern.ts';
import { noMoment } from '../queries/lists/user-sources.ts';
import type { Session, UserSearch } from '../queries/session.ts';

/** The shortest text that the index covers: three letters or digits in a row. */
const indexedWord = /[\p{L}\p{N}]{3,}/u;

/**
 * A text that PostgreSQL expects in more users than this is not looked up: the index has to read all of them to find
 * the first ones by id, while a page without it examines 20,000 users at most.
 */
const indexedMax = 20_000;

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
    if (word === undefined || !(await indexKnows(db, text, word))) return undefined;
    const condition = (await lowersAll(db, text))
      ? ignoringCase(text)
      : sql`${searchedText} ~ ${expression(text)}`;
    return (await expectedUsers(db, condition)) > indexedMax ? undefined : indexedUsers(tenantId, condition);
  },
};

function contains(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const pattern = expression(text);
  return sql`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} ~ ${pattern}`),
    sql` or `,
  )})`;
}

/**
 * Returns whether the index exists and finds every user with the text. In a database with the C locale, it covers only
 * words of ASCII letters. In others, its lower case depends on the locale and may not be Unicode's simple one: in Turkish, `I`
 * becomes `ı`, and ICU turns a Σ at the end of a word into `ς`.
 */
async function indexKnows(db: Session['db'], text: string, word: string): Promise<boolean> {
  const index = await sql<{ there: boolean }>`
    select to_regclass(${userSearchIndex}) is not null as there`.execute(db);
  if (index.rows[0]?.there !== true) return false;
  const upper = caseVariants(text).map((variants) => variants.find(isUpperCase) ?? variants[0]);
  const { rows } = await sql<{ known: boolean }>`
    select cardinality(show_trgm(${word})) > 0 and lower(${upper.join('')}) = ${simpleLowerCase(text)} as known`.execute(
    db,
  );
  return rows[0]?.known === true;
}

/** Returns whether the locale's lower case of each letter that the text matches is Unicode's simple one. */
async function lowersAll(db: Session['db'], text: string): Promise<boolean> {
  // Each letter ends a word: ICU has another lower case of the Greek sigma there.
  const all = caseVariants(text)
    .flat()
    .map((letter) => `a${letter} `)
    .join('');
  const { rows } = await sql<{ same: boolean }>`
    select lower(${all}) = ${simpleLowerCase(all)} as same`.execute(db);
  return rows[0]?.same === true;
}

/**
 * The index knows no characters above U+07FF in a regular expression, and reads all its entries for
 * `张伟明`.
 */
function ignoringCase(text: string): RawBuilder<SqlBool> {
  return sql`${searchedText} ilike ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}`;
}

/** Returns in how many users PostgreSQL expects the condition to hold by its statistics, which takes it no longer than a plan. */
async function expectedUsers(db: Session['db'], condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
  }>`
    explain (format json) select 1 from ${sql.table('user')} where ${condition}`.execute(db);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

function isUpperCase(character: string): boolean {
  return simpleLowerCase(character) !== character;
}

function indexedUsers(tenantId: bigint, condition: RawBuilder<unknown>): CandidateSource {
  return {
    async next(after, size) {
      const start = after === undefined ? sql`true` : sql`id + 0 > ${after.id}`;
      // The additions keep SQL from using the primary key: it would read the ids of all users of the tenant to combine
      // them with the few that the index of texts finds.
      return {
        scanned: sql`select ${noMoment} as at, id from ${sql.table('user')}
          where tenant_id + 0 = ${tenantId} and ${start} and ${condition} order by id limit ${size}`,
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
