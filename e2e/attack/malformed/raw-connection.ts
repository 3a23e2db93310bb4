import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** The answer to some bytes: complete responses, and how the exchange ended. */
export interface Exchange {
  readonly responses: readonly RawResponse[];
  readonly end: 'complete' | 'closed' | 'silent';
  /** Bytes that belong to no complete response. */
  readonly rest: Buffer;
}

export interface RawRequest {
  readonly bytes: Buffer;
  /** Number of responses after which the exchange is over. */
  readonly responsesMax: number;
  /** Ends the sending side after the last byte, so that the server waits for no more. */
  readonly endAfterBytes: boolean;
  /** Set for HEAD, whose answer has the headers of a body but no body. */
  readonly bodiless: boolean;
}

/** Far longer than any answer takes: a request that reaches it hangs. */
const silentAfterMs = 20_000;

/** A connection below HTTP, for requests that no HTTP client would send. */
export class RawConnection {
  readonly #port: number;
  #socket: Socket | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  async exchange(request: RawRequest): Promise<Exchange> {
    const socket = await this.#connected();
    const exchange = await converse(socket, request);
    if (exchange.end !== 'complete' || request.endAfterBytes || wantsClose(exchange)) this.close();
    return exchange;
  }

  /** Resets the connection, because a hundred thousand ordinary closes would leave state in the system. */
  close(): void {
    this.#socket?.resetAndDestroy();
    this.#socket = undefined;
  }

  async #connected(): Promise<Socket> {
    if (this.#socket !== undefined && !this.#socket.destroyed && this.#socket.readable) return this.#socket;
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    // The server closing the connection is an outcome, which the current exchange reports.
    socket.on('error', () => {});
    this.#socket = socket;
    return socket;
  }
}

function wantsClose({ responses }: Exchange): boolean {
  return responses.at(-1)?.headers.get('connection')?.toLowerCase() === 'close';
}

function converse(socket: Socket, request: RawRequest): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const chunks: Buffer[] = [];
  const finish = (end: Exchange['end']) => {
    clearTimeout(timer);
    socket.off('data', onData).off('close', onClose).off('end', onClose);
    resolve({ ...readResponses(Buffer.concat(chunks), request.bodiless), end });
  };
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    const { responses } = readResponses(Buffer.concat(chunks), request.bodiless);
    if (responses.length >= request.responsesMax) finish('complete');
  };
  const onClose = () => finish('closed');
  const timer = setTimeout(finish, silentAfterMs, 'silent');
  socket.on('data', onData).once('close', onClose).once('end', onClose);
  if (request.endAfterBytes) socket.end(request.bytes);
  else socket.write(request.bytes);
  return promise;
}

function readResponses(bytes: Buffer, bodiless: boolean): { responses: RawResponse[]; rest: Buffer } {
  const responses: RawResponse[] = [];
  let rest = bytes;
  for (;;) {
    const read = readResponse(rest, bodiless);
    if (read === undefined) return { responses, rest };
    // Interim responses such as 100 Continue are not the answer.
    if (read.response.status >= 200) responses.push(read.response);
    rest = rest.subarray(read.length);
  }
}

function readResponse(
  bytes: Buffer,
  bodiless: boolean,
): { response: RawResponse; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const headers = new Map(lines.map((line) => splitHeader(line)));
  // Bytes that never became a request have no method, and are answered with a body even when they said HEAD.
  const isRefusedUnread = headers.get('connection') === 'close' && bytes.length > headEnd + 4;
  const hasBody = status >= 200 && (!bodiless || isRefusedUnread);
  const length = headEnd + 4 + (hasBody ? Number(headers.get('content-length') ?? 0) : 0);
  if (!Number.isInteger(status) || !(bytes.length >= length)) return undefined;
  return { response: { status, headers, body: bytes.subarray(headEnd + 4, length) }, length };
}

function splitHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
