/** An id as it comes in JSON: a number, or a `bigint` beyond 2^53. Compare ids with {@link sameId}. */
export type Id = number | bigint;

/** A type of the contract as it is after parsing: 64-bit integers may be numbers. */
export type Wire<T> = T extends bigint
  ? Id
  : T extends readonly (infer Item)[]
    ? Wire<Item>[]
    : T extends Record<string, unknown>
      ? { [Name in keyof T]: Wire<T[Name]> }
      : T;

export function sameId(a: Id, b: Id): boolean {
  return String(a) === String(b);
}

/** The largest id that 64 bits hold. */
const idMax = 2n ** 63n - 1n;

/** Reads an id from a URL or a form; `undefined` for anything else, such as a number beyond 64 bits. */
export function parseId(text: string | undefined): Id | undefined {
  if (text === undefined || !/^\d{1,19}$/.test(text)) return undefined;
  const exact = BigInt(text);
  if (exact > idMax) return undefined;
  return exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact;
}
