/** JSON in which a `bigint` is a number with all its digits. */
export function stringifyExact(value: unknown): string {
  return JSON.stringify(value, (_key, member) =>
    typeof member === 'bigint' ? exactJson.rawJSON(String(member)) : member,
  );
}

/** Parses JSON; an integer that a number would round becomes a `bigint`. */
export function parseExact(text: string): unknown {
  return exactJson.parse(text, (_key, value, { source = '' }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    return /^-?\d+$/.test(source) ? BigInt(source) : value;
  });
}

/** In the language, and not yet in the compiler's library. */
interface ExactJson {
  rawJSON(text: string): unknown;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}

const exactJson = JSON as unknown as ExactJson;
