import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { userSearchIndex } from '../../migrations/steps/postgres-user-search.ts';
import type { CandidateSource } from '../../queries/lists/candidate-source.ts';
import { caseVariants, searchedColumns } from '../../queries/lists/search-pattern.ts';
import { noMoment } from '../../queries/lists/user-sources.ts';
import type { Session, UserSearch } from '../../queries/session.ts';
import { indexedCondition } from './indexed-condition.ts';
import { searchExpression } from './search-expression.ts';

/**
 * A text that PostgreSQL expects in more users than this is not looked up: the index has to read all of them to find
 * the first ones by id, while a page without it examines 20,000 users at most.
 */
const indexedMax = 20_000;

/** PostgreSQL uses regular expressions, which do not depend on the locale here, and an index of trigrams, which does. */
export const postgresUserSearch: UserSearch = {
  contains,
  matches: (table, text) =>
    contains(
      searchedColumns.map((column) => `${table}.${column}`),
      text,
    ),
  async source({ db }, tenantId, text) {
    const condition = (await hasIndex(db)) ? await indexedCondition(db, text) : undefined;
    if (condition === undefined) return undefined;
    return (await expectedUsers(db, condition)) > indexedMax ? undefined : indexedUsers(tenantId, condition);
  },
};

function contains(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const pattern = searchExpression(caseVariants(text));
  return sql`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} ~ ${pattern}`),
    sql` or `,
  )})`;
}

async function hasIndex(db: Session['db']): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass(${userSearchIndex}) is not null as there`.execute(db);
  return rows[0]?.there === true;
}

/** Returns in how many users PostgreSQL expects the condition to hold by its statistics, which takes it no longer than a plan. */
async function expectedUsers(db: Session['db'], condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
  }>`
    explain (format json) select 1 from ${sql.table('user')} where ${condition}`.execute(db);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
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
