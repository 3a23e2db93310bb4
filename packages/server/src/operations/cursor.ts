import { ApiError } from '../api-error.ts';
import { dateMsMax } from '../date-ms-max.ts';

type PartType = 'bigint' | 'string' | 'time';

/** Where a list continues: the key of the last entry that the page covers. */
export type PageKey = readonly (bigint | string)[];

/** Encodes a key as a cursor, which callers treat as opaque. An empty string means that nothing follows. */
export function toCursor(key: PageKey | undefined): string {
  if (key === undefined) return '';
  const parts = key.map((part) => (typeof part === 'bigint' ? { n: String(part) } : part));
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Decodes a cursor whose key has parts of these types. Throws 1001 for any other string.
 *
 * @param types the type of each part of the key, in order; a `time` is a bigint that a date can have
 */
export function fromCursor(cursor: string | undefined, types: readonly PartType[]): PageKey | undefined {
  if (cursor === undefined) return undefined;
  const key = decode(cursor);
  if (key.length === types.length && key.every((part, index) => isOf(types[index], part))) return key;
  throw notACursor();
}

function isOf(type: PartType | undefined, part: bigint | string): boolean {
  return type === 'time' ? typeof part === 'bigint' && part >= 0n && part <= dateMsMax : typeof part === type;
}

function decode(cursor: string): (bigint | string)[] {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as (string | { n: string })[];
    return parts.map((part) => (typeof part === 'string' ? storable(part) : int64(part.n)));
  } catch {
    throw notACursor();
  }
}

/** Refuses a string that no stored key can be, because the database would fail on it. */
function storable(text: string): string {
  if (!text.isWellFormed() || text.includes('\0')) throw new RangeError('not a string that can be stored');
  return text;
}

function int64(digits: string): bigint {
  const value = BigInt(digits);
  if (BigInt.asIntN(64, value) !== value) throw new RangeError('beyond 64 bits');
  return value;
}

function notACursor(): ApiError {
  return new ApiError(1001, 'cursor must be the next_cursor that this operation returned, unchanged');
}
