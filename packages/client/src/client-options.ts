import { type SecretKey, secretKey, signRequest } from '@fieldroster/signing';
import type { RetryOptions } from './call-options.ts';
import type { ClientHooks } from './client-hooks.ts';
import { answerBytesMaxDefault } from './read-text.ts';

/**
 * The type of ids in answers: `bigint` holds every int64, but `JSON.stringify` refuses it; `text` is a string of
 * digits; `number` throws {@link UnsafeIdError} beyond 2^53 - 1.
 */
export type IdMode = 'bigint' | 'number' | 'text';

/** The type of an id in answers. */
export type IdOf<Ids extends IdMode> = Ids extends 'number'
  ? number
  : Ids extends 'text'
    ? `${bigint}`
    : bigint;

/** The part of `fetch` that the client uses; the runtime's own fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of a client. Only `url`, `appId` and `appSecret` are required. */
export interface FieldrosterClientOptions<Ids extends IdMode = 'bigint'> {
  /** The server's URL, including the base path: `https://directory.example/api/v1`. */
  readonly url: string;
  /** The APPID, issued by the server's operator. */
  readonly appId: string;
  /** The APPSECRET that belongs to it. */
  readonly appSecret: string;
  /** Type of ids in answers. Default: `'bigint'`. Inputs accept all three types. */
  readonly ids?: Ids | undefined;
  /**
   * Milliseconds that one attempt may take, including reading the answer. Default: 15,000, and more for a large batch;
   * `Infinity` sets no limit.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Most bytes of an answer, decompressed. Default and most: 536,870,888, the longest string that runtimes hold.
   */
  readonly answerBytesMax?: number | undefined;
  /** When to retry a call that got no usable answer; see {@link RetryOptions} for each default. */
  readonly retry?: RetryOptions | undefined;
  /** Observe the requests of all calls. */
  readonly hooks?: ClientHooks | undefined;
  /** Replaces the runtime's `fetch`, for example to add a proxy, a connection pool or tracing. */
  readonly fetch?: Fetch | undefined;
  /** The local clock in Unix milliseconds. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** The retry options with every default filled in. */
export type RetrySettings = { readonly [Name in keyof RetryOptions]-?: number };

/** The options with every default filled in. */
export interface Settings {
  /** Scheme, host and base path, without a trailing slash. */
  readonly baseUrl: string;
  readonly appId: string;
  readonly appSecret: SecretKey;
  readonly ids: IdMode;
  /** If undefined, it depends on the call. */
  readonly timeoutMs: number | undefined;
  readonly answerBytesMax: number;
  readonly retry: RetrySettings;
  readonly hooks: ClientHooks;
  readonly fetch: Fetch;
  readonly now: () => number;
}

const retryDefaults: RetrySettings = { attemptsMax: 16, delayMs: 50, delayMsMax: 2000, budgetMs: 120_000 };

/** @throws {TypeError} for an option that no call could work with */
export function readOptions(options: FieldrosterClientOptions<IdMode>): Settings {
  const { appId, appSecret, ids = 'bigint', retry, hooks = {} } = options;
  requireCredentials(appId, appSecret);
  if (!['bigint', 'number', 'text'].includes(ids))
    throw new TypeError(`ids must be 'bigint', 'number' or 'text'; it is ${JSON.stringify(ids)}`);
  return {
    baseUrl: readBaseUrl(options.url),
    appId,
    appSecret: secretKey(appSecret),
    ids,
    timeoutMs: options.timeoutMs === undefined ? undefined : positive('timeoutMs', options.timeoutMs),
    answerBytesMax: Math.min(
      positive('answerBytesMax', options.answerBytesMax ?? answerBytesMaxDefault),
      answerBytesMaxDefault,
    ),
    retry: readRetry(retry, retryDefaults),
    hooks,
    // Called as a bare function: browsers and workers reject `fetch` called as a method of another object.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    now: options.now ?? Date.now,
  };
}

/** @throws {TypeError} for anything but positive numbers */
export function readRetry(options: RetryOptions = {}, defaults: RetrySettings): RetrySettings {
  const read = (name: keyof RetrySettings) => positive(`retry.${name}`, options[name] ?? defaults[name]);
  return {
    attemptsMax: read('attemptsMax'),
    delayMs: read('delayMs'),
    delayMsMax: read('delayMsMax'),
    budgetMs: read('budgetMs'),
  };
}

/** Signs a request that is never sent, so that unusable credentials fail at once. */
function requireCredentials(appId: string, appSecret: string): void {
  if (typeof appSecret !== 'string' || appSecret === '') {
    throw new TypeError('appSecret must be a non-empty string');
  }
  const trial = signRequest({ appId, appSecret, method: 'GET', target: '/', nonce: 'trial' });
  new Headers({ ...trial.headers });
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      'url must be an absolute http or https URL, such as https://directory.example/api/v1',
    );
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new TypeError(
      'url must contain only a scheme, a host and a base path: leave out user, password, query and fragment',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** @throws {TypeError} for anything but a positive number */
export function positive(name: string, value: number): number {
  if (!(typeof value === 'number' && value > 0))
    throw new TypeError(`${name} must be a positive number; it is ${String(value)}`);
  return value;
}
