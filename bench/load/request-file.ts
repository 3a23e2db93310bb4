import { writeFileSync } from 'node:fs';
import { signRequest } from '@fieldroster/signing';

/** A request before it is signed. */
export interface PlainRequest {
  readonly method: string;
  readonly target: string;
  readonly body?: string;
}

export interface Credentials {
  readonly appId: string;
  readonly appSecret: string;
}

/** The headers that prove who sends a request. */
export type Proof = (request: PlainRequest) => Readonly<Record<string, string>>;

/** Signs each request. A signature lives for 60 seconds, so that this is done right before a round. */
export function signedBy(credentials: Credentials): Proof {
  return ({ method, target, body }) => ({ ...signRequest({ ...credentials, method, target, body }).headers });
}

/** A request as it goes over the wire. */
export type Encoder = (request: PlainRequest) => Buffer;

/** Writes requests as they go over the wire, each after a line with its length in bytes. */
export function writeRequestFile(file: string, requests: Iterable<PlainRequest>, encode: Encoder): void {
  const records: Buffer[] = [];
  for (const request of requests) {
    const bytes = encode(request);
    records.push(Buffer.from(`${bytes.length}\n`), bytes);
  }
  writeFileSync(file, Buffer.concat(records));
}

/** Reads what `writeRequestFile` wrote. */
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

/** HTTP, with the headers that prove who sends it. */
export function inHttp(proof: Proof): Encoder {
  return (request) => Buffer.from(onTheWire(request, proof));
}

function onTheWire(request: PlainRequest, proof: Proof): string {
  const { method, target, body } = request;
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(proof(request)).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}
