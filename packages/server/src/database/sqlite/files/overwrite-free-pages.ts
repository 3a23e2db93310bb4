import { sql } from 'kysely';
import type { Session, Transact } from '../../queries/session.ts';

/** Pages that one transaction overwrites, about a megabyte, so that others can write meanwhile. */
const pagesAtOnce = 250n;

/** A table that holds the free pages until all of them are overwritten; otherwise SQLite would take the same ones again. */
const filler = sql.table('free_space_filler');

/**
 * Overwrites the pages that SQLite freed, which keep their former content until they are used again: `secure_delete`
 * overwrites rows in pages that stay in use. An interrupted command leaves the table behind, and the next one removes it.
 *
 * @returns false if others freed pages faster than this overwrote them
 */
export async function overwriteFreePages(transact: Transact): Promise<boolean> {
  const free = await transact(countFreePages);
  try {
    // Others may free pages meanwhile, which SQLite uses first.
    return free === 0n || (await fill(transact, 2n * (free / pagesAtOnce + 1n)));
  } finally {
    while (await transact(emptyMore));
    await transact(async ({ db }) => sql`drop table if exists ${filler}`.execute(db));
  }
}

async function fill(transact: Transact, stepsMax: bigint): Promise<boolean> {
  for (let steps = 0n; steps < stepsMax; steps++) {
    if (!(await transact(fillMore))) return true;
  }
  return false;
}

/** @returns whether there may be more free pages */
async function fillMore(session: Session): Promise<boolean> {
  const free = await countFreePages(session);
  if (free === 0n) return false;
  const { db } = session;
  const pages = free < pagesAtOnce ? free : pagesAtOnce;
  await sql`create table if not exists ${filler} (zeros blob not null) strict`.execute(db);
  await sql`insert into ${filler} (zeros) values (zeroblob(${await sizeThatFills(session, pages)}))`.execute(
    db,
  );
  return true;
}

/**
 * Returns the size of a value that takes a number of whole pages. Each has four bytes of its own; SQLite keeps what is
 * beyond the whole pages in the row itself if that is between an eighth of a page and nearly all of it.
 */
async function sizeThatFills({ db }: Session, pages: bigint): Promise<bigint> {
  const { rows } = await sql<{ page_size: bigint }>`pragma page_size`.execute(db);
  const pageSize = rows[0]?.page_size ?? 0n;
  return pages * (pageSize - 4n) + pageSize / 4n;
}

/** @returns whether there may be more to remove */
async function emptyMore({ db }: Session): Promise<boolean> {
  const present = await sql`select 1 from sqlite_schema where name = 'free_space_filler'`.execute(db);
  if (present.rows.length === 0) return false;
  const { numAffectedRows } = await sql`delete from ${filler}
    where rowid = (select max(rowid) from ${filler})`.execute(db);
  return numAffectedRows === 1n;
}

async function countFreePages({ db }: Session): Promise<bigint> {
  const { rows } = await sql<{ freelist_count: bigint }>`pragma freelist_count`.execute(db);
  return rows[0]?.freelist_count ?? 0n;
}
