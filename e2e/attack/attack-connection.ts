import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Headers of an attacker who knows no secret: only the signature is wrong. */
export function unsignedHead(
  appId: string,
  target: string,
  headers: Readonly<Record<string, string>>,
): string {
  const all: Record<string, string> = {
    Host: 'localhost',
    Authorization: `cbs:${appId}:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=`,
    Timestamp: String(Math.floor(Date.now() / 1000)),
    Nonce: 'attack',
    'Content-Type': 'application/json',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** A connection on which an attacker sends what no client library would. */
export class AttackConnection {
  readonly socket: Socket;
  readonly #code = Promise.withResolvers<number | undefined>();
  #received = '';

  private constructor(socket: Socket) {
    this.socket = socket;
    // The server closing the connection is one of the outcomes.
    socket.on('error', () => {}).on('close', () => this.#code.resolve(undefined));
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.#received += text;
      const found = /"code":(\d+)/.exec(this.#received)?.[1];
      if (found !== undefined) this.#code.resolve(Number(found));
    });
  }

  static async open(port: number): Promise<AttackConnection> {
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    return new AttackConnection(socket);
  }

  /** Sends, and resolves once the system has accepted the bytes. A server that stops reading delays that. */
  send(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()));
  }

  /** Waits for an answer and returns its code; undefined without one. */
  code(): Promise<number | undefined> {
    return this.#code.promise;
  }

  close(): void {
    this.socket.resetAndDestroy();
  }
}
