import { type SignedRequest, signRequest } from '@fieldroster/signing';

/** A request as the user entered it. */
export interface RequestDraft {
  readonly method: string;
  /** Scheme and host, such as `https://directory.example`. A path after them, which a proxy removes, is not signed. */
  readonly origin: string;
  /** Path, including the base path. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
  readonly appId: string;
  readonly appSecret: string;
}

/** A request that is ready to send, and how it was signed. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signed: SignedRequest;
}

/** Signs a request. Throws `TypeError` for impossible input, such as an APPID with a colon. */
export function prepareRequest(draft: RequestDraft): PreparedRequest {
  const { method, body, appId, appSecret } = draft;
  const target = targetOf(draft);
  const signed = signRequest({ appId, appSecret, method, target, body });
  const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return {
    method,
    url: draft.origin + target,
    headers: { ...signed.headers, ...contentType },
    body,
    signed,
  };
}

/** Returns path and query as they are sent and signed. */
export function targetOf({ origin, path, query }: Pick<RequestDraft, 'origin' | 'path' | 'query'>): string {
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  // Encodes as the browser does, which may encode characters that encodeURIComponent leaves alone.
  const { pathname, search } = new URL(path + (pairs.length === 0 ? '' : `?${pairs.join('&')}`), origin);
  return pathname + search;
}
