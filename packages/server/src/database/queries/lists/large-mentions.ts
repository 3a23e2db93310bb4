import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ListPosition } from '../../database.ts';
import type { Engine, Session } from '../session.ts';
import { changeBytesMax, type MeasuredRow, smallBytesMax, takeGroup } from './audit-rows.ts';
import { idRows } from './id-rows.ts';
import type { Rechecked } from './scan-page.ts';

/** Bytes of large changes that are searched for one page: about 20 ms of work on the embedded database. */
const searchedBytesMax = 4 * changeBytesMax;

/** A condition on the row `event`: its changes include the text, or are too large to search among thousands of others. */
export function includesIfSmall(engine: Engine, mentioned: string): RawBuilder<SqlBool> {
  return sql`case when octet_length(event.changes) > ${sql.lit(smallBytesMax)} then true
    else ${engine.includesText('event.changes', JSON.stringify(mentioned))} end`;
}

/**
 * Searches the large changes that {@link includesIfSmall} lets pass. An engine reads a change as a whole to search it,
 * so a statement searches a few megabytes, or one row, and the page ends soon after it has searched too many.
 */
export class LargeMentions {
  readonly #session: Session;
  readonly #mentioned: string;
  #searchedBytes = 0;

  constructor(session: Session, mentioned: string) {
    this.#session = session;
    this.#mentioned = mentioned;
  }

  async keep(passing: readonly ListPosition[]): Promise<Rechecked> {
    const large = await this.#findLarge(passing);
    if (large.length === 0) return { kept: passing };
    const without = new Set<bigint>();
    // Each call searches something, so that there is a row to cut after.
    do {
      const group = takeGroup(large);
      const including = await this.#search(group);
      for (const { id, bytes } of group) {
        this.#searchedBytes += Number(bytes);
        if (!including.has(id)) without.add(id);
      }
    } while (large.length > 0 && this.#searchedBytes < searchedBytesMax);
    const [unsearched] = large;
    const end = unsearched && passing.findIndex(({ id }) => id === unsearched.id);
    const searched = passing.slice(0, end);
    return {
      kept: searched.filter(({ id }) => !without.has(id)),
      ...(unsearched && { cutAfter: searched.at(-1) }),
    };
  }

  /** Returns the large rows in the order of the list. */
  async #findLarge(passing: readonly ListPosition[]): Promise<MeasuredRow[]> {
    if (passing.length === 0) return [];
    const { engine, db } = this.#session;
    const ids = passing.map(({ id }) => id);
    const { rows } = await sql<MeasuredRow>`
      select event.id, octet_length(event.changes) as bytes
      from ${idRows(engine, ids)} cross join audit_event as event
      where event.id = given.id and octet_length(event.changes) > ${sql.lit(smallBytesMax)}`.execute(db);
    const bytesOf = new Map(rows.map(({ id, bytes }) => [id, bytes]));
    return ids.flatMap((id) => {
      const bytes = bytesOf.get(id);
      return bytes === undefined ? [] : { id, bytes };
    });
  }

  async #search(group: readonly MeasuredRow[]): Promise<ReadonlySet<bigint>> {
    const { engine, db } = this.#session;
    const { rows } = await sql<{ id: bigint }>`
      select event.id
      from ${idRows(
        engine,
        group.map(({ id }) => id),
      )} cross join audit_event as event
      where event.id = given.id
        and ${engine.includesText('event.changes', JSON.stringify(this.#mentioned))}`.execute(db);
    return new Set(rows.map(({ id }) => id));
  }
}
