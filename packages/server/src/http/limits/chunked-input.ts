import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { parserOf } from '../parsing/parser-of.ts';

/** Bytes that are parsed at once: few while they hold many chunks, more while they hold few. */
const sliceBytes = { least: 2 * 1024, most: 16 * 1024 };

/** A slice with more chunks than this counts as small chunks. Clients fill their chunks with a kilobyte or more. */
const fewChunks = 16;

/** Refuses a body, because too much waits. Nothing that follows on its connection is read. */
export type Refuse = (socket: Socket, request: IncomingMessage | undefined) => void;

interface Outputs {
  /** Gives bytes to the parser of Node.js. */
  readonly parse: (slice: Buffer) => void;
  readonly refuse: Refuse;
}

/** The packets of a connection that has sent a body in chunks. The parser gets them in slices. */
export class ChunkedInput {
  readonly socket: Socket;
  readonly #outputs: Outputs;
  #sliceBytes = sliceBytes.least;
  /** Bytes that have arrived and are not parsed yet, in order. */
  #held: Buffer[] = [];
  #chunks = 0;
  /** Unknown for the first packet, which Node.js parsed itself. */
  #packetBytes: number | undefined;
  /** The request whose body was begun last. */
  request: IncomingMessage | undefined;
  isParsing = false;
  /** Whether the last slice had many small chunks. */
  isCostly = false;
  /** Whether what follows is dropped. */
  isDropped = false;

  constructor(socket: Socket, outputs: Outputs) {
    this.socket = socket;
    this.#outputs = outputs;
  }

  get isInBody(): boolean {
    return this.request?.complete === false;
  }

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** The memory that the packets take. The rest of a packet keeps the whole packet. */
  get heldBytes(): number {
    return this.#held.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  }

  /**
   * Whether the parser may not go on, because nobody reads what it has read, or because the client reads no answers, for
   * which Node.js sets this undocumented property.
   */
  get isBlocked(): boolean {
    return this.#waitsForClient || (this.isInBody && isUnread(this.request as IncomingMessage));
  }

  get #waitsForClient(): boolean {
    return Reflect.get(this.socket, '_paused') === true;
  }

  /** The size of the packet that is parsed. On a connection with more packets before, it may be less. */
  get packetBytes(): number {
    return this.#packetBytes ?? this.socket.bytesRead;
  }

  noteChunk(): void {
    this.#chunks += 1;
  }

  /** Keeps bytes until they are parsed. Those that come back from the parser come before all others. */
  hold(bytes: Buffer): void {
    if (this.isDropped || bytes.length === 0) return;
    if (this.isParsing) this.#held.unshift(bytes);
    else this.#held.push(bytes);
    this.#packetBytes = bytes.length;
  }

  /** Calls back once there may be a reader again. */
  onceUnblocked(callback: () => void): void {
    const resumed = this.#waitsForClient ? this.socket : this.request;
    resumed?.once('resume', callback);
  }

  refuse(): void {
    this.#outputs.refuse(this.socket, this.request);
  }

  drop(): void {
    this.isDropped = true;
    this.#held = [];
  }

  /** Has the next bytes parsed. Returns the number of chunks in them. */
  parseSlice(): number {
    const slice = this.#takeSlice();
    const before = this.#chunks;
    this.isParsing = true;
    this.#outputs.parse(slice);
    this.isParsing = false;
    // The parser of a closed connection may already belong to another one.
    if (!hasParser(this.socket)) this.drop();
    const chunks = this.#chunks - before;
    this.isCostly = chunks > fewChunks;
    this.#sliceBytes = this.isCostly ? sliceBytes.least : Math.min(sliceBytes.most, 2 * this.#sliceBytes);
    return chunks;
  }

  #takeSlice(): Buffer {
    const packet = this.#held.shift();
    if (packet === undefined) throw new RangeError('nothing is held');
    if (!this.isInBody || packet.length <= this.#sliceBytes) return packet;
    this.#held.unshift(packet.subarray(this.#sliceBytes));
    return packet.subarray(0, this.#sliceBytes);
  }
}

export function hasParser(socket: Socket): boolean {
  return Boolean(parserOf(socket));
}

/** Returns whether chunks of this body would wait as objects of their own. */
function isUnread({ readableFlowing, readableLength }: IncomingMessage): boolean {
  return readableFlowing === false || (readableFlowing === null && readableLength > 0);
}
