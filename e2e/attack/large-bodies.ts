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

/** Objects in each other whose names are as long together as the body. */
function nestedNames(levels: number) {
  return (bytes: number) => {
    const name = '\\n'.repeat(Math.floor((bytes / levels - 6) / 2));
    return `${`{"${name}":`.repeat(levels)}1${'}'.repeat(levels)}`;
  };
}

/** A value whose numbers nothing but white space separates from its end, and a value behind it. */
function zerosAndBlanks(end: string) {
  return (bytes: number) =>
    filled(`{"x":[${'0,'.repeat(Math.min(40_000, bytes / 4))}0`, ' ', `${end},"users":[]}`)(bytes);
}

/** Objects in each other with the longest names that are allowed, many times. */
const nestedAllowed = filled(
  '{"x":[',
  `${`{"${'\\n'.repeat(2_000)}":`.repeat(15)}1${'}'.repeat(15)},`,
  '0]}',
);

const alikeName = 'n'.repeat(16_384);

/** Names of one length that differ only at their end. */
function alikeNames(bytes: number): string {
  const names = Array.from(
    { length: Math.floor(bytes / (alikeName.length + 20)) },
    (_, index) => `"${alikeName}${String(index).padStart(6, '0')}":1`,
  );
  return `{${names.join(',')}}`;
}

/** Bodies with few commas, at which texts are cut into slices, and with names that are slow to keep apart. */
const sparseBodies: readonly Pick<LargeBody, 'name' | 'make'>[] = [
  { name: 'nested objects with a long name each', make: nestedNames(31) },
  { name: 'few nested objects with a long name each', make: nestedNames(8) },
  { name: 'zeros, blanks and a stray number', make: zerosAndBlanks('1') },
  { name: 'zeros and blanks', make: zerosAndBlanks(']') },
  { name: 'blanks at the end', make: filled('{"users":[{"username":"blank"}]}', ' ', '') },
  { name: 'nested objects with names as long as allowed', make: nestedAllowed },
  { name: 'long names that differ at the end', make: alikeNames },
];

const targetOfEachSize = ['/user', '/user/stores', '/users/batch'];

const refused = [1001, 1002];

/** Hostile bodies. Each is refused, or is valid but for its size. */
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
  ...targetOfEachSize.flatMap((target) =>
    sparseBodies.map((body): LargeBody => ({ ...body, target, codes: [0, ...refused] })),
  ),
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
