import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Holder } from '../../fairness/memory-pool.ts';
import { answeredNext } from '../answers/answered-next.ts';
import { stopParsing } from '../parsing/stop-parsing.ts';
import { wrapRequestListener } from '../wrap-request-listener.ts';
import type { WaitingResponses } from './waiting-responses.ts';

/** Requests that may wait on one connection behind the one that is answered first. */
export const queuedMax = 50;

/** What limits the requests that clients send ahead. */
interface UnansweredLimits {
  /** Notes the responses that wait, and knows how many may. */
  readonly waiting: WaitingResponses;
  /** Returns who is charged for a request that was sent ahead, and which part of all places it may have. */
  readonly holderOf: (request: IncomingMessage) => Holder;
  /** Answers the first request beyond a limit; nothing that follows it is read. */
  readonly refuseRest: (request: IncomingMessage, socket: Socket) => void;
}

/**
 * Bounds the requests that clients send before they read the answers to earlier ones: on each connection, on those of one
 * client and on all.
 *
 * Node.js reads up to 64 KiB at once, in which there is room for 3,600 requests, and begins them all before anything
 * else is served. They take a thousand times the memory of their bytes, and nothing is known of their sender yet.
 */
export function limitUnanswered(server: Server, { waiting, holderOf, refuseRest }: UnansweredLimits): void {
  wrapRequestListener(server, (handle) => (request, response) => {
    const { socket } = request;
    const mayBegin =
      answeredNext(socket) === response ||
      (waiting.countBehind(socket) < queuedMax && waiting.tryAdd(response, socket, holderOf(request)));
    if (mayBegin) handle(request, response);
    else if (stopParsing(socket)) refuseRest(request, socket);
    else socket.destroy();
  });
}
