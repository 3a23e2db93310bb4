import { formatAuthorization } from './authorization-header.ts';
import { canonicalResource, type PlusReading, parseQuery, splitTarget } from './canonical-resource.ts';
import { contentMd5, contentMd5Participates } from './content-md5.ts';
import { nonceCharacters, nonceCharactersMaxDefault } from './nonce.ts';
import { type Secret, signature } from './signature.ts';
import { stringToSign } from './string-to-sign.ts';

/** A request to sign, and the credentials to sign it with. */
export interface RequestToSign {
  /** Issued by the service's operator; has no colon and no white space. */
  readonly appId: string;
  /** The APPSECRET that belongs to `appId`. */
  readonly appSecret: Secret;
  /** HTTP method, in any case. */
  readonly method: string;
  /** Path and query exactly as they will be sent, with the base path and still percent-encoded. */
  readonly target: string;
  /** The body exactly as it will be sent; a string is sent as UTF-8. Default: no body. */
  readonly body?: string | Uint8Array | undefined;
  /** Whole seconds since the Unix epoch. Default: now. */
  readonly timestampSeconds?: number | undefined;
  /** 1 to 36 characters. Default: a random UUID. */
  readonly nonce?: string | undefined;
  /** Omits Content-MD5 for every method, as the image upload operation requires. */
  readonly omitContentMd5?: boolean | undefined;
  /** How to read `+` in the query. Default: `'space'`. This project's servers accept both. */
  readonly plus?: PlusReading | undefined;
}

/** The headers to send, and each stage's value to compare with a server's when a signature does not match. */
export interface SignedRequest {
  readonly headers: { readonly Authorization: string; readonly Timestamp: string; readonly Nonce: string };
  readonly stringToSign: string;
  /** `undefined` when Content-MD5 is not part of the string to sign. */
  readonly contentMd5: string | undefined;
  readonly canonicalResource: string;
}

const noBody = new Uint8Array();

/**
 * Signs a request and returns the three headers that it must carry.
 *
 * @throws {TypeError} for an argument that no valid request could have, such as a nonce of 37 characters
 * @throws {MalformedQueryError} when the target's query cannot be decoded
 */
export function signRequest(request: RequestToSign): SignedRequest {
  const timestamp = String(request.timestampSeconds ?? Math.floor(Date.now() / 1000));
  const nonce = request.nonce ?? randomNonce();
  refuseMistakes(request, timestamp, nonce);
  const resource = resourceToSign(request.target, request.plus ?? 'space');
  const md5 = md5ToSign(request);
  const text = stringToSign({
    method: request.method,
    contentMd5: md5,
    timestamp,
    nonce,
    canonicalResource: resource,
  });
  const authorization = formatAuthorization(request.appId, signature(request.appSecret, text));
  return {
    headers: { Authorization: authorization, Timestamp: timestamp, Nonce: nonce },
    stringToSign: text,
    contentMd5: md5,
    canonicalResource: resource,
  };
}

function resourceToSign(target: string, plus: PlusReading): string {
  const { path, query } = splitTarget(target);
  return canonicalResource(path, parseQuery(query, plus));
}

function md5ToSign({ method, body, omitContentMd5 }: RequestToSign): string | undefined {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? noBody);
  if (omitContentMd5 === true || !contentMd5Participates(method, bytes.length)) return undefined;
  return contentMd5(bytes);
}

function refuseMistakes(request: RequestToSign, timestamp: string, nonce: string): void {
  // A variable of the environment that is not set would be signed as the text "undefined".
  const isText = typeof request.appId === 'string';
  demand(
    isText && /^[^:\s]+$/.test(request.appId),
    'appId must be a non-empty string without colons or white space',
  );
  demand(request.appSecret !== '', 'appSecret must not be empty');
  demand(/^[A-Za-z]+(-[A-Za-z]+)*$/.test(request.method), 'method must be an HTTP method such as "GET"');
  demand(request.target.startsWith('/'), 'target must start with "/": the path and query without the origin');
  demand(!/\s/.test(request.target), 'target must not contain white space: percent-encode it as it is sent');
  demand(/^\d{1,16}$/.test(timestamp), 'timestampSeconds must be whole seconds since the Unix epoch');
  const characters = nonceCharacters(nonce);
  demand(
    characters >= 1 && characters <= nonceCharactersMaxDefault,
    `nonce must have 1 to ${nonceCharactersMaxDefault} characters, not ${characters}`,
  );
  // HTTP strips white space around a header's value, so the server would verify a different nonce.
  demand(!/^\s|\s$|\p{Cc}/u.test(nonce), 'nonce must not have control characters or white space at its ends');
}

function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new TypeError(message);
}

/** Browsers offer randomUUID only on pages of a secure origin; getRandomValues works on every page. */
function randomNonce(): string {
  const { crypto } = globalThis;
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
