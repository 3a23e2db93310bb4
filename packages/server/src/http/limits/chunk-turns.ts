import { IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Parser, parserOf } from '../parsing/parser-of.ts';
import { nothingFollows, stopParsing } from '../parsing/stop-parsing.ts';
import { ChunkedInput, hasParser, type Refuse } from './chunked-input.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** Whether the server makes the sender of this body wait for its turn. */
    waitsForTurn?: boolean;
    /** Whether the connection ends with the answer to this request, whatever is in the body. */
    isLastOfConnection?: boolean;
  }
}

/** Chunks that are parsed in one iteration of the event loop. Each takes 1 to 2 µs. */
const chunksMax = 1_000;

/** The cost of a slice without its chunks, as a number of chunks. */
const sliceCost = 4;

/** Chunks of one body that are parsed in a row while others wait. */
const turnChunks = 250;

/** A packet up to this size is parsed at once, if there is still time for chunks in this iteration. */
const smallPacketBytes = 4 * 1024;

/** The answer by which the parser of Node.js stops behind the headers, and reports where they end. */
const pauseHere = 21;

type DataListener = (packet: Buffer) => void;

/** The report of a parser that has paused, which Node.js passes on like an error. */
export interface PausedAt {
  readonly rawPacket?: unknown;
  /** Position in `rawPacket` of the first byte that was not parsed. */
  readonly bytesParsed?: number;
}

/**
 * Lets bodies in small chunks take turns, so that they hold nobody else up. All listeners of a process share it.
 *
 * Node.js makes an object of every chunk and calls back with it. It parses all that has arrived on all connections
 * before anything else is served: 10,000 chunks of one byte from each.
 *
 * From a connection's first body in chunks on, the parser gets its packets in slices, until the chunks of an iteration are
 * used up. The rest waits, and nothing more is read from that connection. Bodies whose chunks are large go first.
 */
export class ChunkTurns {
  readonly #heldBytesMax: number;
  readonly #inputs = new WeakMap<Socket, ChunkedInput>();
  /** Inputs that wait for their turn, in order. */
  readonly #cheap = new Set<ChunkedInput>();
  readonly #costly = new Set<ChunkedInput>();
  /** All inputs that wait, also those whose bodies nobody reads at the moment, with the bytes that they count for. */
  readonly #waiting = new Map<ChunkedInput, number>();
  #heldBytes = 0;
  #left = chunksMax;
  #endIsDue = false;

  /** @param heldBytesMax memory that packets may take while they wait, in bytes */
  constructor(heldBytesMax: number) {
    this.#heldBytesMax = heldBytesMax;
  }

  /** Begins to look at the requests of a server. Call it before there are connections. */
  follow(server: Server, refuse: Refuse): void {
    server.on('connection', (socket: Socket) => {
      const parser = parserOf(socket);
      if (typeof parser?.onIncoming !== 'function' || typeof parser.resume !== 'function') return;
      const known = parser as Pick<Parser, 'onIncoming' | 'getCurrentBuffer'>;
      const { onIncoming } = known;
      known.onIncoming = (request, keepAlive) => {
        const answer = onIncoming(request, keepAlive);
        if (request.headers['transfer-encoding'] === undefined || answer !== 0 || request.upgrade)
          return answer;
        if (request.isLastOfConnection === true && stopParsing(socket)) return nothingFollows;
        return this.#begin(request, refuse) ? pauseHere : answer;
      };
    });
  }

  /** Goes on with a packet behind the headers at which its parser has paused. */
  holdRest(socket: Socket, { rawPacket, bytesParsed }: PausedAt): void {
    const input = this.#inputs.get(socket);
    parserOf(socket)?.resume?.();
    if (input === undefined || !(rawPacket instanceof Buffer)) return;
    this.#take(input, rawPacket.subarray(bytesParsed));
  }

  /** Ignores what follows on a connection whose last answer has been decided. */
  drop(socket: Socket): void {
    const input = this.#inputs.get(socket);
    if (input !== undefined) this.#drop(input);
  }

  /** Returns whether the parser must pause behind the headers of this request. */
  #begin(request: IncomingMessage, refuse: Refuse): boolean {
    const { socket } = request;
    const input = this.#inputs.get(socket) ?? this.#takeOver(socket, refuse);
    if (input === undefined) return false;
    input.request = request;
    this.#expectEnd();
    const read = IncomingMessage.prototype._read;
    const push = IncomingMessage.prototype.push;
    request.push = (chunk, encoding) => {
      if (chunk !== null) this.#noteChunk(input);
      return push.call(request, chunk, encoding);
    };
    // Node.js reads on from the connection whenever somebody wants more of the body.
    request._read = (size) => {
      if (!this.#waiting.has(input)) read.call(request, size);
    };
    return this.#left <= 0 || input.packetBytes > smallPacketBytes;
  }

  /** Takes the place of Node.js between a connection and its parser, unless another release works differently inside. */
  #takeOver(socket: Socket, refuse: Refuse): ChunkedInput | undefined {
    const [parse, ...others] = socket.listeners('data') as DataListener[];
    if (parse === undefined || others.length > 0 || !hasParser(socket)) return undefined;
    const input = new ChunkedInput(socket, { parse: (slice) => parse.call(socket, slice), refuse });
    this.#inputs.set(socket, input);
    replaceDataListener(socket, parse, (packet) => this.#take(input, packet));
    socket.once('close', () => this.#drop(input));
    return input;
  }

  #noteChunk(input: ChunkedInput): void {
    input.noteChunk();
    this.#left -= 1;
  }

  #take(input: ChunkedInput, bytes: Buffer): void {
    input.hold(bytes);
    if (this.#waiting.has(input)) this.#keepWaiting(input);
    else if (!input.isParsing) this.#parse(input, Number.POSITIVE_INFINITY);
  }

  /** @param most number of chunks after which others take their turns */
  #parse(input: ChunkedInput, most: number): void {
    this.#expectEnd();
    let chunks = 0;
    while (!input.isEmpty && !input.isBlocked && chunks < most && (this.#left > 0 || !input.isInBody)) {
      chunks += input.parseSlice();
      this.#left -= sliceCost;
    }
    if (input.isEmpty) this.#goOn(input);
    else if (this.#keepWaiting(input)) this.#queue(input);
  }

  #goOn(input: ChunkedInput): void {
    if (this.#stopWaiting(input)) input.socket.resume();
  }

  /** Returns `false` when too much waits already. */
  #keepWaiting(input: ChunkedInput): boolean {
    const bytes = input.heldBytes;
    this.#heldBytes += bytes - (this.#waiting.get(input) ?? 0);
    this.#waiting.set(input, bytes);
    if (this.#heldBytes > this.#heldBytesMax) {
      this.#drop(input);
      input.refuse();
      return false;
    }
    if (input.request !== undefined) input.request.waitsForTurn = true;
    input.socket.pause();
    return true;
  }

  /** Lets an input wait for its turn, or first until somebody reads what has been parsed of it. */
  #queue(input: ChunkedInput): void {
    if (!this.#waiting.has(input)) return;
    if (input.isBlocked) input.onceUnblocked(() => this.#queue(input));
    else (input.isCostly ? this.#costly : this.#cheap).add(input);
    this.#expectEnd();
  }

  #drop(input: ChunkedInput): void {
    input.drop();
    // The rest is read and ignored: closing a connection with something unread would lose its answer.
    if (this.#stopWaiting(input)) input.socket.resume();
  }

  /** Returns whether it waited. */
  #stopWaiting(input: ChunkedInput): boolean {
    const bytes = this.#waiting.get(input);
    if (bytes === undefined) return false;
    this.#heldBytes -= bytes;
    this.#waiting.delete(input);
    this.#cheap.delete(input);
    this.#costly.delete(input);
    if (input.request !== undefined) input.request.waitsForTurn = false;
    return true;
  }

  #expectEnd(): void {
    if (this.#endIsDue) return;
    this.#endIsDue = true;
    setImmediate(() => this.#endIteration());
  }

  #endIteration(): void {
    this.#endIsDue = false;
    this.#left = chunksMax;
    while (this.#left > 0) {
      const input = this.#takeNext();
      if (input === undefined) return;
      this.#parse(input, turnChunks);
    }
  }

  #takeNext(): ChunkedInput | undefined {
    for (const inputs of [this.#cheap, this.#costly])
      for (const input of inputs) {
        inputs.delete(input);
        return input;
      }
    return undefined;
  }
}

/** Node.js takes other listeners from a connection once it has a new one for data. They keep pauses in step. */
function replaceDataListener(socket: Socket, former: DataListener, listener: DataListener): void {
  const events = ['pause', 'resume'] as const;
  const kept = events.map((event) => ({ event, listeners: socket.listeners(event) as (() => void)[] }));
  socket.on('data', listener);
  socket.removeListener('data', former);
  for (const { event, listeners } of kept)
    for (const restored of listeners)
      if (!socket.listeners(event).includes(restored)) socket.on(event, restored);
}
