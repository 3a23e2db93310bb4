import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@fieldroster/contract';
import fc from 'fast-check';
import { type Batch, makeBatches } from './make-batches.ts';
import type { UserRow } from './user-rows.ts';

const anyRow = fc.record({
  withPassword: fc.boolean(),
  stores: fc.oneof(fc.nat(3), fc.nat(limits.storeCodesMax + 5)),
  bytes: fc.oneof(fc.nat(300), fc.nat(limits.batchBodyBytesMax)),
  failed: fc.boolean(),
});

function toRow(
  {
    withPassword,
    stores,
    bytes,
    failed,
  }: { withPassword: boolean; stores: number; bytes: number; failed: boolean },
  index: number,
): UserRow {
  const row = { line: index + 2, username: `u${index}` };
  if (failed) return { ...row, bytes: 0, problem: 'is wrong' };
  const store_codes = { length: stores } as unknown as readonly string[];
  return {
    ...row,
    bytes,
    entry: { username: row.username, store_codes, ...(withPassword && { password: 'p' }) },
  };
}

async function* inPieces(rows: readonly UserRow[], size: number): AsyncIterable<readonly UserRow[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

const sum = (batch: Batch, of: (row: UserRow) => number) =>
  batch.rows.reduce((total, row) => total + of(row), 0);
const passwords = ({ entry }: UserRow) => (entry?.password ? 1 : 0);
const stores = ({ entry }: UserRow) => entry?.store_codes?.length ?? 0;
const bytes = (row: UserRow) => row.bytes + 1;

test('batches stay within every limit, contain every row once and in order, and end only at a limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRow, { maxLength: 60 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 9 }),
      async (kinds, entriesMax, pieceSize) => {
        const rows = kinds.map(toRow);
        const batches: Batch[] = [];
        for await (const batch of makeBatches(inPieces(rows, pieceSize), entriesMax)) batches.push(batch);
        assert.deepEqual(
          batches.flatMap((batch) => batch.rows),
          rows,
        );
        const keeps = (batch: Batch) =>
          batch.rows.length <= entriesMax &&
          sum(batch, passwords) <= limits.batchPasswordsMax &&
          sum(batch, stores) <= limits.storeCodesMax &&
          sum(batch, bytes) <= limits.bulkBodyBytesMax / 2;
        for (const [index, batch] of batches.entries()) {
          assert(batch.rows.length === 1 || keeps(batch));
          const [next] = batches[index + 1]?.rows ?? [];
          const full = next === undefined || passwords(next) === 1 || !keeps({ rows: [...batch.rows, next] });
          assert(full || sum(batch, bytes) + bytes(next) > limits.batchBodyBytesMax);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('a request never has more passwords than the server accepts', async () => {
  const rows = Array.from({ length: 2500 }, (_, index) =>
    toRow({ withPassword: true, stores: 0, bytes: 10, failed: false }, index),
  );
  for await (const batch of makeBatches(inPieces(rows, 300), limits.batchEntriesMax)) {
    assert(sum(batch, passwords) <= limits.batchPasswordsMax);
  }
});
