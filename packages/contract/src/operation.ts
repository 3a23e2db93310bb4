import type { Static, TObject } from 'typebox';
import type { ErrorCode } from './error-codes.ts';

/**
 * The effect of a call on the directory, which is also the scope that its application needs: `manage` changes roles,
 * organizations, stores and the status of users. Each scope includes those before it.
 */
export const accesses = ['read', 'write', 'manage'] as const;

export type Access = (typeof accesses)[number];

/**
 * One operation of the interface as data, the source of the routes, the validation, the documents and the
 * clients.
 */
export type Operation = OperationOfAnyAccess & (Reading | Writing);

interface Reading {
  readonly access: 'read';
  readonly repeatable?: never;
}

interface Writing {
  readonly access: Exclude<Access, 'read'>;
  /**
   * Whether repeating the call has no further effect, so that a client may sign it again although its outcome is
   * unknown. Creating, deleting or unbinding twice fails, and the caller would be blamed for it.
   */
  readonly repeatable: boolean;
}

interface OperationOfAnyAccess {
  /** Kebab-case name, identical in the contract, handler, test, client method, docs anchor and log. */
  readonly name: string;
  /** Number in the interface's list of endpoints; extensions have none. */
  readonly number?: number;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the base path. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Query parameters that the operation reads. `refusesUnknownParameters` decides what happens to others. */
  readonly query?: TObject;
  /** Fields of the JSON body that the operation reads. Others are ignored. */
  readonly body?: TObject;
  /** Which limit bounds the body; the general limit if absent. */
  readonly bodyLimit?: 'batch' | 'bulk';
  /** Shape of `data` on success. If absent, the envelope has no `data`. */
  readonly data?: TObject;
  /** Whether the ETag header of a successful answer has the revision of what was read, in quotes. */
  readonly hasETag?: true;
  /** Text of `message` on success. */
  readonly successMessage: string;
  /** The codes that the operation itself may answer. `codesOf` adds those of the scheme and the transport. */
  readonly codes: readonly ErrorCode[];
}

/**
 * Returns whether the server refuses a query parameter that the operation does not read with 1001: a misspelt
 * filter must not list everything, and a misspelt condition must not delete something. Deployed clients send
 * extra parameters with the interface's own operations, which ignore them, except for its DELETEs.
 */
export function refusesUnknownParameters({ number, method }: Pick<Operation, 'number' | 'method'>): boolean {
  return number === undefined || method === 'DELETE';
}

/**
 * Returns whether an optional parameter counts as absent when it is empty: `cursor`, as an empty `next_cursor` is sent for
 * the first page, and one of two identifiers. Elsewhere, an unset variable would drop a filter or a condition, so only
 * the operations that overlook unknown parameters overlook an empty one.
 */
export function overlooksEmptyParameter(
  operation: Pick<Operation, 'number' | 'method' | 'query'>,
  name: string,
): boolean {
  if (name === 'cursor' || !refusesUnknownParameters(operation)) return true;
  const identifiers = ['user_id', 'username'];
  const hasBoth = identifiers.every((each) => Object.hasOwn(operation.query?.properties ?? {}, each));
  return hasBoth && identifiers.includes(name);
}

/** The codes that the signing scheme and the transport may answer for every operation. */
export const sharedCodes = [1001, 1004, 1011, 1012, 1013, 1014, 1015, 1016, 1429, 1500, 1503] as const;

/** Returns, in ascending order, the codes that an operation may answer in addition to those that all share. */
export function particularCodesOf({ body, codes }: Operation): ErrorCode[] {
  const particular: ErrorCode[] = [...codes];
  // 1003 concerns the content type, which is ignored where no body is read.
  if (body !== undefined) particular.push(1003);
  return particular.sort(ascending);
}

/** Returns every code that an operation may answer, in ascending order. */
export function codesOf(operation: Operation): ErrorCode[] {
  return [...particularCodesOf(operation), ...sharedCodes].sort(ascending);
}

function ascending(a: number, b: number): number {
  return a - b;
}

/** Keeps the literal types of an operation, so that handlers and clients are typed from it. */
export function defineOperation<const Definition extends Operation>(definition: Definition): Definition {
  return definition;
}

type Read<Schema> = Schema extends TObject ? Static<Schema> : unknown;

/** The input of a handler: the operation's query parameters and body fields, parsed and checked. */
export type Input<Definition extends Operation> = Read<Definition['query']> & Read<Definition['body']>;

/** The result of a handler: the operation's `data`, or nothing. */
export type Data<Definition extends Operation> = Definition['data'] extends TObject
  ? Static<Definition['data']>
  : undefined;
