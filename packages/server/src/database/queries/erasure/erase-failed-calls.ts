import type { Session } from '../session.ts';
import { type PersonInCalls, showsPerson } from './shows-person.ts';

const noText = { target: '', message: '', cause: null, strings_to_sign: null } as const;

/**
 * Removes the texts of failed calls that show a person; that a call failed, when, and with which code stays.
 *
 * @param subject left out for all failed calls, when only ids of persons are known
 * @param otherTenants the applications of the tenants in which the ids are other users
 * @returns the number of calls
 */
export async function eraseFailedCalls(
  { db, engine }: Session,
  subject?: PersonInCalls,
  otherTenants: ReadonlySet<string> = new Set(),
): Promise<number> {
  await engine.overwriteDeleted(db);
  if (subject === undefined) {
    const all = db.updateTable('failed_call').set(noText).where('target', '!=', '');
    return Number((await all.executeTakeFirst()).numUpdatedRows);
  }
  let erased = 0;
  let after = '';
  for (;;) {
    const calls = await db
      .selectFrom('failed_call')
      .select(['request_id', 'target', 'message', 'cause', 'strings_to_sign', 'verified', 'app_id'])
      .where('target', '!=', '')
      .where('request_id', '>', after)
      .orderBy('request_id')
      .limit(callsAtOnce)
      .execute();
    const last = calls.at(-1);
    if (last === undefined) return erased;
    after = last.request_id;
    const ids = calls
      .map((call) => ({
        ...call,
        // Callers without a valid signature may have named any application.
        isOfAnotherTenant: call.verified === 1n && otherTenants.has(call.app_id ?? ''),
      }))
      .filter((call) => showsPerson(call, subject))
      .map(({ request_id }) => request_id);
    if (ids.length > 0)
      await db.updateTable('failed_call').set(noText).where('request_id', 'in', ids).execute();
    erased += ids.length;
  }
}

const callsAtOnce = 500;
