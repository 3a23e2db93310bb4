import { randomUUID } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
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

/** Everything that a client sees of an answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly envelope: Envelope;
}

/** A signed request. Sending the same object twice repeats the request with its signature. */
export interface SignedCall {
  readonly method: string;
  readonly target: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer was missing or incomplete: the caller cannot know whether the request took effect. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

export function signCall(
  credentials: Credentials,
  method: string,
  target: string,
  content?: unknown,
): SignedCall {
  const body = content === undefined ? undefined : JSON.stringify(content);
  return signText(credentials, method, target, body);
}

/**
 * Signs a body as it is: JSON text, or something that is deliberately not JSON.
 *
 * @param aheadSeconds how far the timestamp is in the future
 */
export function signText(
  { appId, appSecret }: Credentials,
  method: string,
  target: string,
  body: string | undefined,
  aheadSeconds = 0,
): SignedCall {
  const timestampSeconds = Math.floor(Date.now() / 1000) + aheadSeconds;
  const nonce = randomUUID();
  const { headers } = signRequest({ appId, appSecret, method, target, body, nonce, timestampSeconds });
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

/** Far longer than any answer takes, even of a server that shares two busy cores and lets calls wait. */
const patienceMs = 50_000;

/** Sends signed requests over persistent connections, one request at a time on each. */
export class SignedClient {
  readonly #url: URL;
  readonly #credentials: Credentials;
  readonly #agent: Agent;
  readonly #silentAfterMs: number;

  /** @param silentAfterMs how long the server may be silent before a call counts as unanswered */
  constructor(url: string, credentials: Credentials, connectionsMax = 64, silentAfterMs = patienceMs) {
    this.#url = new URL(url);
    this.#credentials = credentials;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connectionsMax });
    this.#silentAfterMs = silentAfterMs;
  }

  sign(method: string, target: string, content?: unknown): SignedCall {
    return signCall(this.#credentials, method, target, content);
  }

  call(method: string, target: string, content?: unknown): Promise<Envelope> {
    return this.send(this.sign(method, target, content));
  }

  /** @throws {NoAnswerError} when the connection breaks before the answer is complete */
  async send(call: SignedCall): Promise<Envelope> {
    return (await this.exchange(call)).envelope;
  }

  /** Sends a request that needs no signature. */
  get(target: string): Promise<Answer> {
    return this.exchange({ method: 'GET', target, body: undefined, headers: {} });
  }

  /** @throws {NoAnswerError} when the connection breaks before the answer is complete */
  exchange(call: SignedCall): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
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
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, text, envelope: JSON.parse(text) as Envelope });
        });
      },
    );
    outgoing.on('error', fail);
    const silentAfterMs = this.#silentAfterMs;
    outgoing.setTimeout(silentAfterMs, () =>
      outgoing.destroy(new Error(`the server sent nothing for ${silentAfterMs} ms`)),
    );
    outgoing.end(call.body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
