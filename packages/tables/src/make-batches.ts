import { limits } from '@fieldroster/contract/limits';
import type { UserRow } from './user-rows.ts';

/** The rows of one request, including those that cannot be sent. */
export interface Batch {
  readonly rows: readonly UserRow[];
}

/**
 * The most that one request may contain. `passwords` is far below the server's limit: the server hashes each
 * one, and the answer should come soon. `bytes` leaves room for a proxy's limit.
 */
const batchMax = { passwords: 100, storeCodes: limits.storeCodesMax, bytes: limits.batchBodyBytesMax };

interface Load {
  entries: number;
  passwords: number;
  storeCodes: number;
  bytes: number;
}

/** Splits the rows into requests within every limit; never splits a row. */
export async function* makeBatches(
  pieces: AsyncIterable<readonly UserRow[]>,
  entriesMax: number,
): AsyncIterable<Batch> {
  let rows: UserRow[] = [];
  let load = loadOf(undefined);
  for await (const piece of pieces) {
    for (const row of piece) {
      const sum = add(load, loadOf(row));
      if (rows.length > 0 && exceeds(sum, entriesMax)) {
        yield { rows };
        [rows, load] = [[row], loadOf(row)];
      } else {
        rows.push(row);
        load = sum;
      }
    }
  }
  if (rows.length > 0) yield { rows };
}

function loadOf(row: UserRow | undefined): Load {
  const { entry } = row ?? {};
  return {
    entries: row === undefined ? 0 : 1,
    passwords: entry?.password ? 1 : 0,
    storeCodes: entry?.store_codes?.length ?? 0,
    bytes: row?.bytes ?? 0,
  };
}

function add(a: Load, b: Load): Load {
  return {
    entries: a.entries + b.entries,
    passwords: a.passwords + b.passwords,
    storeCodes: a.storeCodes + b.storeCodes,
    // Adds the comma between two entries.
    bytes: a.bytes + b.bytes + 1,
  };
}

function exceeds({ entries, passwords, storeCodes, bytes }: Load, entriesMax: number): boolean {
  return (
    entries > entriesMax ||
    passwords > batchMax.passwords ||
    storeCodes > batchMax.storeCodes ||
    bytes > batchMax.bytes
  );
}
