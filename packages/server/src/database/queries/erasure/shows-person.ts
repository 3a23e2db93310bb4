import { quoteVisibly } from '../../../directory/quote-visibly.ts';

/** Everything about a person that a failed call may show. */
export interface PersonInCalls {
  readonly username: string;
  readonly userIds: readonly bigint[];
  /** The name, and the other texts by which the person can be searched for. */
  readonly texts: readonly string[];
}

/** The texts of a failed call. */
export interface CallTexts {
  readonly target: string;
  readonly message: string;
  readonly cause: string | null;
  /** JSON of a list of strings. */
  readonly strings_to_sign: string | null;
  /** Whether the ids in the call are those of another tenant's users. */
  readonly isOfAnotherTenant: boolean;
}

/**
 * Returns a function that says whether a failed call shows a person. Clients whose calls fail often encode names in
 * unusual ways, so this compares the decoded texts. A person may have had thousands of texts, so they are made
 * comparable once for all calls.
 *
 * A parameter or a quotation that holds exactly one username or id must equal the person's. Anywhere else, the name as a
 * whole word is enough: this erases some calls of other people, but leaves no call with the person's name.
 */
export function callsThatShow({ username, userIds, texts }: PersonInCalls): (call: CallTexts) => boolean {
  const name = comparable(username);
  const names = [name, ...quotationsOf(username).map(withoutQuotes).map(comparable)];
  const quotations = [...new Set(texts.flatMap(quotationsOf))];
  const ofPerson = texts.map(comparable).filter(isTelling);
  return ({ target, message, cause, strings_to_sign, isOfAnotherTenant }) => {
    const explained = `${message}\n${cause ?? ''}`;
    const received = [target, ...(JSON.parse(strings_to_sign ?? '[]') as string[])];
    const resources = received.flatMap(decode).map(comparable);
    const shown = comparable(explained);
    const searches = received.flatMap(searchesIn).flatMap(decode).map(comparable).filter(isTelling);
    return (
      resources.some((text) => hasName(text, name, usernameParameters)) ||
      resources.some((text) => endsWithin(text, name)) ||
      names.some((each) => hasName(shown, each, quotedUsernames)) ||
      (explained.includes('"') && quotations.some((quoted) => explained.includes(quoted))) ||
      (!isOfAnotherTenant && userIds.some((id) => hasId(resources, shown, id))) ||
      searches.some((search) => ofPerson.some((text) => text.includes(search) || hasName(search, text)))
    );
  };
}

/** How a text begins and ends a value that is exactly one username. */
interface ValueMarks {
  readonly starts: readonly string[];
  readonly end: string;
}

const usernameParameters: ValueMarks = { starts: ['?username=', '&username='], end: '&' };
const quotedUsernames: ValueMarks = { starts: ['username "', 'user "'], end: '"' };

function hasName(text: string, name: string, marks?: ValueMarks): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    const start = marks && startOfValue(text, at, marks);
    if (marks === undefined || start === undefined) {
      if (!isJoined(text, at) && !isJoined(text, end)) return true;
      continue;
    }
    const [rest = ''] = text.slice(end).split(marks.end, 1);
    if (isEndOfEntry(text.slice(start, at).trimEnd().at(-1)) && isEndOfEntry(rest.trimStart()[0]))
      return true;
  }
  return false;
}

/** Returns where the value begins that a position is in, if it is exactly one username. */
function startOfValue(text: string, at: number, { starts, end }: ValueMarks): number | undefined {
  const last = Math.max(...starts.map((start) => endOfLast(text, start, at)));
  return last === -1 || text.slice(last, at).includes(end) ? undefined : last;
}

function endOfLast(text: string, start: string, at: number): number {
  const found = at < start.length ? -1 : text.lastIndexOf(start, at - start.length);
  return found === -1 ? -1 : found + start.length;
}

/** Returns whether a name ends at a character, if there is one: clients send lists and quotes by mistake. */
function isEndOfEntry(character: string | undefined): boolean {
  return character === undefined || separators.test(character);
}

/** Separators of entries, the character for bytes that are not UTF-8, and the end of a text that was cut off. */
const separators = /[,;|"'…\ufffd]/;

/** Returns whether a word goes on at a position. Scripts without spaces do not show where words end. */
function isJoined(text: string, at: number): boolean {
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
  const [after = ''] = text.slice(at, at + 2);
  return [before, after].every((each) => partOfWord.test(each) && !withoutSpaces.test(each));
}

const partOfWord = /[\p{L}\p{N}\p{M}]/u;
const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Returns whether a text was cut off within the name, so that its beginning is left. */
function endsWithin(text: string, name: string): boolean {
  if (!text.endsWith('…')) return false;
  const start = Math.max(...usernameParameters.starts.map((each) => endOfLast(text, each, text.length)));
  const value = start === -1 ? '' : text.slice(start, -1);
  return isTelling(value) && name.startsWith(value);
}

function hasId(resources: readonly string[], message: string, id: bigint): boolean {
  return (
    resources.some((text) => idsIn(text).some((value) => isNumber(value, id))) ||
    [`user has id ${id}`, `user ${id}`].some((text) => hasName(message, text))
  );
}

/** Returns the values of the parameters that identify users. */
function idsIn(resource: string): string[] {
  const names = resource.includes('/user') ? ['user_id', 'id'] : ['user_id'];
  return resource.split(/[?&]/).flatMap((parameter) => {
    const equals = parameter.indexOf('=');
    const isId = equals !== -1 && names.includes(parameter.slice(0, equals));
    return isId ? parameter.slice(equals + 1).split(separators) : [];
  });
}

function isNumber(text: string, id: bigint): boolean {
  try {
    return BigInt(text) === id;
  } catch {
    return false;
  }
}

/** A search finds a person by any part of a text. */
function searchesIn(resource: string): string[] {
  const start = 'search=';
  const parameters = resource.slice(resource.indexOf('?') + 1).split('&');
  return parameters.filter((each) => each.startsWith(start)).map((each) => each.slice(start.length));
}

/** Returns whether a text is long enough to say something about a person: three letters, or one Chinese character. */
function isTelling(text: string): boolean {
  return Buffer.byteLength(text) >= 3;
}

/** A client may encode a value two or three times. */
const encodingsMax = 3;

/** Returns the text itself and each decoding of it, also with a space in place of plus signs. */
function decode(text: string): string[] {
  const decoded = [...decodings(text), ...decodings(text.replaceAll('+', ' '))];
  return [...new Set(decoded.flatMap((each) => [each, each.replaceAll('+', ' ')]))];
}

function decodings(text: string): string[] {
  const decoded = [text];
  for (let count = 0; count < encodingsMax; count++) decoded.push(decodeOnce(decoded.at(-1) ?? ''));
  return decoded;
}

/** Unlike `decodeURIComponent`, decodes the rest of a text that has bytes that are not UTF-8. */
function decodeOnce(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
  );
}

/** Some messages quote a text as JSON does, others also escape what looks like nothing or like a plain space. */
function quotationsOf(text: string): string[] {
  return [JSON.stringify(text), quoteVisibly(text)];
}

function withoutQuotes(quoted: string): string {
  return quoted.slice(1, -1);
}

function comparable(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
