import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { stringifyExactJson } from '../src/json/exact-json.ts';

/** A request as it goes over the wire, signed or not. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, sent as given. */
  readonly target: string;
  /** A header whose value is `undefined` is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array | undefined;
  /** Sends the body in chunks, without announcing its length. */
  readonly chunked?: boolean | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends bytes exactly as given: `fetch` would add headers, and refuses a body on GET. With `Expect: 100-continue` it sends
 * the body only after the server has asked for it, which Node.js does not do by itself.
 */
export function sendRequest(port: number, agent: Agent, wire: WireRequest): Promise<WireAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  const body = wire.body === undefined ? undefined : Buffer.from(wire.body as Uint8Array);
  const sent = request({
    host: '127.0.0.1',
    port,
    agent,
    method: wire.method,
    path: asBytes(wire.target),
    headers: headersOf(wire, body),
  });
  sent.on('error', reject);
  sent.on('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
  });
  if (wire.headers?.Expect === '100-continue') sent.once('continue', () => sent.end(body));
  else sent.end(body);
  return promise;
}

function headersOf({ headers = {}, chunked }: WireRequest, body: Buffer | undefined): Record<string, string> {
  const length = chunked === true ? { 'Transfer-Encoding': 'chunked' } : lengthOf(body);
  const given = Object.entries({ ...length, ...headers });
  return Object.fromEntries(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, asBytes(value)]])),
  );
}

function lengthOf(body: Buffer | undefined): Record<string, string> {
  return body === undefined ? {} : { 'Content-Length': String(body.length) };
}

/** Re-encodes text so that Node.js, which writes the request line and headers as Latin-1, sends UTF-8 bytes. */
function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Returns text or bytes unchanged, and anything else as JSON. */
export function encodeBody(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
  return stringifyExactJson(body);
}
