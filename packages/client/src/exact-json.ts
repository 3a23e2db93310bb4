/**
 * JSON with exact integers in every runtime. `JSON.parse` alone rounds above 2^53, so an id would name someone
 * else, and not every runtime passes the source digits to a reviver.
 */

interface JsonWithSource {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { readonly source?: string }) => unknown,
  ): unknown;
}

const json = JSON as unknown as JsonWithSource;

/** Only a run of at least this many digits can be an integer that a number cannot hold exactly. */
const longDigits = /\d{16}/;

const integerText = /^-?\d+$/;

/**
 * Parses JSON; an integer beyond ±(2^53 - 1) becomes a `bigint`.
 *
 * @throws {SyntaxError} for invalid JSON
 */
export function parseExactJson(text: string): unknown {
  if (!longDigits.test(text)) return JSON.parse(text);
  return tellsSource() ? parseWithSource(text) : parseWithMarks(text);
}

function tellsSource(): boolean {
  return json.parse('1', (_key, _value, context) => context?.source) === '1';
}

function parseWithSource(text: string): unknown {
  return json.parse(text, (_key, value, context) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const source = context?.source ?? '';
    return integerText.test(source) ? BigInt(source) : value;
  });
}

/** A whole string, so that digits inside it stay unchanged, or a number. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses long integers as marked strings, for runtimes whose reviver does not get the source text. The mark is
 * random, so that no text in an answer can pass for an integer.
 */
export function parseWithMarks(text: string): unknown {
  const mark = `${Math.random()}:${Math.random()}:`;
  const marked = text.replace(stringOrNumber, (token) =>
    integerText.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token,
  );
  // Parses the unmarked text first: a mark could turn an error such as 01234567890123456 into valid JSON.
  JSON.parse(text);
  return JSON.parse(marked, (_key, value) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/** Serialises plain values as JSON; a `bigint` becomes a number with all its digits. */
export function stringifyExactJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(stringifyExactJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${stringifyExactJson(member)}`);
  return `{${members.join(',')}}`;
}
