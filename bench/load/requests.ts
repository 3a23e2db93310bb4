import { writeFileSync } from 'node:fs';
import { signRequest } from '@fieldroster/signing';
import type { SeededDirectory } from '../directory/seed.ts';

/** A request before it is signed. */
export interface PlainRequest {
  readonly method: string;
  readonly target: string;
  readonly body?: string;
}

/** Returns the headers that authenticate a request. */
export type HeadersOf = (request: PlainRequest) => Readonly<Record<string, string>>;

/** Signs each request. A signature expires after 60 seconds, so sign right before a round. */
export function signedBy({ appId, appSecret }: Pick<SeededDirectory, 'appId' | 'appSecret'>): HeadersOf {
  return (request) => ({ ...signRequest({ appId, appSecret, ...request }).headers });
}

/** Writes each request in HTTP after a line with the number of its bytes. */
export function writeRequestFile(
  file: string,
  requests: readonly PlainRequest[],
  headersOf: HeadersOf,
): void {
  const lines = requests.flatMap((request) => {
    const bytes = inHttp(request, headersOf(request));
    return [Buffer.from(`${bytes.length}\n`), bytes];
  });
  writeFileSync(file, Buffer.concat(lines));
}

function inHttp({ method, target, body = '' }: PlainRequest, proof: ReturnType<HeadersOf>): Buffer {
  const length = Buffer.byteLength(body);
  const content = length > 0 && { 'Content-Type': 'application/json', 'Content-Length': length };
  const headers = Object.entries({ Host: '127.0.0.1', ...proof, ...content });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}
