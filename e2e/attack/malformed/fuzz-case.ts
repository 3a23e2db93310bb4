import { createHash, createHmac } from 'node:crypto';
import type { SeededRandom } from '../../seeded-random.ts';
import type { Credentials } from '../../signed-client.ts';
import type { RawRequest } from './raw-connection.ts';

/** The directory's objects that the cases may refer to. */
export interface FuzzWorld {
  readonly credentials: Credentials;
  readonly username: string;
  readonly userId: number;
  readonly storeCode: string;
}

/** A request that is wrong by construction: no answer to it may be a success. */
export interface FuzzCase extends RawRequest {
  /**
   * Whether its framing is valid HTTP, so that an answer must come. Otherwise closing the connection is a valid
   * answer too.
   */
  readonly sound: boolean;
}

export type MakeCase = (random: SeededRandom, world: FuzzWorld) => FuzzCase;

/** A request before it is encoded. Header names and values are sent as they are. */
export interface Draft {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export const noBody = Buffer.alloc(0);

/** Signs what a client library would refuse to sign. It decodes values if possible. */
export function signDraft(
  { appId, appSecret }: Credentials,
  random: SeededRandom,
  { method, target, body }: Pick<Draft, 'method' | 'target' | 'body'>,
): Draft['headers'] {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = `${random.integer(0, 2 ** 31)}-${random.integer(0, 2 ** 31)}`;
  const md5 = createHash('md5').update(body).digest('base64');
  const withMd5 = method === 'POST' || method === 'PUT' || body.length > 0;
  const parts = [method, ...(withMd5 ? [md5] : []), timestamp, nonce, sortedTarget(target)];
  const signature = createHmac('sha256', appSecret).update(parts.join('\n')).digest('base64');
  return [
    ['Authorization', `cbs:${appId}:${signature}`],
    ['Timestamp', timestamp],
    ['Nonce', nonce],
  ];
}

function sortedTarget(target: string): string {
  const [path, query] = target.split('?');
  if (query === undefined) return target;
  const name = (parameter: string) => parameter.split('=')[0] ?? '';
  const sorted = query
    .split('&')
    .map(decoded)
    .toSorted((a, b) => (name(a) < name(b) ? -1 : Number(name(a) > name(b))));
  return `${path}?${sorted.join('&')}`;
}

function decoded(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch {
    return parameter;
  }
}

/** A valid HTTP/1.1 request. */
export function soundCase(draft: Draft): FuzzCase {
  const length: Draft['headers'] =
    draft.body.length > 0 ? [['Content-Length', String(draft.body.length)]] : [];
  return {
    bytes: Buffer.concat([headOf(draft, length), draft.body]),
    responsesMax: 1,
    endAfterBytes: false,
    bodiless: draft.method === 'HEAD',
    sound: true,
  };
}

/** Arbitrary bytes; the sending side ends after them. */
export function brokenCase(bytes: Buffer): FuzzCase {
  return { bytes, responsesMax: 50, endAfterBytes: true, bodiless: false, sound: false };
}

/** Request line and headers; non-ASCII text is written as UTF-8. */
export function headOf({ method, target, headers }: Draft, more: Draft['headers'] = []): Buffer {
  const lines = [['Host', 'localhost'] as const, ...headers, ...more].map(
    ([name, value]) => `${name}: ${value}`,
  );
  return Buffer.from([`${method} ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
}

/** Returns a request with its Content-Length, as bytes. */
export function wholeOf(draft: Draft): Buffer {
  return Buffer.concat([headOf(draft, [['Content-Length', String(draft.body.length)]]), draft.body]);
}

/** Makes a signed request that is correct except that its user does not exist. */
export function harmlessDraft(random: SeededRandom, { credentials, storeCode }: FuzzWorld): Draft {
  const body = Buffer.from(JSON.stringify({ user_id: 999_999_999, store_code: storeCode }));
  const draft = { method: 'POST', target: '/user/store', body };
  const headers = [...signDraft(credentials, random, draft), ['Content-Type', 'application/json'] as const];
  return { ...draft, headers };
}
