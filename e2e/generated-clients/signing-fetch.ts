import { signRequest } from '@fieldroster/signing';

export interface Credentials {
  readonly appId: string;
  readonly appSecret: string;
}

/** Returns a `fetch` that signs each request, for clients that a generator made. */
export function signingFetch(credentials: Credentials): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? undefined : await request.text();
    const signed = signRequest({ ...credentials, method: request.method, target: pathname + search, body });
    const headers = new Headers(request.headers);
    for (const [name, value] of Object.entries(signed.headers)) headers.set(name, value);
    return fetch(request.url, { method: request.method, headers, ...(body !== undefined && { body }) });
  };
}
