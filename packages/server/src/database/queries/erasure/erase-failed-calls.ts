import type { Session } from '../session.ts';

/** Everything about a person that a failed call may show. */
export interface PersonInCalls {
  readonly username: string;
  readonly userIds: readonly bigint[];
}

const noText = { target: '', message: '', cause: null, strings_to_sign: null } as const;

/**
 * Removes the texts of failed calls that show a person; that a call failed, when, and with which code stays.
 *
 * @param subject left out for all failed calls, when only ids of persons are known
 * @returns the number of calls
 */
export async function eraseFailedCalls({ db }: Session, subject?: PersonInCalls): Promise<number> {
  if (subject === undefined) {
    const all = db.updateTable('failed_call').set(noText).where('target', '!=', '');
    return Number((await all.executeTakeFirst()).numUpdatedRows);
  }
  let erased = 0;
  let after = '';
  for (;;) {
    const calls = await db
      .selectFrom('failed_call')
      .select(['request_id', 'target', 'message', 'strings_to_sign'])
      .where('target', '!=', '')
      .where('request_id', '>', after)
      .orderBy('request_id')
      .limit(callsAtOnce)
      .execute();
    const last = calls.at(-1);
    if (last === undefined) return erased;
    after = last.request_id;
    const ids = calls.filter((call) => shows(call, subject)).map(({ request_id }) => request_id);
    if (ids.length > 0)
      await db.updateTable('failed_call').set(noText).where('request_id', 'in', ids).execute();
    erased += ids.length;
  }
}

const callsAtOnce = 500;

interface CallTexts {
  readonly target: string;
  readonly message: string;
  /** JSON of a list of strings. */
  readonly strings_to_sign: string | null;
}

/** Clients whose calls fail often encode names in unusual ways, so this compares the decoded texts. */
function shows(
  { target, message, strings_to_sign }: CallTexts,
  { username, userIds }: PersonInCalls,
): boolean {
  const resources = [target, ...(JSON.parse(strings_to_sign ?? '[]') as string[])].flatMap(decode);
  const name = comparable(username);
  return (
    [message, ...resources].some((text) => comparable(text).includes(name)) ||
    userIds.some((id) => resources.some((text) => `${text}&`.includes(`id=${id}&`)))
  );
}

/** A client may encode a value two or three times. */
const encodingsMax = 3;

/** Returns the text itself, the decoded text, and the decoded text with a space in place of each plus sign. */
function decode(text: string): string[] {
  let decoded = text;
  for (let count = 0; count < encodingsMax && decoded.includes('%'); count++) decoded = decodeOnce(decoded);
  return [text, decoded, decoded.replaceAll('+', ' ')];
}

/** Unlike `decodeURIComponent`, decodes the rest of a text that has bytes that are not UTF-8. */
function decodeOnce(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
  );
}

function comparable(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
