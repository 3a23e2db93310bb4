import { splitTarget } from '../canonical-resource.ts';
import { stringToSign } from '../string-to-sign.ts';

/** A known way to sign wrongly. */
export interface Mistake {
  /** For programs and logs; kebab-case, and it keeps its meaning. */
  readonly name: string;
  /** For people, after "likely cause:": what was done, then what to do instead. No full stop at the end. */
  readonly cause: string;
}

/** A mistake in the text that is signed. */
export interface StringMistake extends Mistake {
  /** The texts that someone who makes it may sign for this request; none when it cannot be made there. */
  readonly strings: (right: RightParts) => readonly string[];
}

/** The parts of the string that should have been signed, and what mistakes are made from. */
export interface RightParts {
  /** In upper case. */
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
  /** Scheme, host and port as the caller wrote them, when they are known. */
  readonly origin: string | undefined;
}

/** The parts as they are signed, with some of them changed. */
export function signedWith(right: RightParts, changes: Partial<RightParts>): string {
  return stringToSign({ ...right, ...changes });
}

/** The right parts in their order, without Content-MD5 where it does not participate. */
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

/** A request whose signature does not match, as far as its string to sign depends on it. */
export interface RequestOfString {
  readonly method: string;
  readonly target: string;
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
  readonly body: Uint8Array;
  /** False where the sender is not known to be who it says: then nothing of the body is parsed. */
  readonly mayParseBody?: boolean;
}

/**
 * Takes a right string to sign apart. Content-MD5 comes from there, because a large body should not be digested
 * a second time.
 */
export function rightParts(request: RequestOfString, rightString: string, origin?: string): RightParts {
  const { timestamp = '', nonce = '', target, body, mayParseBody = true } = request;
  const method = request.method.toUpperCase();
  const withoutMd5 = `${method}\n${timestamp}\n${nonce}\n`;
  const contentMd5 = rightString.startsWith(withoutMd5) ? undefined : rightString.split('\n', 2)[1];
  const head = contentMd5 === undefined ? withoutMd5.length : withoutMd5.length + contentMd5.length + 1;
  const canonicalResource = rightString.slice(head);
  return {
    method,
    contentMd5,
    timestamp,
    nonce,
    canonicalResource,
    target,
    body,
    mayParseBody,
    origin,
    ...splitTarget(target),
  };
}
