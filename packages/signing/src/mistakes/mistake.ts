import { splitTarget } from '../canonical-resource.ts';
import { stringToSign } from '../string-to-sign.ts';

/** A known way to sign incorrectly. */
export interface Mistake {
  /** A kebab-case name for programs and logs. Its meaning never changes. */
  readonly name: string;
  /** For people, after "likely cause:": what was done, then what to do instead. No full stop at the end. */
  readonly cause: string;
}

/** A mistake in the string to sign. */
export interface StringMistake extends Mistake {
  /**
   * Returns the texts that a client with this mistake may sign; none when the mistake cannot occur in this
   * request. Many or costly ones are made one by one, so that the search can stop between them.
   */
  readonly strings: (right: RightParts) => Iterable<string>;
}

/** The parts of the expected string to sign, and the request data that mistakes are made from. */
export interface RightParts {
  /** The HTTP method, in upper case. */
  readonly method: string;
  readonly contentMd5: string | undefined;
  readonly timestamp: string;
  readonly nonce: string;
  readonly canonicalResource: string;
  /** Path and query as received, still encoded. */
  readonly target: string;
  readonly path: string;
  readonly query: string;
  readonly body: Uint8Array;
  readonly mayParseBody: boolean;
  readonly uncompressedBody: () => Uint8Array | undefined;
  /** Scheme, host and port as the caller wrote them, if known. */
  readonly origin: string | undefined;
  /** Prefixes of the path that a proxy may have removed. */
  readonly removedPrefixes: readonly string[];
}

/** What is known about how the request was sent. */
export interface SentAs {
  /** Scheme, host and port that the caller wrote, such as `http://127.0.0.1:8080`, if known. */
  readonly origin?: string | undefined;
  /** Prefixes of the path, such as `/api/v1`, that a proxy may have removed. */
  readonly removedPrefixes?: readonly string[] | undefined;
}

/** Separates the causes of mistakes made at once. */
export const besides = '; besides, ';

/** Combines two mistakes made at once into one. */
export function bothMistakes(first: Mistake, second: Mistake): Mistake {
  return { name: `${first.name}+${second.name}`, cause: first.cause + besides + second.cause };
}

/** Builds the string to sign with some parts changed. */
export function signedWith(right: RightParts, changes: Partial<RightParts> = {}): string {
  return stringToSign({ ...right, ...changes });
}

/** Returns the right parts in order, without Content-MD5 where it does not participate. */
export function linesOf({
  method,
  contentMd5,
  timestamp,
  nonce,
  canonicalResource,
}: RightParts): readonly string[] {
  const bodyLine = contentMd5 === undefined ? [] : [contentMd5];
  return [method, ...bodyLine, timestamp, nonce, canonicalResource];
}

/** The parts of a mismatched request that determine its string to sign. */
export interface RequestOfString {
  readonly method: string;
  readonly target: string;
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
  readonly body: Uint8Array;
  /** False when the sender is not authenticated: the body is then not parsed. */
  readonly mayParseBody?: boolean;
  /**
   * Returns the body before it was compressed; `undefined` if it is not, or not in a form that the caller reads. The
   * result must be bounded, because a small body can unfold into a large one.
   */
  readonly uncompressedBody?: () => Uint8Array | undefined;
}

/**
 * Splits an expected string to sign into its parts. Takes Content-MD5 from it to avoid digesting a large body
 * twice.
 */
export function rightParts(
  request: RequestOfString,
  expectedString: string,
  { origin, removedPrefixes = [] }: SentAs = {},
): RightParts {
  const { timestamp = '', nonce = '', target, body } = request;
  const { mayParseBody = true, uncompressedBody = () => undefined } = request;
  const method = request.method.toUpperCase();
  const withoutMd5 = `${method}\n${timestamp}\n${nonce}\n`;
  const contentMd5 = expectedString.startsWith(withoutMd5) ? undefined : expectedString.split('\n', 2)[1];
  const head = contentMd5 === undefined ? withoutMd5.length : withoutMd5.length + contentMd5.length + 1;
  const canonicalResource = expectedString.slice(head);
  return {
    method,
    contentMd5,
    timestamp,
    nonce,
    canonicalResource,
    target,
    body,
    mayParseBody,
    uncompressedBody,
    origin,
    removedPrefixes,
    ...splitTarget(target),
  };
}
