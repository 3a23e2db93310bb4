/**
 * How `+` in a query is read: as a space (form encoding) or as itself (plain percent-encoding).
 * Clients differ, so that a verifier tries both.
 */
export type PlusReading = 'space' | 'literal';

/** One query parameter, decoded. */
export interface QueryParameter {
  readonly name: string;
  readonly value: string;
}

/** The query holds percent-encoding that cannot be decoded. `message` names the parameter and the bad piece. */
export class MalformedQueryError extends Error {
  override readonly name = 'MalformedQueryError';
}

const noParameters: readonly QueryParameter[] = Object.freeze([]);

/**
 * Splits a request target at its first `?`. A bare `?` is the same as none; `#` means nothing here, for a
 * fragment is never sent.
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
 * Decodes a query string into its parameters, in the order received, repeated names kept.
 *
 * A piece without `=` has the value `''`; an empty piece (`a=1&&b=2`) is skipped. Names are decoded like values.
 *
 * @param query the text after the `?`, still percent-encoded
 * @param plus how to read `+`; `%2B` is a plus sign in both readings
 * @throws {MalformedQueryError} for a `%` without two hexadecimal digits, or bytes that are not UTF-8
 */
export function parseQuery(query: string, plus: PlusReading): readonly QueryParameter[] {
  if (query === '') return noParameters;
  const parameters: QueryParameter[] = [];
  for (const piece of query.split('&')) {
    if (piece !== '') parameters.push(parsePiece(piece, plus));
  }
  return parameters;
}

/**
 * Builds the last part of the string to sign: the path alone, or `path?name=value&…` with the decoded
 * parameters sorted by name.
 *
 * Names are ordered by UTF-16 code unit and repeated names keep their order. Sorting whole `name=value` texts
 * would be wrong: `-` sorts before `=`, so that `a-b=2` would come before `a=1`.
 *
 * @param path the path as sent, base path included and still encoded
 * @param parameters decoded parameters, from {@link parseQuery}; left as they are
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

function parsePiece(piece: string, plus: PlusReading): QueryParameter {
  const equals = piece.indexOf('=');
  if (equals === -1) return { name: decodeName(piece, plus), value: '' };
  const name = decodeName(piece.slice(0, equals), plus);
  return { name, value: decodeValue(piece.slice(equals + 1), plus, name) };
}

function decodeName(encoded: string, plus: PlusReading): string {
  const name = decode(encoded, plus);
  if (name === undefined) throw new MalformedQueryError(`a parameter name ${fault(encoded)}`);
  return name;
}

function decodeValue(encoded: string, plus: PlusReading, name: string): string {
  const value = decode(encoded, plus);
  if (value === undefined) {
    throw new MalformedQueryError(`the value of parameter ${quote(name)} ${fault(encoded)}`);
  }
  return value;
}

function decode(encoded: string, plus: PlusReading): string | undefined {
  // Before percent-decoding, or a plus sign sent as %2B would become a space as well.
  const text = plus === 'space' && encoded.includes('+') ? encoded.replaceAll('+', ' ') : encoded;
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function fault(encoded: string): string {
  const loosePercent = encoded.search(/%(?![0-9A-Fa-f]{2})/);
  if (loosePercent !== -1) {
    return `has a "%" that is not followed by two hexadecimal digits, at ${quote(encoded.slice(loosePercent))}`;
  }
  const firstHighByte = encoded.search(/%[89A-Fa-f]/);
  return `has percent-encoded bytes that are not UTF-8, at or after ${quote(encoded.slice(firstHighByte))}`;
}

const quotedCharactersMax = 40;

function quote(text: string): string {
  const short = text.length > quotedCharactersMax ? `${text.slice(0, quotedCharactersMax)}…` : text;
  return JSON.stringify(short.toWellFormed());
}
