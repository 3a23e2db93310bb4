import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { tenantMark } from '../migrations/steps/sqlite-user-search.ts';
import type { CandidateSource } from '../queries/lists/candidate-source.ts';
import { caseVariants, searchedColumns } from '../queries/lists/search-pattern.ts';
import { noMoment } from '../queries/lists/user-sources.ts';
import type { Session, Transact, UserSearch } from '../queries/session.ts';
import { rowsAtOnce } from './search-cost.ts';

/** SQLite uses an FTS5 index of trigrams, and GLOB with the characters of both cases. */
export const sqliteUserSearch: UserSearch = {
  contains,
  matches: (table, text) =>
    contains(
      searchedColumns.map((column) => `${table}.${column}`),
      text,
    ),
  async source(session, tenantId, text) {
    const query = trigramQuery(text);
    if (query === undefined) return undefined;
    return indexedUsers(session, tenantId, sql`${query} || ${tenantMark(sql`${tenantId}`)} || '"'`);
  },
  rowsAtOnce,
};

function contains(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const kept = globConfuses.some((character) => text.includes(character))
    ? keptApart
    : (value: RawBuilder<unknown>) => value;
  const pattern = kept(sql`${globPattern(text)}`);
  return sql`(${sql.join(
    columns.map((column) => sql`${kept(sql.ref(column))} glob ${pattern}`),
    sql` or `,
  )})`;
}

/** GLOB reads each of these as the first of them. Source: `sqlite3Utf8Read` in SQLite's `utf.c`. */
const globConfuses = ['\ufffd', '\ufffe', '\uffff'];

/** Replaces the other two by code points beyond Unicode, which no text contains and GLOB reads as they are. */
function keptApart(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`replace(replace(${value}, '\ufffe', cast(x'f4908080' as text)), '\uffff', cast(x'f4908081' as text))`;
}

function globPattern(text: string): string {
  const characters = caseVariants(text).map((variants) =>
    variants.length > 1 || globSpecial.has(variants[0] ?? '') ? `[${variants.join('')}]` : variants[0],
  );
  return `*${characters.join('')}*`;
}

const globSpecial = new Set(['*', '?', '[']);

/** Letters whose case the index folds as we do; the index uses an older version of Unicode. */
const foldedAlike = /^[A-Za-z\u00c0-\u017f\u0391-\u03c9\u0400-\u0481\u0531-\u0586\u1e00-\u1eff]$/u;

/**
 * Trigrams of one query. A window of common ones that never occur together takes FTS5 as many steps for each user in it:
 * with 98 of them, 131,072 users took 300 ms.
 */
const trigramsMax = 6;

/** Returns as many trigrams as a query may have, evenly spread over the text. */
function someOf(trigrams: readonly string[]): readonly string[] {
  if (trigrams.length <= trigramsMax) return trigrams;
  const distance = (trigrams.length - 1) / (trigramsMax - 1);
  return Array.from({ length: trigramsMax }, (_, index) => trigrams[Math.round(index * distance)] ?? '');
}

/**
 * Returns trigrams that every user found must contain, as a query that still lacks the tenant's mark and the
 * closing quotation mark. Each trigram is a quoted string, so that nothing in it is taken for syntax. Returns
 * `undefined` if no trigram of the text is certain to be folded by the index as it is here.
 */
function trigramQuery(text: string): string | undefined {
  const characters = caseVariants(text);
  const trigrams = new Set<string>();
  for (let start = 0; start + 3 <= characters.length; start++) {
    const three = characters.slice(start, start + 3);
    if (three.every(isFoldedAlike)) trigrams.add(three.map(([character]) => character).join(''));
  }
  if (trigrams.size === 0) return undefined;
  return `${someOf([...trigrams])
    .map((trigram) => `"${trigram.replaceAll('"', '""')}" AND `)
    .join('')}"`;
}

function isFoldedAlike(variants: readonly string[]): boolean {
  return variants.length === 1 || foldedAlike.test(variants[0] ?? '');
}

/** Ids that one statement looks for in the index. The time is checked between statements. */
const idsAtOnce = 262_144n;

/** Rare trigrams make a window of millions of ids cheap; common ones that never occur together do not. */
const enoughMs = 10;

function indexedUsers(session: Session, tenantId: bigint, query: RawBuilder<unknown>): CandidateSource {
  return {
    async next(after, size, spentMs) {
      if (spentMs > enoughMs) return undefined;
      const ids = await firstAndLastId(session, tenantId);
      const start = after === undefined ? sql`rowid >= ${ids.first}` : sql`rowid > ${after.id}`;
      const end = (after?.id ?? ids.first) + idsAtOnce;
      const to = end < ids.last ? end : ids.last;
      return {
        scanned: sql`select ${noMoment} as at, rowid as id from user_search
          where user_search match ${query} and ${start} and rowid <= ${to} order by rowid limit ${size}`,
        ...(to < ids.last && { end: { at: 0n, id: to } }),
      };
    },
  };
}

/** Returns the range of ids to search. Within the tenant's own ids, a search reveals nothing about other tenants. */
async function firstAndLastId({ db }: Session, tenantId: bigint): Promise<{ first: bigint; last: bigint }> {
  const end = (direction: RawBuilder<unknown>) =>
    sql`(select id from ${sql.table('user')} where tenant_id = ${tenantId} order by id ${direction} limit 1)`;
  const { rows } = await sql<{ first: bigint | null; last: bigint | null }>`
    select ${end(sql`asc`)} as first, ${end(sql`desc`)} as last`.execute(db);
  return { first: rows[0]?.first ?? 0n, last: rows[0]?.last ?? 0n };
}

/** Pages of the index that one step merges, in some tens of milliseconds. */
const pagesAtOnce = 200;

/**
 * Removes the trigrams of deleted users from the search index, which would keep them until it merges its segments. That
 * writes the whole index: FTS5's own `secure-delete` has no effect on an index that stores no texts. Works in short
 * transactions, so that others can write meanwhile.
 */
export async function forgetDeletedUsers(reader: Session, transact: Transact): Promise<void> {
  // New segments of other writers join the merge, so it might never end. They fill less than half of a step.
  const stepsMax = 1 + Math.ceil((await countPages(reader)) / (pagesAtOnce / 2));
  // A negative number begins the merge of all segments; positive ones continue it.
  let pages = -pagesAtOnce;
  for (let steps = 0; steps < stepsMax; steps++) {
    if (!(await transact((session) => mergeMore(session, pages)))) return;
    pages = pagesAtOnce;
  }
}

/**
 * Counts the pages of the index by the first and the last one of each segment. The ids of a segment's pages follow each
 * other, and their bits above the 31st tell the segment. Counting rows would read the whole index.
 */
export async function countPages({ db }: Session): Promise<number> {
  const next = (id: RawBuilder<unknown>) => sql`((${id} >> 31) + 1) << 31`;
  const firstFrom = (id: RawBuilder<unknown>) =>
    sql`(select min(data.id) from user_search_data as data where data.id >= ${id})`;
  const { rows } = await sql<{ pages: bigint | null }>`
    with recursive segment(first) as (
      select ${firstFrom(sql`(1 << 31)`)}
      union all
      select ${firstFrom(next(sql`first`))} from segment where first is not null
    )
    select sum((select max(data.id) from user_search_data as data where data.id < ${next(sql`first`)}) - first + 1)
      as pages from segment where first is not null`.execute(db);
  return Number(rows[0]?.pages ?? 0n);
}

/** Merges some pages. Returns whether there may be more to merge; SQLite says so by the number of changes. */
async function mergeMore({ db, engine }: Session, pages: number): Promise<boolean> {
  await engine.overwriteDeleted(db);
  const before = await totalChanges(db);
  await sql`insert into user_search (user_search, rank) values ('merge', ${sql.lit(pages)})`.execute(db);
  return (await totalChanges(db)) - before >= 2n;
}

async function totalChanges(db: Session['db']): Promise<bigint> {
  const { rows } = await sql<{ changes: bigint }>`select total_changes() as changes`.execute(db);
  return rows[0]?.changes ?? 0n;
}
