import { type SecretKey, secretKey, signRequest } from '@fieldroster/signing';

/** How ids come back: `bigint` holds every int64; `number` throws {@link UnsafeIdError} beyond 2^53 - 1. */
export type IdMode = 'bigint' | 'number';

/** The type of an id in answers. */
export type IdOf<Ids extends IdMode> = Ids extends 'number' ? number : bigint;

/** What the client uses of `fetch`; the runtime's own fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** When a call that got no usable answer is tried again. */
export interface RetryOptions {
  /** Requests that one call may send, the first included. 16 by default; 1 never tries again. */
  readonly attemptsMax?: number | undefined;
  /** Longest pause before the second attempt; it doubles with each one after. 50 by default. */
  readonly delayMs?: number | undefined;
  /** Where the doubling ends. 2000 by default; a `Retry-After` may ask for more. */
  readonly delayMsMax?: number | undefined;
  /** No attempt starts later than this after the call began. 120 000 by default. */
  readonly budgetMs?: number | undefined;
}

export interface FieldrosterClientOptions<Ids extends IdMode = 'bigint'> {
  /** Where the server is, the base path included: `https://directory.example/api/v1`. */
  readonly url: string;
  /** The APPID, issued by the server's operator. */
  readonly appId: string;
  /** The APPSECRET that belongs to it. */
  readonly appSecret: string;
  /** Type of ids in answers, `'bigint'` by default. Both kinds are accepted in what is sent. */
  readonly ids?: Ids | undefined;
  /** Milliseconds that one attempt may take, the reading of its answer included. 15 000 by default. */
  readonly timeoutMs?: number | undefined;
  readonly retry?: RetryOptions | undefined;
  /** In place of the runtime's `fetch`: for a proxy, a connection pool, a trace. */
  readonly fetch?: Fetch | undefined;
  /** The local clock in Unix milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/** Options of a single call. */
export interface CallOptions {
  /**
   * Ends the call: it then rejects with the signal's reason. A write that was on its way may have been
   * applied all the same.
   */
  readonly signal?: AbortSignal | undefined;
  /** In place of the client's own `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
}

/** The options with every default filled in. */
export interface Settings {
  /** Scheme, host and base path, without a slash at the end. */
  readonly baseUrl: string;
  readonly appId: string;
  readonly appSecret: SecretKey;
  readonly ids: IdMode;
  readonly timeoutMs: number;
  readonly attemptsMax: number;
  readonly delayMs: number;
  readonly delayMsMax: number;
  readonly budgetMs: number;
  readonly fetch: Fetch;
  readonly now: () => number;
}

/** @throws {TypeError} for an option that no call could work with */
export function readOptions(options: FieldrosterClientOptions<IdMode>): Settings {
  const { appId, appSecret, ids = 'bigint', retry = {} } = options;
  requireCredentials(appId, appSecret);
  if (ids !== 'bigint' && ids !== 'number') throw new TypeError("ids must be 'bigint' or 'number'");
  return {
    baseUrl: readBaseUrl(options.url),
    appId,
    appSecret: secretKey(appSecret),
    ids,
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? 15_000),
    attemptsMax: positive('retry.attemptsMax', retry.attemptsMax ?? 16),
    delayMs: positive('retry.delayMs', retry.delayMs ?? 50),
    delayMsMax: positive('retry.delayMsMax', retry.delayMsMax ?? 2000),
    budgetMs: positive('retry.budgetMs', retry.budgetMs ?? 120_000),
    // Called as a bare function: browsers and workers refuse a `fetch` that is a method of something else.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    now: options.now ?? Date.now,
  };
}

/** Signs a request that is never sent, so that credentials which cannot work are told at once. */
function requireCredentials(appId: string, appSecret: string): void {
  if (typeof appSecret !== 'string' || appSecret === '') {
    throw new TypeError('appSecret must be a text that is not empty');
  }
  const trial = signRequest({ appId, appSecret, method: 'GET', target: '/', nonce: 'trial' });
  new Headers({ ...trial.headers });
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('url must be an absolute http or https URL');
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new TypeError('url must hold scheme, host and base path only');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** @throws {TypeError} for anything but a positive number */
export function positive(name: string, value: number): number {
  if (!(typeof value === 'number' && value > 0)) throw new TypeError(`${name} must be a positive number`);
  return value;
}
