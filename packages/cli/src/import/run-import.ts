import { basename } from 'node:path';
import type { Fetch, FieldrosterClient } from '@fieldroster/client';
import { FileFault } from '@fieldroster/tables';
import { openClient, type Patience, withClient } from '../call/open-client.ts';
import { print, printable, warn } from '../output/print.ts';
import { ReportedFailure, UsageError } from '../run-program.ts';
import { countRows } from './count-rows.ts';
import { describeChanges, labelTargets } from './describe-changes.ts';
import { identifySource } from './identify-source.ts';
import type { ImportFlags } from './import-flags.ts';
import { ImportLock } from './import-lock.ts';
import { type ImportPaths, importPaths, requireNothingLost } from './import-paths.ts';
import {
  findState,
  type ImportFiles,
  type ImportReport,
  importUsers,
  type Sending,
  tryUsers,
} from './import-users.ts';
import { Interruption } from './interruption.ts';
import { identifyNames, resolveFileNames } from './resolve-file-names.ts';
import { sayHidden } from './say-hidden.ts';
import type { RowResult } from './send-batch.ts';
import { showProgress } from './show-progress.ts';
import { type ImportSource, surveyUserRows } from './user-rows.ts';

/** An import waits for a server that restarts or is busy hashing passwords. */
const patience: Patience = {
  timeoutMs: 240_000,
  retry: { attemptsMax: 200, budgetMs: 300_000, delayMsMax: 5_000 },
};

/**
 * Ignores the caller's signal, which ends a call's waits and attempts: a request in flight may finish, so that its
 * outcome is recorded.
 */
const fetchToTheEnd: Fetch = (url, init) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(patience.timeoutMs) });

export async function runImport(path: string, flags: ImportFlags): Promise<void> {
  const source = sourceOf(path, flags);
  using _lock = flags.dryRun ? undefined : await reserve(source, importPaths(source, flags));
  await withClient(flags, async (client, target) => {
    // Precedes the first reading of the file, so that a change after it is found.
    const sourceId = await identifySource(source, target);
    const survey = await nameFile(path, () => surveyUserRows(source));
    if (survey.leftOut.length > 0)
      warn(printable(`leaves out ${survey.leftOut.join(', ')}, which an import does not set`));
    if (survey.hidden !== undefined) warn(printable(sayHidden(survey.hidden)));
    await requireAccess(client);
    using interruption = new Interruption((name) =>
      warn(`stopping after the requests in flight; another ${name} ends the import at once`),
    );
    const { signal: stop } = interruption;
    const patientClient = openClient(target, { ...patience, fetch: fetchToTheEnd });
    const names = await untilStopped(stop, () => resolveFileNames(patientClient, survey.names, stop));
    if (names === undefined) {
      process.exitCode = interruption.exitCode;
      return;
    }
    const { batchSize, parallel } = flags;
    const isUnchanged = async () => (await identifySource(source, target)) === sourceId;
    const read = { source, isUnchanged, names, rows: survey.rows };
    const sending = { client: patientClient, ...read, batchSize, parallel, stop };
    const ids = { sourceId, namesId: identifyNames(survey.names, names) };
    const report = flags.dryRun ? await runTrial(sending, flags) : await runReal(sending, ids, flags);
    if (report.rowsDone < survey.rows) process.exitCode = interruption.exitCode;
    await finish(report, survey.rows, path, flags);
  });
}

/** Checks the files that an import writes, and keeps other imports from them. */
async function reserve(source: ImportSource, paths: ImportPaths): Promise<ImportLock> {
  await requireNothingLost(source, paths);
  return ImportLock.take(paths);
}

/** Returns nothing if the work was stopped before it was done. */
async function untilStopped<T>(stop: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!stop.aborted || error !== stop.reason) throw error;
    return undefined;
  }
}

function sourceOf(path: string, flags: ImportFlags): ImportSource {
  const { map = {}, ignoreUnknown = false, storeSeparator, clearEmpty = false, encoding, delimiter } = flags;
  return {
    path,
    mappings: map,
    ignoreUnknown,
    storeSeparator,
    clearEmpty,
    encoding,
    delimiter,
  };
}

async function nameFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileFault) throw new Error(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Reports a wrong address or secret at once, which the import itself would keep retrying. */
async function requireAccess(client: FieldrosterClient): Promise<void> {
  await client.listStores({ limit: 1 });
}

async function runTrial(sending: Sending, { unchanged, json }: ImportFlags): Promise<ImportReport> {
  const labels = labelTargets(sending.names);
  return tryUsers(sending, async (results) => {
    const told = results.filter(({ outcome }) => unchanged === true || outcome !== 'unchanged');
    if (!json) await print(told.map((result) => describeChanges(result, labels)).join(''));
  });
}

async function runReal(
  sending: Sending,
  ids: Pick<ImportFiles, 'sourceId' | 'namesId'>,
  flags: ImportFlags,
): Promise<ImportReport> {
  const files = { ...importPaths(sending.source, flags), ...ids, restart: flags.restart === true };
  const { rowsDone } = await findState(files);
  if (rowsDone > 0)
    warn(`resumes after ${countRows(rowsDone)} that ${rowsDone === 1 ? 'is' : 'are'} already done`);
  const progress = showProgress(sending.rows, rowsDone);
  const failures = new FailureList();
  try {
    return await importUsers(sending, files, (done, results) => {
      progress.update(done);
      failures.add(results);
    });
  } catch (error) {
    // A usage error has its own fix: a different command.
    if (!(error instanceof UsageError)) {
      warn('the import could not continue; once the cause is gone, run the same command to resume it');
    }
    throw error;
  } finally {
    progress.stop();
    failures.tell();
  }
}

const failuresShownMax = 10;

/** The first failures, for display; the result file has all of them. */
class FailureList {
  readonly #lines: string[] = [];

  add(results: readonly RowResult[]): void {
    for (const { outcome, line, username, message } of results) {
      if (this.#lines.length >= failuresShownMax) return;
      if (outcome === 'failed')
        this.#lines.push([`line ${line}`, username, message].filter((part) => part !== '').join(': '));
    }
  }

  tell(): void {
    for (const line of this.#lines) warn(printable(line));
  }
}

async function finish(report: ImportReport, rows: number, path: string, flags: ImportFlags): Promise<void> {
  const { rowsDone, counts, changed } = report;
  const paths = flags.dryRun ? undefined : importPaths({ path }, flags);
  const result = paths?.resultPath;
  const failedRows = !changed && rowsDone === rows && counts.failed > 0 ? paths?.failedPath : undefined;
  const json = JSON.stringify({ rows: rowsDone, ...counts, result, failed_rows: failedRows });
  await print(
    `${flags.json ? json : tellTotals(report, { rows, name: basename(path), result, failedRows })}\n`,
  );
  if (changed)
    throw new Error(
      `${path} was changed while it was read, so the rows may be of either version; run the same command for the file as it is now`,
    );
  if (rowsDone >= rows && counts.failed > 0) throw new ReportedFailure();
}

interface ImportedFile {
  readonly name: string;
  readonly rows: number;
  /** Path of the result file; absent in a dry run. */
  readonly result: string | undefined;
  /** Path of the file of failed rows; absent if there is none. */
  readonly failedRows: string | undefined;
}

function tellTotals(
  { rowsDone, counts }: ImportReport,
  { name, rows, result, failedRows }: ImportedFile,
): string {
  const { applied, ...told } = counts;
  const parts = Object.entries(applied > 0 ? counts : told).map(([outcome, count]) => `${count} ${outcome}`);
  const verb = result === undefined ? 'would import' : 'imported';
  const done = `${verb} ${countRows(rowsDone)} of ${name}: ${parts.join(', ')}`;
  const left = rows - rowsDone;
  if (left > 0) return `${done}; ${countRows(left)} ${left === 1 ? 'is' : 'are'} left`;
  if (result === undefined) return done;
  const toCorrect =
    failedRows === undefined ? '' : `; correct the failed ones in ${failedRows}, and import that`;
  return `${done}; each row is in ${result}${toCorrect}`;
}
