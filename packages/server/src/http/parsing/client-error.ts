import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Settings } from '../../config.ts';
import { answeredNext } from '../answers/answered-next.ts';
import { answerHeaderLines } from '../answers/fixed-headers.ts';
import type { ChunkTurns } from '../limits/chunk-turns.ts';
import { queuedMax } from '../limits/limit-unanswered.ts';
import { headersMax } from '../limits/unfinished-headers.ts';
import { escapeRawTarget, type RawTargetFault } from './escape-raw-target.ts';
import { explainParserError, type ParserError } from './explain-parser-error.ts';
import { parseAgain } from './parse-again.ts';
import type { UnreadableFault } from './refuse-unreadable.ts';

/** An error of the parser or of the connection. */
interface ClientError extends Error, ParserError {
  /** Position in `rawPacket` of the byte that the parser refused. */
  readonly bytesParsed?: number;
}

/** The parts of the server that the answers need. */
interface AnswerParts {
  readonly server: Server;
  readonly httpStatus: Settings['httpStatus'];
  readonly newRequestId: () => string;
  /** Goes on with the connections whose parsers it made pause. */
  readonly turns: ChunkTurns;
  /** Logs a refusal. */
  readonly log: (refusal: UnreadRefusal) => void;
}

/** A request that was refused before it could be read. */
export interface UnreadRefusal {
  readonly requestId: string;
  /** The address of the other end of the connection, which may be a proxy's. */
  readonly address: string | undefined;
  readonly code: 1001 | 1006;
  readonly reason: string;
}

/** The parts that a refusal needs. A refusal that is reported in another way has no `log`. */
type RefusalParts = Pick<AnswerParts, 'newRequestId'> & Partial<Pick<AnswerParts, 'log'>>;

type Refusal = readonly [statusLine: string, message: string, code?: 1001 | 1006 | 1429 | 1503];

/** How long a request may take to arrive, in milliseconds. */
export const requestTimeoutMs = 60_000;

const headersTooLarge: Refusal = [
  '431 Request Header Fields Too Large',
  `the request line and headers are larger than 16 KiB, or there are more than ${headersMax} headers: send fewer or shorter ones`,
];

const refusalsByCode: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    `the request did not arrive within ${requestTimeoutMs / 1000} seconds`,
  ],
};

const targetProblems: Readonly<Record<RawTargetFault, string>> = {
  'not-utf8': 'the path or query has bytes that are not UTF-8; percent-encode the UTF-8 bytes of its text',
  'not-at-start':
    'the path or query has a character that must be percent-encoded, as UTF-8 (a space is %20); unencoded UTF-8 is accepted only ' +
    'in a request line that arrives in one piece, and not right behind another request',
  'no-slash': 'the path must begin with a slash, as in GET /user',
};

/** Time for the client to read the answer before the connection is cut. */
const lingerMs = 1_000;

/** Connections whose last answer has been decided. Anything else that they send is ignored. */
const refused = new WeakSet<Socket>();

/**
 * Parses a request with unencoded UTF-8 in its target again, as if that were escaped. Answers every other invalid or
 * late request with an envelope, and closes the connection.
 */
export function answerClientError(error: ClientError, socket: Socket, parts: AnswerParts): void {
  if (refused.has(socket)) parts.turns.drop(socket);
  else if (error.code === 'HPE_PAUSED') parts.turns.holdRest(socket, error);
  else if (!socket.writable) socket.destroy();
  else if (error.code === 'HPE_INVALID_URL') answerRawTarget(error, socket, parts);
  else refuseInOrder(socket, parts, refusalsByCode[error.code ?? ''] ?? unparsable(error, parts));
}

function unparsable(error: ClientError, parts: AnswerParts): Refusal {
  const statusLine = hasSpaceInTarget(error) ? targetStatusLine(parts) : '400 Bad Request';
  return [statusLine, explainParserError(error)];
}

/** Returns whether the request line would be one of HTTP if a space in its target were encoded. */
function hasSpaceInTarget({ code, rawPacket, bytesParsed }: ClientError): boolean {
  if (code !== 'HPE_INVALID_CONSTANT' || !(rawPacket instanceof Buffer)) return false;
  const rest = rawPacket.toString('latin1', bytesParsed);
  return /^[^\n]* HTTP\/1\.[01]\r?\n/.test(rest);
}

/** Answers CONNECT, for which Node.js would close the connection without a word. */
export function refuseTunnel(socket: Socket, parts: Pick<AnswerParts, 'newRequestId' | 'log'>): void {
  // Node.js has removed its listeners. Without one, a reset of the connection would end the process.
  socket.on('error', () => {});
  refuseInOrder(socket, parts, noTunnel);
}

const noTunnel: Refusal = [
  '405 Method Not Allowed',
  'CONNECT is not supported: this server is not a proxy',
  1006,
];

/** Refuses a request that was sent ahead, because too many of these wait. */
export function refuseQueued(
  request: IncomingMessage,
  socket: Socket,
  parts: Pick<AnswerParts, 'newRequestId'>,
): void {
  refuseInOrder(socket, parts, tooManyQueued, request);
}

const tooManyQueued: Refusal = [
  '429 Too Many Requests\r\nRetry-After: 1',
  `more than ${queuedMax} requests wait on this connection behind another one, or too many on all connections, ` +
    'or too many of this client: neither this request nor any after it was processed; read answers before you send more',
  1429,
];

/** Refuses a request in the middle of its body, because too many bodies in chunks wait to be read. */
export function refuseChunks(
  request: IncomingMessage | undefined,
  socket: Socket,
  parts: Pick<AnswerParts, 'newRequestId'>,
): void {
  // An answer that has begun cannot be replaced.
  if (answeredNext(socket)?.headersSent === true) socket.destroy();
  else refuseInOrder(socket, parts, tooManyChunks, request);
}

const tooManyChunks: Refusal = [
  '503 Service Unavailable\r\nRetry-After: 1',
  'too many bodies in small chunks arrive at once, and nothing was done with this one; send it again in a moment, with Content-Length or in larger chunks',
  1503,
];

/** Answers a request that the parser accepts and this server would misread. */
export function refuseMisread(
  fault: UnreadableFault,
  request: IncomingMessage,
  socket: Socket,
  parts: Pick<AnswerParts, 'newRequestId' | 'httpStatus' | 'log'>,
): void {
  refuseInOrder(socket, parts, misreadRefusal(fault, parts), request);
}

function misreadRefusal(fault: UnreadableFault, parts: Pick<AnswerParts, 'httpStatus'>): Refusal {
  if (fault === 'header-count') return headersTooLarge;
  if (fault === 'fragment') return [targetStatusLine(parts), fragmentProblem];
  if (fault === 'old-chunks') return ['400 Bad Request', oldChunksProblem];
  return ['400 Bad Request', explainParserError({ code: 'HPE_INVALID_TRANSFER_ENCODING' })];
}

const oldChunksProblem =
  'a request of HTTP/1.0 cannot have a body in chunks: send Content-Length in place of Transfer-Encoding, or HTTP/1.1';

const fragmentProblem =
  'the path or query has a #: a fragment is not part of a request; percent-encode a # that belongs to a value as %23';

/** Clients of this scheme read an envelope only under the status 200. */
function targetStatusLine({ httpStatus }: Pick<AnswerParts, 'httpStatus'>): string {
  return httpStatus === 'standard' ? '400 Bad Request' : '200 OK';
}

function answerRawTarget(error: ClientError, socket: Socket, parts: AnswerParts): void {
  const { rawPacket, bytesParsed } = error;
  const packet =
    rawPacket instanceof Buffer && bytesParsed !== undefined
      ? escapeRawTarget(rawPacket, bytesParsed)
      : 'not-at-start';
  if (typeof packet !== 'string' && parseAgain(parts.server, socket, packet)) return;
  const fault = typeof packet === 'string' ? packet : 'not-at-start';
  refuseInOrder(socket, parts, [targetStatusLine(parts), targetProblems[fault]]);
}

/**
 * Refuses after the answers to the requests that have arrived completely, so that the client mistakes none of them for
 * the refusal, nor the refusal for one of them. If one of those answers closes the connection, it is the last.
 *
 * @param refusedRequest the request that is refused, if it has arrived so far that Node.js knows it
 */
function refuseInOrder(
  socket: Socket,
  parts: RefusalParts,
  refusal: Refusal,
  refusedRequest?: IncomingMessage,
): void {
  refused.add(socket);
  const response = answeredNext(socket);
  if (response?.req.complete && response.req !== refusedRequest)
    response.once('close', () => refuseInOrder(socket, parts, refusal, refusedRequest));
  else if (socket.writable) refuse(socket, parts, refusal);
}

function refuse(
  socket: Socket,
  { newRequestId, log }: RefusalParts,
  [line, message, code = 1001]: Refusal,
): void {
  const requestId = newRequestId();
  const body = JSON.stringify({ code, message });
  // Log before the answer, because that closes the connection, whose address is unknown from then on.
  if (code === 1001 || code === 1006)
    log?.({ requestId, address: socket.remoteAddress, code, reason: message });
  socket.end(
    `HTTP/1.1 ${line}\r\nDate: ${new Date().toUTCString()}\r\nX-Request-Id: ${requestId}\r\n${answerHeaderLines}Content-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // A peer that never closes its side would keep the socket open and hold up a stop.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
