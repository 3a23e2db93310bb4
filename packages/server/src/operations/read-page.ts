import { limits } from '@fieldroster/contract';
import { fromCursor, type PageKey, toCursor } from './cursor.ts';

interface PageInput {
  readonly cursor?: string;
  readonly limit?: number;
}

interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** Empty on the last page. */
  readonly next_cursor: string;
}

/**
 * Reads a page of a list ordered by id.
 *
 * @param name the name of the operation
 */
export function readPageById<Entry extends { readonly id: bigint }>(
  name: string,
  input: PageInput,
  list: (after: bigint | undefined, limit: number) => Promise<readonly Entry[]>,
): Promise<Page<Entry>> {
  const [after] = fromCursor(name, input.cursor, ['bigint']) ?? [];
  return readPage(
    name,
    input,
    ({ id }) => [id],
    (limit) => list(after as bigint | undefined, limit),
  );
}

/**
 * Reads a page of a list ordered by code.
 *
 * @param name the name of the operation
 */
export function readPageByCode<Entry extends { readonly code: string }>(
  name: string,
  input: PageInput,
  list: (after: string | undefined, limit: number) => Promise<readonly Entry[]>,
): Promise<Page<Entry>> {
  const [after] = fromCursor(name, input.cursor, ['string']) ?? [];
  return readPage(
    name,
    input,
    ({ code }) => [code],
    (limit) => list(after as string | undefined, limit),
  );
}

/**
 * Reads one entry more than fits the page, to learn whether another page follows.
 *
 * @param name the name of the operation
 * @param input whose cursor `read` has taken into account
 * @param keyOf returns where the list continues after an entry
 */
export async function readPage<Entry>(
  name: string,
  input: PageInput,
  keyOf: (entry: Entry) => PageKey,
  read: (limit: number) => Promise<readonly Entry[]>,
): Promise<Page<Entry>> {
  const size = pageSize(input.limit);
  const rows = await read(size + 1);
  const entries = rows.slice(0, size);
  const last = rows.length > size ? entries.at(-1) : undefined;
  return { entries, next_cursor: toCursor(name, last && keyOf(last)) };
}

/** Returns the number of entries per page: the caller's limit, or the default. */
export function pageSize(limit: number | undefined): number {
  return limit ?? limits.pageEntriesDefault;
}
