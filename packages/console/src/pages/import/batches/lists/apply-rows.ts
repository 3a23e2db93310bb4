import type { ListKind, ListRow } from '@fieldroster/tables';
import { CallError } from '../../../../api/call.ts';
import type { RowOutcome, SentBatch } from '../../job/import-job.ts';
import type { WrongRow } from '../../outcomes/say-row-problems.ts';
import { type Fate, fateOfChange } from '../fate-of-change.ts';
import type { Importer } from '../importer.ts';
import { alreadyApplied, newSentBatch, tooOld } from '../new-sent-batch.ts';
import { failed } from './compare-row.ts';
import { writeEntries } from './list-entries.ts';

interface Rows {
  readonly kind: ListKind;
  readonly importer: Importer;
  readonly rows: readonly ListRow[];
  readonly compare: (row: ListRow) => RowOutcome;
}

/** The codes that refuse one row. Any other refusal, such as the end of the session, stops the import. */
const faultsOfRows = new Set([1001, 1002, 1004, 1201, 1204, 1301, 1304, 1305, 1404]);

/** Writes what the rows change. After a lost answer it sends the same change again, which takes effect once. */
export async function applyRows(
  rows: Rows,
  sent: SentBatch | undefined,
  note: (sent: SentBatch) => Promise<void>,
): Promise<readonly RowOutcome[]> {
  if (sent?.row !== undefined && rows.rows.length > 1) return applyOneByOne(rows, sent, note);
  const outcomes = rows.rows.map((row) => ({ row, outcome: rows.compare(row) }));
  const changing = outcomes.filter(({ outcome }) => isChange(outcome));
  if (changing.length === 0) {
    // Somebody else may have written the same.
    const isWritten = sent !== undefined && (await fateOfChange(rows.importer, sent)) === 'applied';
    return outcomes.map(({ outcome }) => (isWritten ? asSent(outcome, sent) : outcome));
  }
  const next = sent ?? { ...newSentBatch(), changingLines: linesOf(changing) };
  if (sent === undefined) await note(next);
  const problem = await write(rows, changing, next);
  if (problem === undefined) return outcomes.map(({ outcome }) => outcome);
  if (problem.code === alreadyApplied) return outcomes.map(({ outcome }) => asSent(outcome, next));
  if (problem.code === tooOld && sent !== undefined) return applyAfterLongTime(rows, sent, note);
  if (!faultsOfRows.has(problem.code)) throw problem;
  const [only] = changing;
  if (changing.length === 1)
    return outcomes.map(({ row, outcome }) => (row === only?.row ? failed(row, wrongOf(problem)) : outcome));
  return applyOneByOne(rows, undefined, note);
}

/**
 * Sends each row as a change of its own, because one refused row keeps the whole batch out.
 *
 * @param sent the row that was sent last, if the page was left on the way
 */
async function applyOneByOne(
  rows: Rows,
  sent: SentBatch | undefined,
  note: (sent: SentBatch) => Promise<void>,
): Promise<readonly RowOutcome[]> {
  const { row: sentRow = 0 } = sent ?? {};
  const changing = rows.rows
    .map((row) => ({ outcome: rows.compare(row) }))
    .filter(({ outcome }) => isChange(outcome));
  const { changingLines = linesOf(changing) } = sent ?? {};
  const all: RowOutcome[] = [];
  for (const [index, row] of rows.rows.entries()) {
    const sentBefore = index === sentRow ? sent : undefined;
    const noteRow = (next: SentBatch) => note({ ...next, row: index, changingLines });
    for (const outcome of await applyRows({ ...rows, rows: [row] }, sentBefore, noteRow)) {
      const isWritten = sent !== undefined && index < sentRow && outcome.outcome === 'unchanged';
      all.push(isWritten ? asSent(outcome, sent) : outcome);
    }
  }
  return all;
}

/** Writing the same code or id again is harmless. Only a role without an id could come twice. */
async function applyAfterLongTime(
  rows: Rows,
  sent: SentBatch,
  note: (sent: SentBatch) => Promise<void>,
): Promise<readonly RowOutcome[]> {
  const outcomes = rows.rows.map((row) => rows.compare(row));
  const fate = await fateOfChange(rows.importer, sent);
  if (fate === 'applied') return outcomes.map((outcome) => asSent(outcome, sent));
  return applyRows(rows, undefined, note);
}

/**
 * Returns the outcomes of rows whose request took effect; `undefined` unless that is proved. Of a batch whose rows were
 * sent one by one, the directory says which were written.
 */
export function settleRows(
  rows: readonly ListRow[],
  compare: Rows['compare'],
  sent: SentBatch,
  fate: Fate,
): readonly RowOutcome[] | undefined {
  if (fate !== 'applied' || (sent.row !== undefined && rows.length > 1)) return undefined;
  return rows.map((row) => asSent(compare(row), sent));
}

async function write(
  { kind, importer }: Rows,
  changing: readonly { readonly row: ListRow; readonly outcome: RowOutcome }[],
  { changeId }: SentBatch,
): Promise<CallError | undefined> {
  const entries = changing.map(({ row, outcome }) => ({
    isNew: outcome.outcome === 'created',
    values: row.values ?? {},
  }));
  try {
    await writeEntries(kind, importer, entries, changeId);
    return undefined;
  } catch (error) {
    if (error instanceof CallError) return error;
    throw error;
  }
}

function wrongOf({ message, problem }: CallError): WrongRow {
  return { message, problems: problem && [problem] };
}

function isChange({ outcome }: RowOutcome): boolean {
  return outcome === 'created' || outcome === 'updated';
}

function linesOf(rows: readonly { readonly outcome: RowOutcome }[]): readonly number[] {
  return rows.map(({ outcome }) => outcome.line);
}

/** Returns the outcome of a row whose request was carried out. The request wrote only the rows that were to change. */
function asSent(outcome: RowOutcome, { changingLines = [] }: SentBatch): RowOutcome {
  if (changingLines.includes(outcome.line)) return asApplied(outcome);
  return outcome.outcome === 'failed' ? outcome : { ...outcome, outcome: 'unchanged', changes: [] };
}

function asApplied(outcome: RowOutcome): RowOutcome {
  return outcome.outcome === 'failed' ? outcome : { ...outcome, outcome: 'applied', changes: [] };
}
