import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { signRequest } from '@fieldroster/signing';

export interface Credentials {
  readonly appId: string;
  readonly appSecret: string;
}

export interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data?: Record<string, unknown>;
}

/** A request with its signature; the same object sent twice is the same signed request. */
export interface SignedCall {
  readonly method: string;
  readonly target: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The server gave no whole answer: the caller cannot know whether the request took effect. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

export function signCall(
  { appId, appSecret }: Credentials,
  method: string,
  target: string,
  content?: unknown,
): SignedCall {
  const body = content === undefined ? undefined : JSON.stringify(content);
  const { headers } = signRequest({ appId, appSecret, method, target, body, nonce: randomUUID() });
  return {
    method,
    target,
    body,
    headers: {
      ...headers,
      ...(body !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
      }),
    },
  };
}

/** Sends signed requests over connections that are kept open, one request at a time on each. */
export class SignedClient {
  readonly #url: URL;
  readonly #credentials: Credentials;
  readonly #agent: Agent;

  constructor(url: string, credentials: Credentials, connectionsMax = 64) {
    this.#url = new URL(url);
    this.#credentials = credentials;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connectionsMax });
  }

  call(method: string, target: string, content?: unknown): Promise<Envelope> {
    return this.send(signCall(this.#credentials, method, target, content));
  }

  /** @throws {NoAnswerError} when the connection breaks before the answer is complete */
  send(call: SignedCall): Promise<Envelope> {
    const { promise, resolve, reject } = Promise.withResolvers<Envelope>();
    const fail = (error: Error) => reject(new NoAnswerError(error.message, { cause: error }));
    const outgoing = request(
      {
        host: this.#url.hostname,
        port: this.#url.port,
        method: call.method,
        path: call.target,
        headers: call.headers,
        agent: this.#agent,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('error', fail);
        response.on('end', () => resolve(JSON.parse(text) as Envelope));
      },
    );
    outgoing.on('error', fail);
    outgoing.end(call.body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}
