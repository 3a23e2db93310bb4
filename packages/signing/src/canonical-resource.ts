import { showInvisible } from './show-invisible.ts';

/**
 * How to read `+` in a query: as a space (form encoding) or as itself (plain percent-encoding). Clients differ,
 * so a verifier tries both.
 */
export type PlusReading = 'space' | 'literal';

/**
 * How to read parameter names: percent-decoded like values, or exactly as they appear in the URL. Clients
 * differ, so a verifier tries both.
 */
export type NameReading = 'decoded' | 'as-sent';

/** One way to read a query. */
export interface QueryReading {
  readonly plus: PlusReading;
  readonly names: NameReading;
}

/** One query parameter. The value is decoded; the name follows the reading. */
export interface QueryParameter {
  readonly name: string;
  readonly value: string;
}

/**
 * The query has percent-encoding that cannot be decoded, a name that cannot be signed unambiguously, or too many
 * parameters. `message` names the parameter and what is wrong with it.
 */
export class MalformedQueryError extends Error {
  override readonly name = 'MalformedQueryError';
  /** The message as data. */
  readonly fault: QueryFault;

  constructor(fault: QueryFault) {
    super(sayQueryFault(fault));
    this.fault = fault;
  }
}

/**
 * A fault of a query, as data. Quoted texts are shortened, and in quotation marks. Nothing is quoted of a part without a
 * value (`isBare`), which may be the rest of a value that has an unencoded `&`, and may end in `=`.
 */
export type QueryFault =
  | {
      readonly kind: 'loose-percent' | 'not-utf8';
      /** The parameter whose value is wrong; absent if the name of a parameter is. */
      readonly parameter?: string;
      /** The text from the fault on; absent if it may be part of a secret. */
      readonly at?: string | undefined;
      readonly isBare?: boolean;
    }
  | {
      readonly kind: 'name-character';
      /** Absent if it may be part of a secret. */
      readonly parameter?: string | undefined;
      readonly isBare?: boolean;
    }
  | { readonly kind: 'too-many-parameters'; readonly max: number };

/** Says a fault in English. */
export function sayQueryFault(fault: QueryFault): string {
  if (fault.kind === 'too-many-parameters')
    return `the query has more than ${fault.max} parameters; send fewer`;
  const { kind, parameter, isBare = false } = fault;
  const name = isBare ? 'a part of the query without a value' : 'a parameter name';
  if (kind === 'name-character')
    return `${parameter === undefined ? name : `the parameter name ${parameter}`} has "=", "&" or a control character; no name may have one of them`;
  const place = parameter === undefined ? name : `the value of parameter ${parameter}`;
  const { at } = fault;
  if (kind === 'not-utf8')
    return at === undefined
      ? `${place} has percent-encoded bytes that are not UTF-8`
      : `${place} has percent-encoded bytes that are not UTF-8, at or after ${at}`;
  return at === undefined
    ? `${place} has a "%" that is not followed by two hexadecimal digits`
    : `${place} has a "%" that is not followed by two hexadecimal digits, at ${at}`;
}

/**
 * The most parameters of a query. Sorting thousands of them, in each reading, would take milliseconds for every request
 * that anybody sends.
 */
export const queryParametersMax = 256;

/** Returns whether a query has more than {@link queryParametersMax} parameters; empty pieces count as well. */
export function hasTooManyParameters(query: string): boolean {
  let pieces = 1;
  for (let at = query.indexOf('&'); at !== -1; at = query.indexOf('&', at + 1)) {
    pieces += 1;
    if (pieces > queryParametersMax) return true;
  }
  return false;
}

const noParameters: readonly QueryParameter[] = Object.freeze([]);

/**
 * Splits a request target at its first `?`. Treats a bare `?` as no query, and `#` as an ordinary character
 * because a fragment is never sent.
 *
 * @param target the path and query as sent, for example `/user?user_id=1`
 * @returns `path` and `query`, both still encoded; `query` is `''` when there is none
 */
export function splitTarget(target: string): { path: string; query: string } {
  const mark = target.indexOf('?');
  if (mark === -1) return { path: target, query: '' };
  return { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/**
 * Decodes a query string into its parameters, in the order received, keeping repeated names.
 *
 * A piece without `=` has the value `''`; an empty piece (`a=1&&b=2`) is skipped.
 *
 * @param query the text after the `?`, still percent-encoded
 * @param plus how to read `+`; `%2B` is a plus sign in both readings
 * @param names `'as-sent'` leaves names encoded, including their `+`
 * @throws {MalformedQueryError} in either reading of names: for a `%` without two hexadecimal digits, for bytes
 * that are not UTF-8, and for a name that decodes to text with `=`, `&` or a control character. The string to
 * sign joins names and values with `=` and `&`, so such a name could pass for several parameters. Also for more than
 * {@link queryParametersMax} parameters.
 */
export function parseQuery(
  query: string,
  plus: PlusReading,
  names: NameReading = 'decoded',
): readonly QueryParameter[] {
  if (query === '') return noParameters;
  if (hasTooManyParameters(query))
    throw new MalformedQueryError({ kind: 'too-many-parameters', max: queryParametersMax });
  const parameters: QueryParameter[] = [];
  for (const piece of query.split('&')) {
    if (piece !== '') parameters.push(parsePiece(piece, plus, names));
  }
  return parameters;
}

const oneReading: readonly QueryReading[] = Object.freeze([{ plus: 'space', names: 'decoded' }]);
const plusReadings: readonly QueryReading[] = Object.freeze([
  { plus: 'space', names: 'decoded' },
  { plus: 'literal', names: 'decoded' },
]);
const nameReadings: readonly QueryReading[] = Object.freeze([
  { plus: 'space', names: 'decoded' },
  { plus: 'space', names: 'as-sent' },
]);
const allReadings: readonly QueryReading[] = Object.freeze([
  { plus: 'space', names: 'decoded' },
  { plus: 'literal', names: 'decoded' },
  { plus: 'space', names: 'as-sent' },
  { plus: 'literal', names: 'as-sent' },
]);

/**
 * Lists the distinct readings of a query, most likely first: one for most queries, up to four when the query
 * has both `+` and an encoded name. A query with too many parameters has one, in which it is refused.
 *
 * @param query the text after the `?`, still percent-encoded
 */
export function queryReadings(query: string): readonly QueryReading[] {
  const hasPlus = query.includes('+');
  if (!hasPlus && !query.includes('%')) return oneReading;
  if (hasTooManyParameters(query)) return oneReading;
  const namesDiffer = hasEncodedName(query);
  if (!hasPlus) return namesDiffer ? nameReadings : oneReading;
  return namesDiffer ? allReadings : plusReadings;
}

/** Returns whether a name contains `%` or `+`, so that its two readings differ. */
function hasEncodedName(query: string): boolean {
  return query.split('&').some((piece) => {
    const equals = piece.indexOf('=');
    const name = equals === -1 ? piece : piece.slice(0, equals);
    return name.includes('%') || name.includes('+');
  });
}

/**
 * Builds the last part of the string to sign: the path alone, or `path?name=value&…` with the decoded
 * parameters sorted by name.
 *
 * Sorts names by UTF-16 code unit and keeps the order of repeated names. Sorting whole `name=value` texts would
 * be wrong: `-` sorts before `=`, so `a-b=2` would come before `a=1`.
 *
 * @param path the path as sent, with the base path and still encoded
 * @param parameters decoded parameters, from {@link parseQuery}; not modified
 */
export function canonicalResource(path: string, parameters: readonly QueryParameter[]): string {
  if (parameters.length === 0) return path;
  const sorted = parameters.length === 1 ? parameters : parameters.toSorted(byName);
  let resource = path;
  let separator = '?';
  for (const { name, value } of sorted) {
    resource += `${separator}${name}=${value}`;
    separator = '&';
  }
  return resource;
}

// Not localeCompare: the order must be the same on every machine.
function byName(a: QueryParameter, b: QueryParameter): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

function parsePiece(piece: string, plus: PlusReading, names: NameReading): QueryParameter {
  const equals = piece.indexOf('=');
  const encodedName = equals === -1 ? piece : piece.slice(0, equals);
  const encodedValue = equals === -1 ? '' : piece.slice(equals + 1);
  const decodedName = decodeName(encodedName, plus, !/[^=]/.test(encodedValue));
  const name = names === 'decoded' ? decodedName : encodedName;
  return { name, value: decodeValue(encodedValue, plus, name) };
}

const unsignableInName = /[=&\p{Cc}]/u;

function decodeName(encoded: string, plus: PlusReading, isBare: boolean): string {
  const name = decode(encoded, plus);
  if (name === undefined) {
    const fault = encodingFault(encoded);
    throw new MalformedQueryError(isBare ? { kind: fault.kind, isBare } : fault);
  }
  if (unsignableInName.test(name)) {
    throw new MalformedQueryError({
      kind: 'name-character',
      ...(isBare ? { isBare } : { parameter: quote(name) }),
    });
  }
  return name;
}

function decodeValue(encoded: string, plus: PlusReading, name: string): string {
  const value = decode(encoded, plus);
  if (value === undefined) {
    throw new MalformedQueryError({ ...encodingFault(encoded), parameter: quote(name) });
  }
  return value;
}

function decode(encoded: string, plus: PlusReading): string | undefined {
  // Must precede percent-decoding: otherwise a plus sign sent as %2B would become a space too.
  const text = plus === 'space' && encoded.includes('+') ? encoded.replaceAll('+', ' ') : encoded;
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function encodingFault(encoded: string): { kind: 'loose-percent' | 'not-utf8'; at: string } {
  const loosePercent = encoded.search(/%(?![0-9A-Fa-f]{2})/);
  if (loosePercent !== -1) {
    return { kind: 'loose-percent', at: quote(encoded.slice(loosePercent)) };
  }
  const firstHighByte = encoded.search(/%[89A-Fa-f]/);
  return { kind: 'not-utf8', at: quote(encoded.slice(firstHighByte)) };
}

const quotedCharactersMax = 40;

function quote(text: string): string {
  const short = text.length > quotedCharactersMax ? `${text.slice(0, quotedCharactersMax)}…` : text;
  return showInvisible(JSON.stringify(short.toWellFormed()));
}
