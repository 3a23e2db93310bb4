import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What an attacker can put into the headers who knows no secret: only the signature is wrong. */
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
  readonly #closed: Promise<unknown>;
  #received = '';

  private constructor(socket: Socket) {
    this.socket = socket;
    this.#closed = once(socket, 'close');
    // That the server hangs up is one of the outcomes.
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.#received += text;
    });
  }

  static async open(port: number): Promise<AttackConnection> {
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    return new AttackConnection(socket);
  }

  /** Sends, and resolves once the system has taken it; a server that takes nothing in keeps it waiting. */
  send(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()));
  }

  /** The code of the answer; waits for it. */
  async code(): Promise<number | undefined> {
    for (;;) {
      const found = /"code":(\d+)/.exec(this.#received)?.[1];
      if (found !== undefined) return Number(found);
      if (this.socket.destroyed) return undefined;
      await Promise.race([once(this.socket, 'data'), this.#closed]);
    }
  }

  close(): void {
    this.socket.resetAndDestroy();
  }
}
