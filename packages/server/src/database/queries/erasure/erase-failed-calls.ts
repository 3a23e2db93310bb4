import type { BookkeepingTables } from '../bookkeeping/bookkeeping-tables.ts';
import type { Session } from '../session.ts';
import { type CallTexts, callsThatShow, type PersonInCalls } from './shows-person.ts';

const noText = { target: '', message: '', cause: null, strings_to_sign: null } as const;

/** How many calls a statement reads, and how many a transaction changes at most. */
const callsAtOnce = 500;

/** Removes the texts of all failed calls, for use when only ids of persons are known. Returns the number of calls. */
export async function eraseAllFailedCalls({ db, engine }: Session): Promise<number> {
  await engine.overwriteDeleted(db);
  const all = db.updateTable('failed_call').set(noText).where('target', '!=', '');
  return Number((await all.executeTakeFirst()).numUpdatedRows);
}

/**
 * Removes the texts of failed calls that show a person; that a call failed, when, and with which code stays. Searches
 * outside the transactions, because other records wait for them.
 *
 * @param otherTenants the applications of the tenants in which the ids are other users
 * @returns the number of calls
 */
export async function eraseFailedCalls(
  bookkeeping: BookkeepingTables,
  person: PersonInCalls,
  otherTenants: ReadonlySet<string>,
): Promise<number> {
  const shows = callsThatShow(person);
  const found: string[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const calls = await bookkeeping.read((session) => readCalls(session, after ?? '', otherTenants));
    for (const call of calls) if (shows(call)) found.push(call.request_id);
    after = calls.at(-1)?.request_id;
  }
  let erased = 0;
  while (found.length > 0) {
    const ids = found.splice(0, callsAtOnce);
    erased += await bookkeeping.write((session) => eraseTexts(session, ids), 'durable');
  }
  return erased;
}

type StoredCall = CallTexts & { readonly request_id: string };

async function readCalls(
  { db }: Session,
  after: string,
  otherTenants: ReadonlySet<string>,
): Promise<StoredCall[]> {
  const calls = await db
    .selectFrom('failed_call')
    .select(['request_id', 'target', 'message', 'cause', 'strings_to_sign', 'verified', 'app_id'])
    .where('target', '!=', '')
    .where('request_id', '>', after)
    .orderBy('request_id')
    .limit(callsAtOnce)
    .execute();
  return calls.map((call) => ({
    ...call,
    // Callers without a valid signature may have named any application.
    isOfAnotherTenant: call.verified === 1n && otherTenants.has(call.app_id ?? ''),
  }));
}

async function eraseTexts({ db, engine }: Session, ids: readonly string[]): Promise<number> {
  await engine.overwriteDeleted(db);
  const ofCalls = db.updateTable('failed_call').set(noText).where('request_id', 'in', ids);
  return Number((await ofCalls.executeTakeFirst()).numUpdatedRows);
}
