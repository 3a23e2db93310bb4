import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number; readonly message?: string };
}

interface WireAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface WireTraces {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes'> & {
        readonly attributes: readonly WireAttribute[];
      })[];
    }[];
  }[];
}

/** A collector that takes traces as OTLP over HTTP with JSON. */
export class OtlpReceiver {
  readonly url: string;
  readonly #server: Server;
  readonly #bodies: string[] = [];
  readonly problems: string[] = [];

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<OtlpReceiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new OtlpReceiver(server);
    server.on('request', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/json')
        receiver.problems.push(`${request.url} ${request.headers['content-type']}`);
      receiver.#bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
    return receiver;
  }

  /** Every byte that arrived. */
  get text(): string {
    return this.#bodies.join('\n');
  }

  get spans(): readonly ReceivedSpan[] {
    return this.#bodies
      .flatMap((body) => (JSON.parse(body) as WireTraces).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans }) => spans)
      .map((span) => ({ ...span, attributes: Object.fromEntries(span.attributes.map(toEntry)) }));
  }

  /** Resolves with the spans of a trace once its outermost span has arrived. */
  async untilTrace(traceId: string): Promise<readonly ReceivedSpan[]> {
    for (;;) {
      const spans = this.spans.filter((span) => span.traceId === traceId);
      if (spans.some(({ kind }) => kind === serverKind)) return spans;
      await delay(20);
    }
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

/** The kind of a span that answers a request, in the protocol. */
const serverKind = 2;

function toEntry({ key, value }: WireAttribute): [string, unknown] {
  const [first] = Object.values(value);
  return [key, first];
}
