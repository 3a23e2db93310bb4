import { type IncomingMessage, ServerResponse } from 'node:http';

/** An answer holds personal data and is never a page: nothing may keep it, guess at its type or frame it. */
const answerHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

/** Header lines as they go over the wire, each with its line end. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** What every answer begins with, apart from the files of the reference. */
export const answerHeaderLines = headerLines(answerHeaders);

type StoreHeader = (this: ServerResponse, statusLine: string, headers: unknown) => void;

/** Node.js joins the status line and the headers in this function. It is not documented, so the server checks for it at its start. */
const storeHeader = requireFunction(Reflect.get(ServerResponse.prototype, '_storeHeader'));

function requireFunction(value: unknown): StoreHeader {
  if (typeof value !== 'function') throw new TypeError('this release of Node.js has no _storeHeader');
  return value as StoreHeader;
}

/**
 * A response that begins with the same header lines for every request. Node.js validates each header every time
 * that it is set: for four of them that takes 0.8 µs, 4 % of the time of a query of a user.
 */
export class ResponseWithFixedHeaders<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  fixedHeaderLines = answerHeaderLines;

  _storeHeader(statusLine: string, headers: unknown): void {
    storeHeader.call(this, statusLine + this.fixedHeaderLines, headers);
  }
}

/** Makes this response begin with other header lines than an operation's. */
export function replaceFixedHeaders(response: ServerResponse, lines: string): void {
  if (!(response instanceof ResponseWithFixedHeaders))
    throw new TypeError('the response has no fixed headers');
  response.fixedHeaderLines = lines;
}
