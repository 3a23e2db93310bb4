import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { SignedCall } from '../signed-client.ts';

export interface RawAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | undefined;
  /** Whether the server announced that it will close the connection after this answer. */
  readonly closes: boolean;
}

/** Far longer than any answer takes, so a longer silence means that the request hangs. */
const silentAfterMs = 50_000;

const silence = `the server sent nothing for ${silentAfterMs} ms`;

/** Whether the message of a failed request says that it hung. */
export function isSilence(message: string): boolean {
  return message === silence;
}

/**
 * One persistent HTTP/1.1 connection, without a pool and without retries: tests see each connection
 * that breaks, and a process can hold thousands of them.
 */
export class RawHttpConnection {
  readonly #socket: Socket;
  #received = '';
  #waiting: PromiseWithResolvers<RawAnswer> | undefined;
  #ended = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.#receive(text));
    socket.on('error', (error) => this.#end(error));
    socket.on('end', () => this.#end(new Error('the server closed the connection before the answer')));
    socket.setTimeout(silentAfterMs, () => {
      if (this.#waiting !== undefined) socket.destroy(new Error(silence));
    });
  }

  static async open(port: number): Promise<RawHttpConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new RawHttpConnection(socket);
  }

  /** Whether the next request needs a new connection. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Sends one request. The previous answer must be complete. */
  send(request: string): Promise<RawAnswer> {
    const waiting = Promise.withResolvers<RawAnswer>();
    if (this.#ended) waiting.reject(new Error('the connection was closed before the request was sent'));
    else {
      this.#waiting = waiting;
      this.#socket.write(request);
    }
    return waiting.promise;
  }

  close(): void {
    this.#ended = true;
    this.#socket.destroy();
  }

  #receive(text: string): void {
    this.#received += text;
    let answer: RawAnswer | undefined;
    try {
      answer = parseAnswer(this.#received);
    } catch (error) {
      this.#end(error as Error);
    }
    if (answer === undefined) return;
    this.#received = '';
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (answer.closes) this.close();
    waiting?.resolve(answer);
  }

  #end(error: Error): void {
    this.close();
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

/** Returns undefined while the answer is incomplete. */
function parseAnswer(text: string): RawAnswer | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without Content-Length: ${head}`);
  const body = text.slice(headEnd + 4);
  if (Buffer.byteLength(body) < Number(length)) return undefined;
  const retryAfter = /\r\nretry-after: (\d+)/i.exec(head)?.[1];
  return { status: Number(head.slice(9, 12)), body, retryAfter, closes: /\r\nconnection: close/i.test(head) };
}

/** Returns a signed call as the text of a request, with the headers that it has and a Host. */
export function requestText({ method, target, headers, body = '' }: SignedCall): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\nHost: directory\r\n${lines.join('')}\r\n${body}`;
}
