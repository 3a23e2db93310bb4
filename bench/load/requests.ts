import { writeFileSync } from 'node:fs';
import { signRequest } from '@fieldroster/signing';
import type { SeededDirectory } from '../directory/seed.ts';

/** A request before it is signed. */
export interface PlainRequest {
  readonly method: string;
  readonly target: string;
  readonly body?: string;
}

/** The headers that authenticate a request. */
export type Proof = (request: PlainRequest) => Readonly<Record<string, string>>;

/** The credentials of an application. */
export type Signer = Pick<SeededDirectory, 'appId' | 'appSecret'>;

/** Signs each request. A signature expires after 60 seconds, so sign right before a round. */
export function signedBy({ appId, appSecret }: Signer): Proof {
  return (request) => ({ ...signRequest({ appId, appSecret, ...request }).headers });
}

/** Turns a request into the bytes to send. */
export type Encoder = (request: PlainRequest) => Buffer;

/** Writes each request after a line with the number of its bytes. */
export function writeRequestFile(file: string, requests: readonly Buffer[]): void {
  writeFileSync(file, Buffer.concat(requests.flatMap((bytes) => [Buffer.from(`${bytes.length}\n`), bytes])));
}

/** Reads a file of `writeRequestFile`. */
export function splitRequestFile(content: Buffer): Buffer[] {
  const requests: Buffer[] = [];
  let at = 0;
  while (at < content.length) {
    const lineEnd = content.indexOf('\n', at);
    const start = lineEnd + 1;
    const end = start + Number(content.toString('latin1', at, lineEnd));
    requests.push(content.subarray(start, end));
    at = end;
  }
  return requests;
}

/** Encodes requests as HTTP with the headers of the proof. */
export function inHttp(proof: Proof): Encoder {
  return (request) => {
    const { method, target, body = '' } = request;
    const length = Buffer.byteLength(body);
    const content = length > 0 && { 'Content-Type': 'application/json', 'Content-Length': length };
    const headers = Object.entries({ Host: '127.0.0.1', ...proof(request), ...content });
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  };
}

/** Whether the received bytes are a successful answer; undefined until the answer is complete. */
export type AnswerReader = (received: Buffer) => boolean | undefined;

/** Accepts HTTP answers whose body begins with the prefix. */
export function httpAnswerReader(successPrefix: string): AnswerReader {
  return (received) => {
    const headersEnd = received.indexOf('\r\n\r\n');
    if (headersEnd === -1) return undefined;
    const headers = received.toString('latin1', 0, headersEnd + 2);
    const length = /\r\ncontent-length: *(\d+)/i.exec(headers)?.[1];
    const start = headersEnd + 4;
    if (received.length - start < Number(length)) return undefined;
    return received.toString('utf8', start, start + successPrefix.length) === successPrefix;
  };
}
