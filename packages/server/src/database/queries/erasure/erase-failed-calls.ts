import type { Session } from '../session.ts';

/** Everything about a person that a failed call may show. */
export interface PersonInCalls {
  readonly username: string;
  readonly userIds: readonly bigint[];
  /** The name, and the other texts by which the person can be searched for. */
  readonly texts: readonly string[];
}

const noText = { target: '', message: '', cause: null, strings_to_sign: null } as const;

/**
 * Removes the texts of failed calls that show a person; that a call failed, when, and with which code stays.
 *
 * @param subject left out for all failed calls, when only ids of persons are known
 * @returns the number of calls
 */
export async function eraseFailedCalls({ db, engine }: Session, subject?: PersonInCalls): Promise<number> {
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
  { username, userIds, texts }: PersonInCalls,
): boolean {
  const received = [target, ...(JSON.parse(strings_to_sign ?? '[]') as string[])];
  const resources = received.flatMap(decode);
  const searches = received.flatMap(searchesIn).flatMap(decode).map(comparable).filter(tells);
  const name = comparable(username);
  const ofPerson = texts.map(comparable).filter(tells);
  return (
    [message, ...resources].some((text) => comparable(text).includes(name)) ||
    texts.some((text) => message.includes(JSON.stringify(text))) ||
    userIds.some((id) => resources.some((text) => `${text}&`.includes(`id=${id}&`))) ||
    searches.some((search) => ofPerson.some((text) => text.includes(search) || search.includes(text)))
  );
}

/** A search finds a person by any part of a text. */
function searchesIn(resource: string): string[] {
  const start = 'search=';
  const parameters = resource.slice(resource.indexOf('?') + 1).split('&');
  return parameters.filter((each) => each.startsWith(start)).map((each) => each.slice(start.length));
}

/** Whether a text is long enough to say something about a person: three letters, or one Chinese character. */
function tells(text: string): boolean {
  return Buffer.byteLength(text) >= 3;
}

/** A client may encode a value two or three times. */
const encodingsMax = 3;

/** Returns the text itself, the decoded text, and the decoded texts with a space in place of plus signs. */
function decode(text: string): string[] {
  const decoded = decodeFully(text);
  return [text, decoded, decoded.replaceAll('+', ' '), decodeFully(text.replaceAll('+', ' '))];
}

function decodeFully(text: string): string {
  let decoded = text;
  for (let count = 0; count < encodingsMax && decoded.includes('%'); count++) decoded = decodeOnce(decoded);
  return decoded;
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
