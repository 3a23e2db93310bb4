import { limits } from '@fieldroster/contract';

/** A body that keeps the server busy as long as possible, at the largest size that its operation accepts. */
export interface LargeBody {
  readonly name: string;
  readonly target: string;
  /** The codes that may answer it. A smaller body breaks no limit on values. */
  readonly codes: readonly number[];
  readonly make: (bytes: number) => string;
}

/** Returns the default size limit of the operation. */
export function bytesMaxOf({ target }: Pick<LargeBody, 'target'>): number {
  if (target === '/users/batch' || target === '/stores') return limits.bulkBodyBytesMax;
  return target === '/user/stores' ? limits.batchBodyBytesMax : limits.bodyBytesMax;
}

function filled(start: string, each: string, end: string) {
  return (bytes: number) =>
    start + each.repeat(Math.floor((bytes - start.length - end.length) / each.length)) + end;
}

const manyZeros = filled('{"x":[1234567890123456,', '0,', '0]}');
const manyObjects = filled('{"x":[1234567890123456,', '{},', '{}]}');
const manyLongIntegers = filled('{"x":[', '9007199254740993,', '0]}');

const refused = [1001, 1002];

/** Hostile bodies; each is refused. */
export const hostileBodies: readonly LargeBody[] = [
  { name: 'a long integer and zeros', target: '/user', codes: refused, make: manyZeros },
  { name: 'a long integer and zeros', target: '/user/stores', codes: refused, make: manyZeros },
  { name: 'a long integer and zeros', target: '/users/batch', codes: refused, make: manyZeros },
  { name: 'a long integer and empty objects', target: '/users/batch', codes: refused, make: manyObjects },
  { name: 'long integers', target: '/users/batch', codes: refused, make: manyLongIntegers },
  { name: 'one string', target: '/users/batch', codes: refused, make: filled('{"x":"', 'a', '"}') },
  {
    name: 'a string of digits',
    target: '/user',
    codes: refused,
    make: filled('{"x":"', '123456789012345a', '"}'),
  },
  {
    name: 'strings of escapes',
    target: '/users/batch',
    codes: refused,
    make: filled('{"x":[', `"${'\\n'.repeat(400_000)}",`, '0]}'),
  },
  {
    name: 'levels',
    target: '/stores',
    codes: refused,
    make: filled('{"x":[', `${'['.repeat(900)}"${'a'.repeat(20_000)}"${']'.repeat(900)},`, '0]}'),
  },
];

const entryBytes = 3_000;
const entriesMax = 10_000;

function entries(bytes: number, entry: (index: number) => object): object[] {
  const count = Math.min(entriesMax, Math.floor(bytes / entryBytes));
  return Array.from({ length: count }, (_, index) => entry(index));
}

/** Three bytes per character, as in most names of some directories. */
const longText = '\u5f20'.repeat(entryBytes / 3 - 50);

/** Valid bodies. */
export function validBodies(storeCodes: readonly string[]): LargeBody[] {
  const users = (bytes: number, text: string) =>
    JSON.stringify({
      users: entries(bytes, (index) => ({
        username: `user${index}`,
        ext_info: text,
        store_codes: [storeCodes[index % storeCodes.length]],
      })),
    });
  const stores = (bytes: number, name: string) =>
    JSON.stringify({ stores: entries(bytes, (index) => ({ code: `new${index}`, name, address: longText })) });
  const codesOf = (bytes: number) => storeCodes.slice(0, Math.floor(bytes / 10));
  return [
    { name: 'new users', target: '/users/batch', codes: [0], make: (bytes) => users(bytes, longText) },
    {
      name: 'changed users',
      target: '/users/batch',
      codes: [0],
      make: (bytes) => users(bytes, `${longText}.`),
    },
    { name: 'new stores', target: '/stores', codes: [0], make: (bytes) => stores(bytes, 'N') },
    { name: 'changed stores', target: '/stores', codes: [0], make: (bytes) => stores(bytes, 'M') },
    {
      name: 'one user with every store',
      target: '/user/stores',
      codes: [0],
      make: (bytes) => JSON.stringify({ username: 'everywhere', store_codes: codesOf(bytes) }),
    },
  ];
}
