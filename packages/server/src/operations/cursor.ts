import { ApiError } from '../errors/api-error.ts';
import { dateMsMax } from '../time/date-ms-max.ts';

type PartType = 'bigint' | 'string' | 'time';

/** Where a list continues: the key of the last entry that the page covers. */
export type PageKey = readonly (bigint | string)[];

/**
 * Encodes a key as a cursor, which callers treat as opaque. An empty string means that nothing follows.
 *
 * The name of the list is inside the numbers of the key, where a release that does not know it overlooks it: nodes of
 * both releases can then serve the pages of one list. A key of strings alone has no name. Only one list has such keys.
 *
 * @param list the name of the operation whose list it is
 */
export function toCursor(list: string, key: PageKey | undefined): string {
  if (key === undefined) return '';
  const parts = key.map((part) => (typeof part === 'bigint' ? { n: String(part), of: list } : part));
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Decodes a cursor of this list whose key has parts of these types. Throws 1001 for any other string. Accepts a cursor
 * without the name of a list, as earlier releases made them.
 *
 * @param list the name of the operation whose list it is
 * @param types the type of each part of the key, in order; a `time` is a bigint that a date can have
 */
export function fromCursor(
  list: string,
  cursor: string | undefined,
  types: readonly PartType[],
): PageKey | undefined {
  if (cursor === undefined) return undefined;
  const key = decode(cursor, list);
  if (key.length === types.length && key.every((part, index) => isOf(types[index], part))) return key;
  throw notACursor();
}

function isOf(type: PartType | undefined, part: bigint | string): boolean {
  return type === 'time' ? typeof part === 'bigint' && part >= 0n && part <= dateMsMax : typeof part === type;
}

interface NumberPart {
  readonly n: string;
  readonly of?: string;
}

function decode(cursor: string, list: string): (bigint | string)[] {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as (string | NumberPart)[];
    return parts.map((part) => (typeof part === 'string' ? storable(part) : numberOf(list, part)));
  } catch {
    throw notACursor();
  }
}

/** Refuses a string that no stored key can be, because the database would fail on it. */
function storable(text: string): string {
  if (!text.isWellFormed() || text.includes('\0')) throw new RangeError('not a string that can be stored');
  return text;
}

function numberOf(list: string, { n, of = list }: NumberPart): bigint {
  if (of !== list) throw new RangeError('the cursor of another list');
  return int64(n);
}

function int64(digits: string): bigint {
  const value = BigInt(digits);
  if (BigInt.asIntN(64, value) !== value) throw new RangeError('beyond 64 bits');
  return value;
}

function notACursor(): ApiError {
  return new ApiError(
    1001,
    'cursor must be the next_cursor that this operation returned, unchanged, with the same filters and order; to begin the list again, leave cursor out',
  );
}
