/**
 * JSON with exact integers in every runtime. `JSON.parse` alone rounds above 2^53, and an id would name
 * somebody else; not every runtime can tell a reviver the digits that it read.
 */

interface JsonWithSource {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { readonly source?: string }) => unknown,
  ): unknown;
}

const json = JSON as unknown as JsonWithSource;

/** Only a run of digits this long can hold an integer that a number does not hold exactly. */
const longDigits = /\d{16}/;

const integerText = /^-?\d+$/;

/** Parses JSON; an integer beyond ±(2^53 - 1) becomes a `bigint`. Throws `SyntaxError`. */
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

/** A string as a whole, so that digits inside it stay; or a number. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * For runtimes whose reviver is not told the source text: long integers are parsed as marked strings. The
 * mark is random, so that no text in an answer can pass for an integer.
 */
export function parseWithMarks(text: string): unknown {
  const mark = `${Math.random()}:${Math.random()}:`;
  const marked = text.replace(stringOrNumber, (token) =>
    integerText.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token,
  );
  // The text itself is parsed first: a mark could turn a fault of it, such as 01234567890123456, into JSON.
  JSON.parse(text);
  return JSON.parse(marked, (_key, value) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/** Writes plain values as JSON; a `bigint` becomes a number with all its digits. */
export function stringifyExactJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(stringifyExactJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${stringifyExactJson(member)}`);
  return `{${members.join(',')}}`;
}
