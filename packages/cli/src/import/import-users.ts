import type { FieldrosterClient } from '@fieldroster/client';
import { makeBatches, type ResolvedNames, type UserRow } from '@fieldroster/tables';
import { UsageError } from '../run-program.ts';
import { writeFailedRows } from './failed-rows.ts';
import { findChange, requireUnchanged, type WatchedFile } from './find-change.ts';
import type { ImportPaths } from './import-paths.ts';
import {
  beginState,
  type Counts,
  type ImportState,
  readState,
  removeState,
  writeState,
} from './import-state.ts';
import { inOrder } from './in-order.ts';
import { isTable } from './read-rows.ts';
import { ResultFile } from './result-file.ts';
import { type RowResult, type SendOptions, sendBatch } from './send-batch.ts';
import { type ImportSource, readUserRows } from './user-rows.ts';

/** How to send a file. */
export interface Sending extends WatchedFile {
  readonly client: FieldrosterClient;
  readonly source: ImportSource;
  /** The roles and organizations that the names in the file stand for. */
  readonly names: ResolvedNames;
  /** Number of rows in the file. */
  readonly rows: number;
  readonly batchSize: number;
  /** Number of concurrent requests. */
  readonly parallel: number;
  /** Once aborted, no request follows, and no wait before a retry goes on. */
  readonly stop: AbortSignal;
}

/** The files that an import writes, and what they belong to. */
export interface ImportFiles extends ImportPaths {
  /** The result of {@link identifySource} for this import. */
  readonly sourceId: string;
  /** The result of `identifyNames` for this import. */
  readonly namesId: string | undefined;
  /** Starts with the first row, ignoring an interrupted import. */
  readonly restart: boolean;
}

export interface ImportReport {
  readonly rowsDone: number;
  readonly counts: Counts;
  /** The file was changed in the meantime, so that the rows may be of either version. */
  readonly changed: boolean;
}

/**
 * Imports a file, or the rest of an interrupted import. Writes the result file before the state, so that a kill
 * at any moment loses at most the outcome of pending requests. Their rows are sent again, which does not change
 * the users.
 */
export async function importUsers(
  sending: Sending,
  files: ImportFiles,
  onResults: (rowsDone: number, results: readonly RowResult[]) => void,
): Promise<ImportReport> {
  let state = await findState(files);
  await using resultFile = await ResultFile.open(files.resultPath, state.resultBytes);
  const changed = await findChange(sending, async () => {
    for await (const results of sendRows(sending, state.rowsDone, false)) {
      const resultBytes = await resultFile.add(results);
      state = advance(state, results, resultBytes);
      await writeState(files.statePath, state);
      onResults(state.rowsDone, results);
    }
    if (state.rowsDone >= sending.rows)
      await writeFailedRows(sending.source, files, () => requireUnchanged(sending));
    // An import that is stopped compares the file when it is resumed.
    else if (!sending.stop.aborted) await requireUnchanged(sending);
  });
  // The file as it is now may not begin with the rows that are done, so nothing could be resumed.
  if (changed || state.rowsDone === sending.rows) await removeState(files.statePath);
  return { ...state, changed };
}

/** Asks the server what an import would do, without changing anything. */
export async function tryUsers(
  sending: Sending,
  onResults: (results: readonly RowResult[]) => Promise<void>,
): Promise<ImportReport> {
  let state = beginState('');
  const changed = await findChange(sending, async () => {
    for await (const results of sendRows(sending, 0, true)) {
      state = advance(state, results, 0);
      await onResults(results);
    }
    if (!sending.stop.aborted) await requireUnchanged(sending);
  });
  return { ...state, changed };
}

/**
 * @throws {UsageError} when the state belongs to another import, or when a name in the file has come to stand for
 *   something else: the remaining rows would be treated differently from the first ones
 */
export async function findState(files: ImportFiles): Promise<ImportState> {
  const { statePath, sourceId, namesId, restart } = files;
  const state = restart ? undefined : await readState(statePath);
  if (state === undefined) return beginState(sourceId, namesId);
  if (state.source === sourceId && state.names === namesId) return state;
  if (state.source === sourceId) {
    throw new UsageError(
      `${statePath} belongs to an interrupted import, and names in the file no longer stand for the same roles or organizations; start from the first row with --restart`,
    );
  }
  throw new UsageError(
    `${statePath} belongs to an interrupted import of another file, with other options or to another server; start from the first row with --restart, or give another --result`,
  );
}

function sendRows(
  { client, source, names, batchSize, parallel, stop }: Sending,
  rowsDone: number,
  dryRun: boolean,
): AsyncIterable<RowResult[]> {
  const rows = skip(readUserRows(source, names), rowsDone);
  const batches = until(makeBatches(rows, batchSize), stop);
  const storeSeparator = isTable(source.path) ? source.storeSeparator : undefined;
  const options: SendOptions = { dryRun, storeSeparator, signal: stop };
  const results = inOrder(batches, parallel, (batch) => sendBatch(client, batch, options));
  return endWhenStopped(results, stop);
}

async function* skip(pieces: AsyncIterable<UserRow[]>, count: number): AsyncIterable<UserRow[]> {
  let left = count;
  for await (const rows of pieces) {
    yield rows.slice(left);
    left = Math.max(0, left - rows.length);
  }
}

async function* until<Item>(items: AsyncIterable<Item>, stop: AbortSignal): AsyncIterable<Item> {
  for await (const item of items) {
    if (stop.aborted) return;
    yield item;
  }
}

/** Ends without an error when the stop aborted the retries of a batch, whose rows then count as not done. */
async function* endWhenStopped<Item>(items: AsyncIterable<Item>, stop: AbortSignal): AsyncIterable<Item> {
  try {
    yield* items;
  } catch (error) {
    if (!stop.aborted || error !== stop.reason) throw error;
  }
}

function advance(state: ImportState, results: readonly RowResult[], resultBytes: number): ImportState {
  const counts = { ...state.counts };
  for (const { outcome } of results) counts[outcome] += 1;
  return { ...state, rowsDone: state.rowsDone + results.length, resultBytes, counts };
}
