import { AnswerLostError, type BatchUsersData, type FieldrosterClient } from '@fieldroster/client';
import { type Batch, type BatchEntry, looksLikeSeveralStores } from '@fieldroster/tables';

/** `applied`: the user is as the row says, but the answer that said whether it was created or updated was lost. */
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
  /** Separates the store codes in a cell of a table; absent for JSON, which has a list of them. */
  readonly storeSeparator?: string | undefined;
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
    return { line, username, ...answer, message: adviseOnStores(answer, entry, options) };
  });
}

const storeNotFound = 1401;

/** Says how to separate store codes if one of those that do not exist looks like several. */
function adviseOnStores(
  { code, message }: Answered,
  { store_codes }: BatchEntry,
  { storeSeparator }: SendOptions,
): string {
  if (code !== storeNotFound) return message;
  const quoted = (store_codes ?? []).map((each) => JSON.stringify(each));
  if (!quoted.some((each) => looksLikeSeveralStores(each) && message.includes(each))) return message;
  return storeSeparator === undefined
    ? `${message}; if these are several codes, give each by itself`
    : `${message}; if these are several codes, separate them with '${storeSeparator}'`;
}

type Answered = Pick<RowResult, 'outcome' | 'code' | 'message' | 'answer'>;

/** How often a batch is settled after a lost answer before the import stops. */
const settlementsMax = 3;

async function send(
  client: FieldrosterClient,
  users: readonly BatchEntry[],
  { dryRun, signal }: SendOptions,
  settlementsLeft = settlementsMax,
): Promise<Answered[]> {
  try {
    const { results } = await client.batchUsers({ users, dry_run: dryRun }, { signal });
    return results.map((answer) => toAnswered(answer));
  } catch (error) {
    // A dry run must never lead to a change.
    if (!(error instanceof AnswerLostError) || dryRun || settlementsLeft === 0) throw error;
    return settle(client, users, signal, settlementsLeft - 1);
  }
}

/**
 * Finds the outcomes of a batch whose answer was lost. An entry that failed then may succeed now, because its role has
 * been added since. So entries that still differ from the directory are sent again: either they failed, or somebody has
 * changed the users since, and the file wins as it does when an import is resumed.
 */
async function settle(
  client: FieldrosterClient,
  users: readonly BatchEntry[],
  signal: AbortSignal,
  settlementsLeft: number,
): Promise<Answered[]> {
  const { results } = await client.batchUsers({ users, dry_run: true }, { signal });
  const differing = users.filter((_, index) => differs(results[index]));
  const options = { dryRun: false, signal };
  const sentAgain = differing.length === 0 ? [] : await send(client, differing, options, settlementsLeft);
  let position = 0;
  return results.map((answer) => {
    if (answer.outcome === 'failed') return toAnswered(answer);
    if (!differs(answer)) return { outcome: 'applied', code: 0, message: '' };
    const again = sentAgain[position++];
    if (again === undefined) throw new Error(`the server did not answer for ${answer.username}`);
    return again;
  });
}

/**
 * Returns whether an entry would change something other than a password. The server compares no passwords, so a dry run
 * reports each of them as a change.
 */
function differs(answer: EntryAnswer | undefined): boolean {
  if (answer === undefined || answer.outcome === 'failed') return false;
  const { changes, stores_added, stores_removed } = answer;
  const others = changes.filter(({ field }) => field !== 'password');
  return answer.outcome === 'created' || others.length + stores_added.length + stores_removed.length > 0;
}

function toAnswered(answer: EntryAnswer): Answered {
  // Removes the server's index into the request, which means nothing in the file.
  const message = answer.message.replace(/^users\[\d+\][. ]/, '');
  return { outcome: answer.outcome, code: answer.code, message, answer };
}
