import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the proxy received it. */
export interface SeenRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** An answer from the proxy in place of the server's. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Passes the request to the server too, and discards its answer. */
  readonly passedOn?: boolean;
}

/**
 * How to treat a request: deliver the server's answer, drop the connection once the server has answered, drop
 * it without asking the server, keep silent once the server has answered, cut its answer in the middle, lose its
 * answer and send the request again as nginx does, or answer in its place.
 */
export type Treatment = 'deliver' | 'drop' | 'swallow' | 'hold' | 'cut' | 'resend' | OwnAnswer;

/** Stands between client and server. */
export class UnreliableProxy {
  readonly seen: SeenRequest[] = [];
  /** Chooses the treatment of a request, counted from 1. By default every answer is delivered. */
  treat: (count: number, request: SeenRequest) => Treatment = () => 'deliver';
  /** Requests whose sender got no answer, or only part of one. */
  dropped = 0;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server: Server;
  readonly #upstreamPort: number;
  readonly #inFlight = new Set<Promise<void>>();

  private constructor(upstreamPort: number) {
    this.#upstreamPort = upstreamPort;
    this.#server = createServer((incoming, response) => {
      const serving = this.#serve(incoming, response).finally(() => this.#inFlight.delete(serving));
      this.#inFlight.add(serving);
    });
  }

  static async start(upstreamPort: number): Promise<UnreliableProxy> {
    const proxy = new UnreliableProxy(upstreamPort);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /**
   * Stops listening and waits until the server has answered all forwarded requests. Does nothing the second
   * time.
   */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
    await Promise.all(this.#inFlight);
    this.#agent.destroy();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(incoming);
    const { method = '', url = '', headers } = incoming;
    const request = { method, target: url, headers, body };
    const treatment = this.treat(this.seen.push(request), request);
    if (treatment === 'swallow') {
      this.dropped += 1;
      incoming.socket.destroy();
    } else if (typeof treatment === 'string') {
      await this.#pass(request, response, treatment);
    } else {
      if (treatment.passedOn) await readAll(await this.#forward(request));
      // `sendDate` would send the real time, which may differ from a test's clock.
      response.sendDate = false;
      response.writeHead(treatment.status, treatment.headers).end(treatment.body);
    }
  }

  async #pass(
    seen: SeenRequest,
    response: ServerResponse,
    treatment: Exclude<Treatment, OwnAnswer>,
  ): Promise<void> {
    if (treatment === 'resend') await readAll(await this.#forward(seen));
    const answer = await this.#forward(seen);
    const text = await readAll(answer);
    const delivers = treatment === 'deliver' || treatment === 'resend';
    if (!delivers) this.dropped += 1;
    if (treatment === 'hold') return;
    if (treatment === 'drop') {
      response.socket?.destroy();
      return;
    }
    response.writeHead(answer.statusCode ?? 0, answer.headers);
    if (delivers) response.end(text);
    else response.write(text.slice(0, 5), () => response.socket?.destroy());
  }

  async #forward({ method, target, headers, body }: SeenRequest): Promise<IncomingMessage> {
    const upstream = { host: '127.0.0.1', port: this.#upstreamPort, agent: this.#agent };
    const forwarded = request({ ...upstream, method, path: target, headers });
    forwarded.end(body);
    const [answer] = await once(forwarded, 'response');
    assert(answer !== undefined);
    return answer;
  }
}

async function readAll(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
