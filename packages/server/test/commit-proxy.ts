import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * The fate of a COMMIT:
 * - `pass`: forward it
 * - `lose reply`: forward it, and break the connection once its reply has come
 * - `lose commit`: break the connection instead of forwarding it
 * - `keep from database`: break only the client's side; the database goes on waiting for it
 * - `report failed sync`: forward it, and replace its reply by that of a PostgreSQL whose log was written but not synced
 */
export type CommitFault = 'pass' | 'lose reply' | 'lose commit' | 'keep from database' | 'report failed sync';

/** Proxy between a client and PostgreSQL that breaks connections at their COMMIT. */
export class CommitProxy {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** Decides about each COMMIT, which is held back until the decision. */
  onCommit: () => CommitFault | Promise<CommitFault> = () => 'pass';
  /** True makes the database unreachable: new connections are refused, and old ones break at their next statement. */
  refuses = false;
  /** Number of COMMITs that did not pass. */
  faults = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, target: URL) {
    this.#server = server;
    const url = new URL(target);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.url = url.href;
    server.on('connection', (client) => this.#join(client, target));
  }

  static async start(databaseUrl: string): Promise<CommitProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CommitProxy(server, new URL(databaseUrl));
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.breakAll();
  }

  breakAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket, target: URL): void {
    if (this.refuses) {
      client.destroy();
      return;
    }
    const database = connect(Number(target.port), target.hostname);
    for (const socket of [client, database]) {
      this.#sockets.add(socket);
      socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    }
    let kept = false;
    let replyIsLost = false;
    let syncFails = false;
    client.on('close', () => !kept && database.destroy());
    database.on('close', () => client.destroy());
    database.on('data', (bytes: Buffer) => {
      const reply = syncFails ? bytes.indexOf(committed) : -1;
      if (replyIsLost) client.destroy();
      else if (reply < 0) client.write(bytes);
      else client.end(Buffer.concat([bytes.subarray(0, reply), failedSync]));
    });
    const commits = new CommitFinder();
    client.on('data', async (bytes: Buffer) => {
      const isCommit = commits.isIn(bytes);
      const fault = isCommit ? await this.onCommit() : 'pass';
      if (this.refuses && !isCommit) client.destroy();
      if (fault !== 'pass') this.faults += 1;
      kept = fault === 'keep from database';
      replyIsLost = fault === 'lose reply';
      syncFails = fault === 'report failed sync';
      if (fault === 'lose commit' || kept) client.destroy();
      else database.write(bytes);
    });
  }
}

const typeBytes = 1;
const lengthBytes = 4;

const committed = messageOf('C', 'COMMIT\0');

/** PostgreSQL sends it in the language of `lc_messages`, here German, and then crashes. */
const failedSync = messageOf(
  'E',
  'SPANIK\0VPANIC\0C58030\0Mkonnte Datei »000000010000000000000001« nicht fsyncen: Eingabe-/Ausgabefehler\0\0',
);

function messageOf(type: string, content: string): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(lengthBytes + Buffer.byteLength(content));
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content)]);
}

/** Finds COMMITs among the messages of one client, as simple queries or as prepared statements run by name. */
class CommitFinder {
  readonly #names = new Set<string>();
  #rest: Buffer = Buffer.alloc(0);
  #started = false;

  isIn(bytes: Buffer): boolean {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    let found = false;
    for (let message = this.#next(); message !== undefined; message = this.#next()) {
      if (this.#commits(message)) found = true;
    }
    return found;
  }

  /** Returns the next message. Skips the first one of a connection, which has no type. */
  #next(): Buffer | undefined {
    const start = this.#started ? typeBytes : 0;
    if (this.#rest.length < start + lengthBytes) return undefined;
    const end = start + this.#rest.readUInt32BE(start);
    if (this.#rest.length < end) return undefined;
    const message = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end);
    if (this.#started) return message;
    this.#started = true;
    return this.#next();
  }

  #commits(message: Buffer): boolean {
    const type = String.fromCharCode(message[0] ?? 0);
    const [first = '', second = ''] = message
      .subarray(typeBytes + lengthBytes)
      .toString('latin1')
      .split('\0');
    if (type === 'Q') return first === 'commit';
    if (type === 'P' && second === 'commit') this.#names.add(first);
    return type === 'B' && this.#names.has(second);
  }
}
