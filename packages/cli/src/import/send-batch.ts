import { AnswerLostError, type BatchUsersData, type FieldrosterClient } from '@fieldroster/client';
import type { Batch, BatchEntry } from '@fieldroster/tables';

/** `applied`: the server did it, but the answer that said whether it created or updated was lost. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'applied' | 'failed';

export type EntryAnswer = BatchUsersData['results'][number];

/** The outcome of a row. */
export interface RowResult {
  readonly line: number;
  readonly username: string;
  readonly outcome: Outcome;
  /** The server's code; absent for a row that was not sent. */
  readonly code?: number;
  readonly message: string;
  /** The changes, as far as the server reported them. */
  readonly answer?: EntryAnswer;
}

export interface SendOptions {
  /** Reports what would happen, without changing anything. */
  readonly dryRun: boolean;
  /** Ends the call with its reason. */
  readonly signal: AbortSignal;
}

/** Sends the valid rows of a batch and returns the outcome of every row, in order. */
export async function sendBatch(
  client: FieldrosterClient,
  { rows }: Batch,
  options: SendOptions,
): Promise<RowResult[]> {
  const entries = rows.flatMap(({ entry }) => entry ?? []);
  const answers = entries.length === 0 ? [] : await send(client, entries, options);
  let position = 0;
  return rows.map(({ line, username, problem = '', entry }) => {
    if (entry === undefined) return { line, username, outcome: 'failed', message: problem };
    const answer = answers[position++];
    if (answer === undefined) throw new Error(`the server did not answer for line ${line}`);
    return { line, username, ...answer };
  });
}

type Answered = Pick<RowResult, 'outcome' | 'code' | 'message' | 'answer'>;

async function send(
  client: FieldrosterClient,
  users: readonly BatchEntry[],
  { dryRun, signal }: SendOptions,
): Promise<Answered[]> {
  try {
    const { results } = await client.batchUsers({ users, dry_run: dryRun }, { signal });
    return results.map((answer) => toAnswered(answer, answer.outcome));
  } catch (error) {
    if (!(error instanceof AnswerLostError)) throw error;
    return askAfterwards(client, users, signal);
  }
}

/** The batch was applied. A dry run of it now reports applied entries as done, and fails where they failed. */
async function askAfterwards(
  client: FieldrosterClient,
  users: readonly BatchEntry[],
  signal: AbortSignal,
): Promise<Answered[]> {
  const { results } = await client.batchUsers({ users, dry_run: true }, { signal });
  return results.map((answer) =>
    answer.outcome === 'failed' ? toAnswered(answer, 'failed') : { outcome: 'applied', code: 0, message: '' },
  );
}

function toAnswered(answer: EntryAnswer, outcome: Outcome): Answered {
  // Removes the server's index into the request, which means nothing in the file.
  const message = answer.message.replace(/^users\[\d+\][. ]/, '');
  return { outcome, code: answer.code, message, answer };
}
