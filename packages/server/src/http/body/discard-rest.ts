import type { IncomingMessage } from 'node:http';

/**
 * Discards what nobody has read of a request's body. Call it when the answer begins: Node.js would keep the body until
 * the answer is sent, and a client can delay that as long as it likes, by not reading the answers before this one.
 */
export function discardRest(request: IncomingMessage): void {
  if (!request.complete || request.readableLength > 0) request.resume();
}
