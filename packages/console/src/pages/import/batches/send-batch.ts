import type { OutcomeOfConsole } from '@fieldroster/contract/console';
import type { Batch, BatchEntry } from '@fieldroster/tables';
import { CallError, callDirectory, type DirectoryInput, type DirectoryResult } from '../../../api/call.ts';
import type { Outcome, RowOutcome, SentBatch } from '../job/import-job.ts';
import { type Fate, fateOfChange } from './fate-of-change.ts';
import type { Importer } from './importer.ts';
import { alreadyApplied, newSentBatch, tooOld } from './new-sent-batch.ts';

type Answer = DirectoryResult<'batchUsers'>['results'][number] & OutcomeOfConsole;

/** Answers what a batch would do, and changes nothing. */
export async function previewBatch(
  { tenant, by }: Importer,
  batch: Batch,
  signal: AbortSignal,
): Promise<RowOutcome[]> {
  const users = entriesOf(batch);
  if (users.length === 0) return outcomesOf(batch, []);
  const answer = await callDirectory('batchUsers', tenant, { users, dry_run: true }, { signal, by });
  return outcomesOf(batch, answer.results);
}

/**
 * Applies a batch once, however often it is sent.
 *
 * @param sent how it was sent before, if its outcome is not known
 * @param note stores how it is sent, before it is sent
 */
export async function applyBatch(
  importer: Importer,
  batch: Batch,
  sent: SentBatch | undefined,
  note: (sent: SentBatch) => Promise<void>,
): Promise<RowOutcome[]> {
  const users = entriesOf(batch);
  if (users.length === 0) return outcomesOf(batch, []);
  if (sent !== undefined) {
    const known = await sendAgain(importer, users, sent);
    if (known !== undefined) return outcomesOf(batch, known);
  }
  const next = newSentBatch();
  await note(next);
  return outcomesOf(batch, await send(importer, users, next));
}

/** Returns the outcomes of a batch that took effect, whose answer was lost; `undefined` unless that is proved. */
export async function settleBatch(
  importer: Importer,
  batch: Batch,
  fate: Fate,
): Promise<RowOutcome[] | undefined> {
  if (fate !== 'applied') return undefined;
  return outcomesOf(batch, asApplied(await dryRun(importer, entriesOf(batch))));
}

type Answered = Omit<Answer, 'outcome'> & { readonly outcome: Outcome };

/** Sends the same change again. Returns nothing if it never took effect and never will. */
async function sendAgain(
  importer: Importer,
  users: DirectoryInput<'batchUsers'>['users'],
  sent: SentBatch,
): Promise<readonly Answered[] | undefined> {
  try {
    return await send(importer, users, sent);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== tooOld) throw error;
    const fate = await fateOfChange(importer, sent);
    return fate === 'applied' ? asApplied(await dryRun(importer, users)) : undefined;
  }
}

async function send(
  importer: Importer,
  users: DirectoryInput<'batchUsers'>['users'],
  { changeId }: SentBatch,
): Promise<readonly Answered[]> {
  try {
    const { tenant, by } = importer;
    const answer = await callDirectory('batchUsers', tenant, { users }, { changeId, by });
    // The answer to the repetition of a change that took effect has no data.
    if (answer !== undefined) return answer.results;
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== alreadyApplied) throw error;
  }
  return asApplied(await dryRun(importer, users));
}

async function dryRun(
  { tenant, by }: Importer,
  users: DirectoryInput<'batchUsers'>['users'],
): Promise<readonly Answer[]> {
  return (await callDirectory('batchUsers', tenant, { users, dry_run: true }, { by })).results;
}

/** Entries that fail in a dry run failed before; the others were applied. */
function asApplied(answers: readonly Answer[]): readonly Answered[] {
  return answers.map((answer) =>
    answer.outcome === 'failed' ? answer : { ...answer, outcome: 'applied', changes: [] },
  );
}

function entriesOf({ rows }: Batch): DirectoryInput<'batchUsers'>['users'] {
  return rows.flatMap(({ entry }): BatchEntry[] =>
    entry === undefined ? [] : [entry],
  ) as unknown as DirectoryInput<'batchUsers'>['users'];
}

function outcomesOf({ rows }: Batch, answers: readonly Answered[]): RowOutcome[] {
  let position = 0;
  return rows.map(({ line, username, problem = '', fault, entry }) => {
    const answer = entry === undefined ? undefined : answers[position++];
    if (answer === undefined) {
      return {
        line,
        key: username,
        outcome: 'failed',
        message: problem,
        ...(fault && { problem: fault }),
        changes: [],
        added: [],
        removed: [],
      };
    }
    return {
      line,
      key: username,
      ...(String(answer.id) !== '0' && { userId: String(answer.id) }),
      outcome: answer.outcome,
      // The server's index into the request means nothing in the file.
      message: answer.message.replace(/^users\[\d+\][. ]/, ''),
      ...(answer.problem && { problem: answer.problem }),
      changes: answer.changes.filter(({ field }) => field !== 'username'),
      added: answer.stores_added,
      removed: answer.stores_removed,
    };
  });
}
