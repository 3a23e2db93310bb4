import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../config.ts';
import { delayContinue } from './body/expect-continue.ts';
import type { Drain } from './drain.ts';
import { keepWriteOrder } from './keep-write-order.ts';
import { acceptBetweenRequests } from './limits/accept-between-requests.ts';
import type { Admission } from './limits/admission.ts';
import type { ChunkTurns } from './limits/chunk-turns.ts';
import { limitUnanswered, queuedMax } from './limits/limit-unanswered.ts';
import { queueHolder } from './limits/queue-holder.ts';
import type { RareWarning } from './limits/rare-warning.ts';
import type { RefusalPace } from './limits/refusal-pace.ts';
import { refuseAtOnce } from './limits/refuse-at-once.ts';
import { shareConnections } from './limits/share-connections.ts';
import { UnfinishedHeaders } from './limits/unfinished-headers.ts';
import { UnreadAnswers, unreadCheckMs } from './limits/unread-answers.ts';
import type { WaitingBodies } from './limits/waiting-bodies.ts';
import type { WaitingResponses } from './limits/waiting-responses.ts';
import type { CallObserver } from './log/call-observer.ts';
import type { RequestLog } from './log/request-log.ts';
import {
  refuseChunks,
  refuseMisread,
  refuseQueued,
  refuseTunnel,
  type UnreadRefusal,
} from './parsing/client-error.ts';
import { closeAfterUpgrade } from './parsing/close-after-upgrade.ts';
import { refuseUnreadable } from './parsing/refuse-unreadable.ts';

/** The parts that guard a listener, and those that the guard reports to. */
export interface GuardParts {
  readonly settings: Settings;
  readonly log: RequestLog;
  readonly newRequestId: () => string;
  /** Reports connections that were closed because too many requests waited. */
  readonly queueRefusals: RareWarning;
  /** Closes connections whose clients read no answers; one for all listeners, because they share the memory. */
  readonly unread: UnreadAnswers;
  /** Reports connections that were closed because their clients did not finish their headers. */
  readonly headerClosures: RareWarning;
  /** Reports connections that were closed because too many bodies in small chunks waited. */
  readonly chunkRefusals: RareWarning;
  /** Bytes of unfinished headers that the listener keeps. */
  readonly unfinishedBytesMax: number;
  /** Counts the responses that wait behind others; one for all listeners, because they share the memory. */
  readonly waitingResponses: WaitingResponses;
  /** Counts the requests that wait, and their bodies; one for all listeners, because they share the memory. */
  readonly waitingBodies: WaitingBodies;
  /** Bounds the work on bodies in small chunks; one for all listeners, because they share the event loop. */
  readonly turns: ChunkTurns;
  /** Each listener has its own, because it follows one queue. */
  readonly admission: Admission;
  readonly refusalPace: RefusalPace;
  readonly observer: CallObserver | undefined;
}

/**
 * Refuses what cannot be read, and what is too much for the process or for one connection, before it reaches a route.
 */
export function guardConnections(app: FastifyInstance, drain: Drain, parts: GuardParts): void {
  const { settings, newRequestId, admission, refusalPace, observer } = parts;
  const refusalParts = refusalPartsOf(parts);
  // By default, Node.js answers an unknown expectation itself, without an envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  delayContinue(app.server);
  app.server.on('connect', (_request, socket) => refuseTunnel(socket as Socket, refusalParts));
  const refuse = (request: IncomingMessage, response: ServerResponse) => {
    observer?.noteRefusedUnseen(1503);
    // The refusal may be held for up to two seconds, and Node.js would keep the body until it is sent.
    request.resume();
    request.isLastOfConnection = request.headers['transfer-encoding'] !== undefined;
    refusalPace.send(request.socket, () =>
      refuseAtOnce(request, response, { requestId: newRequestId(), closing: drain.isClosing() }),
    );
  };
  acceptBetweenRequests(app, admission, refuse, parts.waitingBodies);
  keepWriteOrder(app.server);
  const waiting = parts.waitingResponses;
  parts.unread.follow(app.server, waiting);
  limitUnanswered(app.server, {
    waiting,
    holderOf: (request) => queueHolder(request, settings.trustProxy),
    refuseRest(request, socket) {
      observer?.noteRefusedUnseen(1429);
      parts.queueRefusals.note({ address: socket.remoteAddress ?? null }, describeQueueRefusals(waiting.max));
      refuseQueued(request, socket, { newRequestId });
    },
  });
  refuseUnreadable(app.server, (fault, request, socket) =>
    refuseMisread(fault, request, socket, refusalParts),
  );
  closeAfterUpgrade(app.server);
  parts.turns.follow(app.server, (socket, request) => {
    observer?.noteRefusedUnseen(1503);
    parts.chunkRefusals.note({ address: socket.remoteAddress ?? null }, describeChunkRefusals);
    refuseChunks(request, socket, { newRequestId });
  });
  boundUnfinishedHeaders(app.server, parts);
  if (settings.workers > 1) shareConnections(app.server);
}

/** Closes connections that leave too much of their headers unfinished. */
function boundUnfinishedHeaders(
  server: Server,
  { headerClosures, unfinishedBytesMax: bytesMax }: GuardParts,
): void {
  const onClosed = ({ remoteAddress }: Socket) =>
    headerClosures.note({ address: remoteAddress ?? null }, describeHeaderClosures);
  const unfinished = new UnfinishedHeaders(server, { onClosed, bytesMax });
  unfinished.begin();
}

/** Begins to close connections that leave too much unread. Returns the function that ends it, too. */
export function boundUnreadAnswers(readBytesMax: number, closures: RareWarning) {
  const unread = new UnreadAnswers({
    readBytesMax,
    onClosed: ({ remoteAddress = null }) => closures.note({ address: remoteAddress }, describeUnreadClosures),
  });
  // A busy iteration of the event loop delays the timer. The check waits until the sockets have been served, so that no client looks idle for it.
  const checks = setInterval(() => setImmediate(() => unread.check()), unreadCheckMs).unref();
  return { unread, endUnreadChecks: () => clearInterval(checks) };
}

function describeUnreadClosures(count: number): string {
  return `${count} connections closed so far: their clients left answers unread, which took too much memory`;
}

function describeHeaderClosures(count: number): string {
  return `${count} connections closed so far: their clients sent a part of their headers, or of a body in chunks, and no more, which took too much memory`;
}

function describeQueueRefusals(allQueuedMax: number): (count: number) => string {
  return (count) =>
    `${count} connections closed so far with code 1429: their clients read no answers while more than ${queuedMax} requests waited on one connection, more than ${allQueuedMax} on all connections, or more than its share for one client`;
}

function describeChunkRefusals(count: number): string {
  return `${count} connections closed so far with code 1503: too many bodies in small chunks waited to be read, which took too much memory`;
}

/** Returns what is needed to refuse a request before it can be read. */
export function refusalPartsOf({ settings, log, newRequestId }: GuardParts) {
  return {
    httpStatus: settings.httpStatus,
    newRequestId,
    log: (refusal: UnreadRefusal) => log.unread(refusal),
  };
}
