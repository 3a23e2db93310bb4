import { parseAuthorization, repeatedHeaderSeparator, sentTimes } from './authorization-header.ts';
import { nonceCharacters } from './nonce.ts';

/** A header is missing or malformed. `problem` completes the sentence "the `header` header …". */
export interface MalformedHeader {
  readonly outcome: 'malformed-header';
  readonly header: 'Authorization' | 'Timestamp' | 'Nonce';
  readonly problem: string;
}

/** The contents of the three headers after their shape was checked. */
export interface SigningHeaders {
  readonly appId: string;
  readonly signature: string;
  readonly timestamp: string;
  readonly nonce: string;
}

/** The headers as received; `undefined` when missing. */
interface ReceivedHeaders {
  readonly authorization: string | undefined;
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
}

const timestampShape = /^[0-9]{1,16}$/;
const digits = /^[0-9]+$/;

/** Nanoseconds since the Unix epoch have this many digits until the year 2286. */
const digitsOfNanoseconds = 19;

/**
 * Checks the shape of the Authorization, Timestamp and Nonce headers, in that order, and reports the first
 * fault.
 */
export function readSigningHeaders(
  received: ReceivedHeaders,
  nonceCharactersMax: number,
): SigningHeaders | MalformedHeader {
  const { authorization, timestamp, nonce } = received;
  if (authorization === undefined) {
    return malformed('Authorization', 'is missing; expected cbs:<APPID>:<Signature>');
  }
  const credentials = parseAuthorization(authorization);
  if ('problem' in credentials) return malformed('Authorization', credentials.problem);
  if (timestamp === undefined || !timestampShape.test(timestamp)) {
    return malformed('Timestamp', timestampProblem(timestamp));
  }
  const problem = nonceProblem(nonce, nonceCharactersMax);
  if (problem !== undefined) return malformed('Nonce', problem);
  return {
    appId: credentials.appId,
    signature: credentials.signature,
    timestamp,
    nonce: nonce as string,
  };
}

function malformed(header: MalformedHeader['header'], problem: string): MalformedHeader {
  return { outcome: 'malformed-header', header, problem };
}

function timestampProblem(timestamp: string | undefined): string {
  const rule = 'expected whole seconds since the Unix epoch, 1 to 16 decimal digits';
  if (timestamp === undefined) return `is missing; ${rule}`;
  if (timestamp === '') return `is empty; ${rule}`;
  if (digits.test(timestamp)) {
    const unit = timestamp.length === digitsOfNanoseconds ? ', as nanoseconds have' : '';
    return `has ${timestamp.length} digits${unit}; ${rule}`;
  }
  const values = timestamp.split(repeatedHeaderSeparator);
  const isRepeated = values.length > 1 && values.every((value) => timestampShape.test(value));
  return isRepeated ? sentTimes(values.length) : `is not a number of seconds; ${rule}`;
}

function nonceProblem(nonce: string | undefined, charactersMax: number): string | undefined {
  const rule = `expected 1 to ${charactersMax} characters`;
  if (nonce === undefined) return `is missing; ${rule}`;
  if (nonce === '') return `is empty; ${rule}`;
  // A line feed would let a nonce pass for two parts of the string to sign. HTTP cannot carry one, but callers
  // may take headers from elsewhere.
  if (nonce.includes('\n')) return 'contains a line feed; send visible characters only';
  // A code point takes at least one code unit, so most nonces need no counting.
  if (nonce.length <= charactersMax) return undefined;
  const characters = nonceCharacters(nonce);
  if (characters <= charactersMax) return undefined;
  const [first, ...others] = nonce.split(repeatedHeaderSeparator);
  const isRepeated = others.length > 0 && others.every((value) => value === first);
  return isRepeated ? sentTimes(others.length + 1) : `has ${characters} characters; ${rule}`;
}
