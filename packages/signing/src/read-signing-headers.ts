import { parseAuthorization, repeatedHeaderSeparator, sentTimes } from './authorization-header.ts';
import { nonceCharacters } from './nonce.ts';
import { showInvisible } from './show-invisible.ts';

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

const timestampRule = 'expected whole seconds since the Unix epoch, 1 to 16 decimal digits';

/**
 * Checks the shape of the Authorization, Timestamp and Nonce headers, in that order. Reports the first fault, and
 * every other header that is missing, so that nobody has to add them one by one.
 */
export function readSigningHeaders(
  received: ReceivedHeaders,
  nonceCharactersMax: number,
): SigningHeaders | MalformedHeader {
  const { authorization, timestamp, nonce } = received;
  const malformed = (header: MalformedHeader['header'], problem: string): MalformedHeader => ({
    outcome: 'malformed-header',
    header,
    problem: problem + alsoMissing(received, header),
  });
  if (authorization === undefined) {
    return malformed('Authorization', 'is missing; expected cbs:<APPID>:<Signature>');
  }
  const credentials = parseAuthorization(authorization);
  if ('problem' in credentials) return malformed('Authorization', credentials.problem);
  const ofTimestamp = timestampFault(timestamp);
  if (ofTimestamp !== undefined) return malformed('Timestamp', say(ofTimestamp, timestampRule));
  const ofNonce = nonceFault(nonce, nonceCharactersMax);
  if (ofNonce !== undefined)
    return malformed('Nonce', say(ofNonce, `expected 1 to ${nonceCharactersMax} characters`));
  return {
    appId: credentials.appId,
    signature: credentials.signature,
    timestamp: timestamp as string,
    nonce: nonce as string,
  };
}

/** Returns the end of a sentence about one header, which names the others that are missing. */
function alsoMissing({ authorization, timestamp, nonce }: ReceivedHeaders, header: string): string {
  const names = Object.entries({ Authorization: authorization, Timestamp: timestamp, Nonce: nonce })
    .filter(([name, value]) => name !== header && value === undefined)
    .map(([name]) => name);
  if (names.length === 0) return '';
  return names.length === 1
    ? `; the ${names[0]} header is missing too`
    : `; the ${names.join(' and ')} headers are missing too`;
}

/** A fault of a Timestamp or a Nonce, as data. */
export type HeaderFault =
  | { readonly kind: 'missing' | 'empty' | 'nanoseconds' | 'line-feed' }
  | { readonly kind: 'not-seconds'; readonly value: string }
  | { readonly kind: 'repeated'; readonly times: number }
  | { readonly kind: 'too-many-digits'; readonly digits: number }
  | { readonly kind: 'too-long'; readonly characters: number; readonly max: number };

/** Returns what is wrong with a Timestamp, if anything. */
export function timestampFault(timestamp: string | undefined): HeaderFault | undefined {
  if (timestamp === undefined) return { kind: 'missing' };
  if (timestamp === '') return { kind: 'empty' };
  if (timestampShape.test(timestamp)) return undefined;
  if (digits.test(timestamp)) {
    const { length } = timestamp;
    return length === digitsOfNanoseconds
      ? { kind: 'nanoseconds' }
      : { kind: 'too-many-digits', digits: length };
  }
  const values = timestamp.split(repeatedHeaderSeparator);
  const isRepeated = values.length > 1 && values.every((value) => timestampShape.test(value));
  return isRepeated ? { kind: 'repeated', times: values.length } : { kind: 'not-seconds', value: timestamp };
}

/** Returns what is wrong with a Nonce, if anything. */
export function nonceFault(nonce: string | undefined, max: number): HeaderFault | undefined {
  if (nonce === undefined) return { kind: 'missing' };
  if (nonce === '') return { kind: 'empty' };
  // A line feed would let a nonce pass for two parts of the string to sign. HTTP cannot carry one, but callers
  // may take headers from elsewhere.
  if (nonce.includes('\n')) return { kind: 'line-feed' };
  // A code point takes at least one code unit, so most nonces need no counting.
  if (nonce.length <= max) return undefined;
  const characters = nonceCharacters(nonce);
  if (characters <= max) return undefined;
  const [first, ...others] = nonce.split(repeatedHeaderSeparator);
  const isRepeated = others.length > 0 && others.every((value) => value === first);
  return isRepeated ? { kind: 'repeated', times: others.length + 1 } : { kind: 'too-long', characters, max };
}

const charactersShown = 30;

function quoteShortly(text: string): string {
  const short = text.length > charactersShown ? `${text.slice(0, charactersShown)}…` : text;
  return showInvisible(JSON.stringify(short));
}

/** @param rule what the header must be */
function say(fault: HeaderFault, rule: string): string {
  switch (fault.kind) {
    case 'repeated':
      return sentTimes(fault.times);
    case 'line-feed':
      return 'contains a line feed; send visible characters only';
    case 'too-long':
      return `has ${fault.characters} characters; ${rule}`;
    case 'too-many-digits':
      return `has ${fault.digits} digits; ${rule}`;
    case 'nanoseconds':
      return `has ${digitsOfNanoseconds} digits, as nanoseconds have; ${rule}`;
    case 'not-seconds':
      return `is ${quoteShortly(fault.value)}, which is not a number of seconds; ${rule}`;
    default:
      return `is ${fault.kind}; ${rule}`;
  }
}
