import type { OutcomeOfConsole } from '@fieldroster/contract/console';
import { consoleLimits } from '@fieldroster/contract/console-limits';
import type { Batch, BatchEntry } from '@fieldroster/tables';
import { CallError, callDirectory, type DirectoryInput, type DirectoryResult } from '../../../api/call.ts';
import type { Id } from '../../../api/wire.ts';
import type { Outcome, RowOutcome, SentBatch } from '../job/import-job.ts';
import { alreadyApplied, newSentBatch, tooOld } from './new-sent-batch.ts';

type Answer = DirectoryResult<'batchUsers'>['results'][number] & OutcomeOfConsole;

/** Answers what a batch would do, and changes nothing. */
export async function previewBatch(tenant: Id, batch: Batch, signal: AbortSignal): Promise<RowOutcome[]> {
  const users = entriesOf(batch);
  if (users.length === 0) return outcomesOf(batch, []);
  const answer = await callDirectory('batchUsers', tenant, { users, dry_run: true }, { signal });
  return outcomesOf(batch, answer.results);
}

/**
 * Applies a batch once, however often it is sent.
 *
 * @param sent how it was sent before, if its outcome is not known
 * @param note stores how it is sent, before it is sent
 */
export async function applyBatch(
  tenant: Id,
  batch: Batch,
  sent: SentBatch | undefined,
  note: (sent: SentBatch) => Promise<void>,
): Promise<RowOutcome[]> {
  const users = entriesOf(batch);
  if (users.length === 0) return outcomesOf(batch, []);
  if (sent !== undefined) {
    const known = await sendAgain(tenant, users, sent);
    if (known !== undefined) return outcomesOf(batch, known);
  }
  const next = newSentBatch();
  await note(next);
  return outcomesOf(batch, await send(tenant, users, next));
}

type Answered = Omit<Answer, 'outcome'> & { readonly outcome: Outcome };

/** Sends the same change again. Returns nothing if it never took effect and never will. */
async function sendAgain(
  tenant: Id,
  users: DirectoryInput<'batchUsers'>['users'],
  sent: SentBatch,
): Promise<readonly Answered[] | undefined> {
  try {
    return await send(tenant, users, sent);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== tooOld) throw error;
    return askWhetherApplied(tenant, users, sent);
  }
}

async function send(
  tenant: Id,
  users: DirectoryInput<'batchUsers'>['users'],
  { changeId }: SentBatch,
): Promise<readonly Answered[]> {
  try {
    const answer = await callDirectory('batchUsers', tenant, { users }, { changeId });
    // The answer to the repetition of a change that took effect has no data.
    if (answer !== undefined) return answer.results;
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== alreadyApplied) throw error;
  }
  return asApplied(await dryRun(tenant, users));
}

async function dryRun(tenant: Id, users: DirectoryInput<'batchUsers'>['users']): Promise<readonly Answer[]> {
  return (await callDirectory('batchUsers', tenant, { users, dry_run: true })).results;
}

/** Entries that fail in a dry run failed before; the others were applied. */
function asApplied(answers: readonly Answer[]): readonly Answered[] {
  return answers.map((answer) =>
    answer.outcome === 'failed' ? answer : { ...answer, outcome: 'applied', changes: [] },
  );
}

/**
 * A batch is one transaction: if one of its differences is left, none of them was made. Passwords cannot be compared;
 * instead, the audit trail says whether a user who gets one was changed since.
 */
async function askWhetherApplied(
  tenant: Id,
  users: DirectoryInput<'batchUsers'>['users'],
  { startedAtMs }: SentBatch,
): Promise<readonly Answered[] | undefined> {
  const answers = await dryRun(tenant, users);
  const accepted = answers.filter(({ outcome }) => outcome !== 'failed');
  if (accepted.some(hasDifference)) return undefined;
  const withPassword = accepted.find(({ changes }) => changes.length > 0);
  if (withPassword === undefined) return asApplied(answers);
  const { events } = await callDirectory('listAuditEvents', tenant, {
    user_id: withPassword.id,
    operation: 'batch-users',
    since: startedAtMs - clockDifferenceMs,
    limit: 1,
  });
  return events.length > 0 ? asApplied(answers) : undefined;
}

/** The server refuses a change whose time is further ahead of its own clock than this. */
const clockDifferenceMs = consoleLimits.changeAheadSecondsMax * 1000;

function hasDifference({ changes, stores_added, stores_removed }: Answer): boolean {
  const others = changes.filter(({ field }) => field !== 'password');
  return others.length + stores_added.length + stores_removed.length > 0;
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
