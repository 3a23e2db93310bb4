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

/** How often a batch is sent that proves to be applied, but whose rows still differ. */
const attemptsMax = 3;

/**
 * Applies a batch. A change takes effect once, however often it is sent.
 *
 * @param earlier how it was sent before, if its outcome is not known
 * @param note stores how it is sent, before it is sent
 */
export async function applyBatch(
  importer: Importer,
  batch: Batch,
  earlier: SentBatch | undefined,
  note: (sent: SentBatch) => Promise<void>,
): Promise<RowOutcome[]> {
  const users = entriesOf(batch);
  if (users.length === 0) return outcomesOf(batch, []);
  const known = earlier && (await sendAgain(importer, users, earlier));
  if (known !== undefined) return outcomesOf(batch, known);
  for (let attempt = 1; ; attempt++) {
    const next = newSentBatch();
    await note(next);
    const answers = await send(importer, users, next);
    if (answers !== undefined) return outcomesOf(batch, answers);
    if (attempt === attemptsMax)
      throw new Error(`the answer to a batch was lost, and its rows still differ after ${attempt} attempts`);
  }
}

/** Returns the outcomes of a batch that took effect, whose answer was lost; `undefined` unless they are proved. */
export async function settleBatch(
  importer: Importer,
  batch: Batch,
  fate: Fate,
): Promise<RowOutcome[] | undefined> {
  const answers = fate === 'applied' ? await settle(importer, entriesOf(batch)) : undefined;
  return answers && outcomesOf(batch, answers);
}

type Answered = Omit<Answer, 'outcome'> & { readonly outcome: Outcome };

/** Sends the same change again. Returns nothing if it never took effect and never will, or if rows still differ. */
async function sendAgain(
  importer: Importer,
  users: DirectoryInput<'batchUsers'>['users'],
  sent: SentBatch,
): Promise<readonly Answered[] | undefined> {
  try {
    return await send(importer, users, sent);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== tooOld) throw error;
    return (await fateOfChange(importer, sent)) === 'applied' ? settle(importer, users) : undefined;
  }
}

/** Returns nothing if the change took effect earlier, but rows still differ. */
async function send(
  importer: Importer,
  users: DirectoryInput<'batchUsers'>['users'],
  { changeId }: SentBatch,
): Promise<readonly Answered[] | undefined> {
  try {
    const { tenant, by } = importer;
    const answer = await callDirectory('batchUsers', tenant, { users }, { changeId, by });
    // The answer to the repetition of a change that took effect has no data.
    if (answer !== undefined) return answer.results;
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== alreadyApplied) throw error;
  }
  return settle(importer, users);
}

/**
 * Returns the outcomes of a change that took effect, whose answer was lost. Returns nothing if an entry still differs: it
 * failed then, perhaps because its role has been added only since, or somebody has changed the user.
 */
async function settle(
  importer: Importer,
  users: DirectoryInput<'batchUsers'>['users'],
): Promise<readonly Answered[] | undefined> {
  const answers = await dryRun(importer, users);
  if (answers.some(differs)) return undefined;
  return answers.map((answer) =>
    answer.outcome === 'failed' ? answer : { ...answer, outcome: 'applied', changes: [] },
  );
}

/** The server compares no passwords, so a dry run reports each of them as a change. */
function differs({ outcome, changes, stores_added, stores_removed }: Answer): boolean {
  const others = changes.filter(({ field }) => field !== 'password');
  return outcome === 'created' || others.length + stores_added.length + stores_removed.length > 0;
}

async function dryRun(
  { tenant, by }: Importer,
  users: DirectoryInput<'batchUsers'>['users'],
): Promise<readonly Answer[]> {
  return (await callDirectory('batchUsers', tenant, { users, dry_run: true }, { by })).results;
}

function entriesOf({ rows }: Batch): DirectoryInput<'batchUsers'>['users'] {
  return rows.flatMap(({ entry }): BatchEntry[] =>
    entry === undefined ? [] : [entry],
  ) as unknown as DirectoryInput<'batchUsers'>['users'];
}

function outcomesOf({ rows }: Batch, answers: readonly Answered[]): RowOutcome[] {
  let position = 0;
  return rows.map(({ line, username, problem = '', faults, entry }) => {
    const answer = entry === undefined ? undefined : answers[position++];
    if (answer === undefined) {
      return {
        line,
        key: username,
        outcome: 'failed',
        message: problem,
        ...(faults && { problems: faults }),
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
      ...(answer.problem && { problems: [answer.problem] }),
      changes: answer.changes.filter(({ field }) => field !== 'username'),
      added: answer.stores_added,
      removed: answer.stores_removed,
    };
  });
}
