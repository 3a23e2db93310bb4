import {
  canonicalResource,
  MalformedQueryError,
  parseQuery,
  type QueryFault,
  type QueryParameter,
  type QueryReading,
  queryReadings,
  splitTarget,
} from './canonical-resource.ts';
import { contentMd5, contentMd5Participates } from './content-md5.ts';
import { nonceCharactersMaxDefault } from './nonce.ts';
import { type MalformedHeader, readSigningHeaders, type SigningHeaders } from './read-signing-headers.ts';
import { type Secret, secretKey, signature, signaturesEqual } from './signature.ts';
import { stringToSign } from './string-to-sign.ts';

/** A request as it arrived. Header values are text: decode non-ASCII bytes as UTF-8 first. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query as received, still encoded. */
  readonly target: string;
  /** The header's value; `undefined` when missing, as for the next two. */
  readonly authorization: string | undefined;
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
  /** The bytes received; empty when there is no body. */
  readonly body: Uint8Array;
  /** The Content-MD5 of `body` in Base64, if it was computed while the body arrived. */
  readonly bodyMd5?: string | undefined;
}

/** The parts of a request that are known before its body has arrived. */
export type ReceivedHead = Omit<ReceivedRequest, 'body' | 'bodyMd5'>;

/** The secrets, the clock and the limits to verify against. */
export interface VerifyOptions {
  /**
   * Returns an application's live secrets (at most two). `undefined` or an empty list means unknown
   * application.
   */
  readonly findSecrets: (appId: string) => readonly Secret[] | undefined;
  /**
   * Stands in for the secret of an unknown application, whose refusal takes as much work as a wrong signature. Give
   * it the form of the secrets that `findSecrets` returns. Default: a {@link secretKey}.
   */
  readonly standIn?: Secret | undefined;
  /** The server's clock, whole seconds since the Unix epoch. */
  readonly nowSeconds: number;
  /** The largest accepted difference between `nowSeconds` and the timestamp, in either direction. Default: 60. */
  readonly timestampSkewSeconds?: number | undefined;
  /** The longest accepted nonce, in code points. Default: 36. */
  readonly nonceCharactersMax?: number | undefined;
  /** Omits Content-MD5 for every method, for the image upload operation. */
  readonly omitContentMd5?: boolean | undefined;
}

/** The signature matches. */
export interface Verified {
  readonly outcome: 'verified';
  readonly appId: string;
  readonly timestampSeconds: number;
  readonly nonce: string;
  readonly signature: string;
  /** Index of the application's secret that matched. */
  readonly secretIndex: number;
  readonly path: string;
  /** In the order received, in the reading of `+` and of names that was signed. */
  readonly parameters: readonly QueryParameter[];
  /** Whether the target has several readings: a different signature of it may then mean different parameters. */
  readonly ambiguous: boolean;
}

/** The timestamp is too far from the server's clock; `differenceSeconds` is the distance, never negative. */
export interface Expired {
  readonly outcome: 'expired';
  readonly appId: string;
  readonly timestampSeconds: number;
  readonly nowSeconds: number;
  readonly differenceSeconds: number;
}

export type { MalformedHeader };

/** No active application has this APPID. */
export interface UnknownApplication {
  readonly outcome: 'unknown-application';
  readonly appId: string;
}

/** A refusal that needs the headers alone. */
type HeadRefusal = MalformedHeader | UnknownApplication | Expired;

/** Nothing is wrong with the headers; the query, the body and the signature are left to check. */
export interface AcceptedHead {
  readonly outcome: 'accepted-head';
  readonly appId: string;
}

/** The result of {@link verifyHead}, distinguished by `outcome`. */
export type HeadVerification = AcceptedHead | HeadRefusal;

/** The result of {@link verifyRequest}, distinguished by `outcome`. */
export type Verification = Verified | HeadRefusal | MalformedQuery | Mismatched;

/**
 * The query cannot be decoded or signed; `problem` names the parameter and says why. It quotes what was sent, which may be
 * part of a secret: for a log, say the `fault` without that, with {@link sayQueryFault}.
 */
export interface MalformedQuery {
  readonly outcome: 'malformed-query';
  readonly appId: string;
  readonly problem: string;
  /** The problem as data. */
  readonly fault: QueryFault;
}

/** No accepted reading of the request gives the signature. */
export interface Mismatched {
  readonly outcome: 'mismatch';
  readonly appId: string;
  /**
   * The strings that a right signature would have signed: one, or up to four when the query has several
   * readings.
   */
  readonly stringsToSign: readonly string[];
  /** The reading for each of `stringsToSign`, in the same order. */
  readonly readings: readonly QueryReading[];
}

const standInDefault = secretKey('stands in for a secret that does not exist');

/**
 * Verifies a received request's signature. Checks the headers' shape, the application, the timestamp, the
 * query's encoding and the signature, in this order, and reports the first failure. Reads no clock and keeps no
 * state: the same arguments give the same result. The caller must refuse replayed requests.
 *
 * @throws only what `options.findSecrets` throws
 */
export function verifyRequest(received: ReceivedRequest, options: VerifyOptions): Verification {
  const headers = readSigningHeaders(received, options.nonceCharactersMax ?? nonceCharactersMaxDefault);
  if ('outcome' in headers) return headers;
  const secrets = options.findSecrets(headers.appId);
  if (secrets === undefined || secrets.length === 0) return refuseUnknown(received, headers, options);
  return checkTimestamp(headers, options) ?? checkSignature(received, headers, secrets, options);
}

const noBody = new Uint8Array();

/**
 * Runs the checks of {@link verifyRequest} that need no body: the headers' shape, the application and the
 * timestamp. A server calls it before buffering a body, and {@link verifyRequest} once the body has arrived.
 *
 * @throws only what `options.findSecrets` throws
 */
export function verifyHead(received: ReceivedHead, options: VerifyOptions): HeadVerification {
  const headers = readSigningHeaders(received, options.nonceCharactersMax ?? nonceCharactersMaxDefault);
  if ('outcome' in headers) return headers;
  const secrets = options.findSecrets(headers.appId);
  if (secrets === undefined || secrets.length === 0) {
    return refuseUnknown({ ...received, body: noBody }, headers, options);
  }
  return checkTimestamp(headers, options) ?? { outcome: 'accepted-head', appId: headers.appId };
}

// Response times must not reveal which APPIDs exist: an unknown one takes the same work as a wrong signature.
// The result is discarded, even if it matches.
function refuseUnknown(
  received: ReceivedRequest,
  headers: SigningHeaders,
  options: VerifyOptions,
): UnknownApplication {
  checkTimestamp(headers, options);
  checkSignature(received, headers, [options.standIn ?? standInDefault], options);
  return { outcome: 'unknown-application', appId: headers.appId };
}

function checkTimestamp(headers: SigningHeaders, options: VerifyOptions): Expired | undefined {
  const { nowSeconds, timestampSkewSeconds = 60 } = options;
  const timestampSeconds = Number(headers.timestamp);
  const differenceSeconds = Math.abs(nowSeconds - timestampSeconds);
  if (differenceSeconds <= timestampSkewSeconds) return undefined;
  return { outcome: 'expired', appId: headers.appId, timestampSeconds, nowSeconds, differenceSeconds };
}

function checkSignature(
  received: ReceivedRequest,
  headers: SigningHeaders,
  secrets: readonly Secret[],
  options: VerifyOptions,
): Verification {
  try {
    return matchReadings(received, headers, secrets, options);
  } catch (error) {
    if (!(error instanceof MalformedQueryError)) throw error;
    return { outcome: 'malformed-query', appId: headers.appId, problem: error.message, fault: error.fault };
  }
}

function matchReadings(
  received: ReceivedRequest,
  headers: SigningHeaders,
  secrets: readonly Secret[],
  options: VerifyOptions,
): Verification {
  const { path, query } = splitTarget(received.target);
  const md5 = md5ToVerify(received, options);
  const stringsToSign: string[] = [];
  const tried: QueryReading[] = [];
  const readings = queryReadings(query);
  for (const reading of readings) {
    const parameters = parseQuery(query, reading.plus, reading.names);
    const text = stringToSign({
      method: received.method,
      contentMd5: md5,
      timestamp: headers.timestamp,
      nonce: headers.nonce,
      canonicalResource: canonicalResource(path, parameters),
    });
    if (stringsToSign.includes(text)) continue;
    const secretIndex = matchingSecret(secrets, text, headers.signature);
    if (secretIndex !== -1) {
      return verified(headers, { secretIndex, path, parameters, ambiguous: readings.length > 1 });
    }
    stringsToSign.push(text);
    tried.push(reading);
  }
  return { outcome: 'mismatch', appId: headers.appId, stringsToSign, readings: tried };
}

function md5ToVerify({ method, body, bodyMd5 }: ReceivedRequest, options: VerifyOptions): string | undefined {
  if (options.omitContentMd5 === true || !contentMd5Participates(method, body.length)) return undefined;
  return bodyMd5 ?? contentMd5(body);
}

function matchingSecret(secrets: readonly Secret[], text: string, claimed: string): number {
  return secrets.findIndex((secret) => signaturesEqual(signature(secret, text), claimed));
}

function verified(
  { appId, timestamp, nonce, signature: matched }: SigningHeaders,
  {
    secretIndex,
    path,
    parameters,
    ambiguous,
  }: Pick<Verified, 'secretIndex' | 'path' | 'parameters' | 'ambiguous'>,
): Verified {
  return {
    outcome: 'verified',
    appId,
    timestampSeconds: Number(timestamp),
    nonce,
    signature: matched,
    secretIndex,
    path,
    parameters,
    ambiguous,
  };
}
