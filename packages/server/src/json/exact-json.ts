/**
 * JSON with exact 64-bit integers. `JSON.parse` alone rounds integers above 2^53, and rounds a fraction that is very
 * close to an integer to that integer. So an id could become the id of somebody else.
 * `rawJSON` and access to the source text are in ECMAScript, but not yet in the compiler's library.
 */

interface ExactJson {
  rawJSON(text: string): unknown;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { source?: string }) => unknown,
  ): unknown;
}

const json = JSON as unknown as ExactJson;

/**
 * Matches what a JavaScript number may round: this many digits, with or without a point, or an exponent this small. Tries
 * each run of digits once, from its beginning.
 */
const mayBeRounded = /(?<![\d.])(?:\d\.?){16}|\d[eE]-\d{3}/;

/** Matches a number, or a whole string, so that its digits stay as they are. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Matches an integer of at most as many digits as 64 bits have: converting one of millions of digits takes a second.
 */
const integerText = /^-?\d{1,19}$/;

/**
 * Parses JSON; an integer that a number cannot hold exactly becomes a `bigint`.
 * A fraction that a number would round to an integer becomes `NaN`, which no field accepts. Throws `SyntaxError`.
 */
export function parseExactJson(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  return mayBeRounded.test(text) ? parseMarked(text) : value;
}

/**
 * Parses long integers as marked strings. A reviver could read their digits too, but takes ten times as long. The mark
 * is random, so that no string in the text begins with it.
 */
function parseMarked(text: string): unknown {
  const mark = `${crypto.getRandomValues(new Uint32Array(4)).join('-')}:`;
  const marked = text.replace(stringOrNumber, (token) => {
    if (integerText.test(token)) return Number.isSafeInteger(Number(token)) ? token : `"${mark}${token}"`;
    return !token.startsWith('"') && Number.isInteger(Number(token)) && isFraction(token)
      ? `"${mark}${roundedFraction}"`
      : token;
  });
  return unmark(JSON.parse(marked), mark);
}

/** Stands for a fraction that a number cannot tell from an integer. */
const roundedFraction = 'fraction';

/**
 * Returns whether digits remain after the point once the exponent has moved it, as in `0.99999999999999999999` or
 * `1e-400`.
 */
function isFraction(token: string): boolean {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e');
  const [whole = '', behindPoint = ''] = mantissa.split('.');
  const digits = whole + behindPoint;
  const last = lastNonZero(digits);
  return last >= 0 && last >= whole.length + Number(exponent);
}

/** Returns the index of the last digit that is not zero, not counting a sign; -1 if there is none. */
function lastNonZero(digits: string): number {
  let last = digits.length - 1;
  while (last >= 0 && (digits[last] === '0' || digits[last] === '-')) last -= 1;
  return last;
}

function unmark(value: unknown, mark: string): unknown {
  if (typeof value === 'string')
    return value.startsWith(mark) ? unmarkNumber(value.slice(mark.length)) : value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = unmark(value[index], mark);
  } else if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>;
    for (const name of Object.keys(object)) object[name] = unmark(object[name], mark);
  }
  return value;
}

function unmarkNumber(text: string): unknown {
  return text === roundedFraction ? Number.NaN : BigInt(text);
}

/** False in older browsers, where examples on the page at /docs show integers above 2^53 rounded. */
const canKeepDigits = 'rawJSON' in JSON;

/**
 * Parses JSON so that plain `JSON.stringify` writes it again with every digit, for code that cannot serialize `bigint`.
 * Throws `SyntaxError`.
 */
export function parsePrintableJson(text: string): unknown {
  return mayBeRounded.test(text) ? json.parse(text, reviveDigits) : JSON.parse(text);
}

function reviveDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return context?.source === undefined || !canKeepDigits ? value : json.rawJSON(context.source);
}

/** Writes JSON; a `bigint` becomes a number with all its digits. */
export function stringifyExactJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    typeof part === 'bigint' ? json.rawJSON(String(part)) : part,
  );
}

/** A text is not JSON or exceeds a limit. The message completes a sentence about the text and quotes none of it. */
export class JsonProblem extends Error {
  override readonly name = 'JsonProblem';
}

/** A text is no JSON at all, or breaks off. */
export class NotJson extends JsonProblem {
  /** @param how completes "the text is not JSON: …" */
  constructor(how: string) {
    super(`is not JSON: ${how}`);
  }
}

export function tooDeep(levelsMax: number): JsonProblem {
  return new JsonProblem(`is nested more than ${levelsMax} levels deep; no operation needs more than a few`);
}

export function tooManyValues(valuesMax: number): JsonProblem {
  return new JsonProblem(`holds more than ${valuesMax} values; send it in several requests`);
}

const fewerFields = 'send only the fields that the operation has';

export function tooManyNames(namesMax: number): JsonProblem {
  return new JsonProblem(`has an object with more than ${namesMax} names; ${fewerFields}`);
}

export function tooLongName(nameBytesMax: number): JsonProblem {
  return new JsonProblem(`holds a name of more than ${nameBytesMax} bytes; ${fewerFields}`);
}

export function tooLong(tokenBytesMax: number): JsonProblem {
  return new JsonProblem(
    `holds a string or number of more than ${tokenBytesMax} bytes; no field accepts one that long: shorten it`,
  );
}

/** Longer texts are not searched for the character at which they break: their tokens may have a megabyte. */
const searchedCharactersMax = 64 * 1024;

/**
 * Returns the character at which a text stops being JSON: its length, if more could follow.
 * Reads only the position from the parser's message, which quotes the text and perhaps a password.
 *
 * @param error from parsing the text
 * @returns in UTF-16 code units, from 0; `undefined` if it is not known
 */
export function breakOf(error: unknown, text: string): number | undefined {
  if (!(error instanceof SyntaxError)) return undefined;
  const position = positionIn(error);
  if (position !== undefined) return position;
  if (error.message.startsWith('Unexpected end')) return text.length;
  return text.length > searchedCharactersMax ? undefined : searchBreak(text);
}

function positionIn({ message }: SyntaxError): number | undefined {
  const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
  return position === undefined ? undefined : Number(position);
}

/**
 * Finds the last character of the shortest beginning that nothing could complete;
 * the parser reports no position for it.
 */
function searchBreak(text: string): number {
  let [completable, broken] = [0, text.length];
  while (broken - completable > 1) {
    const middle = (completable + broken) >> 1;
    if (isCompletable(text.slice(0, middle))) completable = middle;
    else broken = middle;
  }
  return broken - 1;
}

function isCompletable(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const refused = error as SyntaxError;
    return refused.message.startsWith('Unexpected end') || positionIn(refused) === beginning.length;
  }
}

const advice = 'let a JSON library write it';

/**
 * @param position from {@link breakOf}
 * @param isEnd whether the text ends there
 */
export function notJson(position: number | undefined, isEnd: boolean): NotJson {
  if (position === undefined) return new NotJson(`it ends too early, or has a stray character; ${advice}`);
  const what = isEnd ? 'ends too early, after' : 'breaks after';
  return new NotJson(`it ${what} ${position} ${position === 1 ? 'character' : 'characters'}; ${advice}`);
}
