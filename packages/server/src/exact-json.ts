/**
 * JSON with exact 64-bit integers. `JSON.parse` alone rounds above 2^53 and an id would name somebody else.
 * Source: ECMAScript's JSON.parse source text access.
 */

interface ExactJson {
  rawJSON(text: string): unknown;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
}

const json = JSON as unknown as ExactJson;

/** Only a run of digits this long can hold an integer that a number does not hold exactly. */
export const longDigits = /\d{16}/;

/** No more digits than 64 bits have: turning millions of them into a number takes a second. */
const integerText = /^-?\d{1,19}$/;

/** Parses JSON; an integer that a number cannot hold exactly becomes a `bigint`. Throws `SyntaxError`. */
export function parseExactJson(text: string): unknown {
  return longDigits.test(text) ? json.parse(text, reviveInteger) : JSON.parse(text);
}

function reviveInteger(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return source !== undefined && integerText.test(source) ? BigInt(source) : value;
}

/**
 * Parses JSON into what plain `JSON.stringify` writes again with every digit, for where the writing is
 * somebody else's and knows no `bigint`. Throws `SyntaxError`.
 */
export function parsePrintableJson(text: string): unknown {
  return longDigits.test(text) ? json.parse(text, reviveDigits) : JSON.parse(text);
}

function reviveDigits(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return source === undefined ? value : json.rawJSON(source);
}

/** Writes JSON; a `bigint` becomes a number with all its digits. */
export function stringifyExactJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    typeof part === 'bigint' ? json.rawJSON(String(part)) : part,
  );
}
