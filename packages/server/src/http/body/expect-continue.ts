import type { IncomingMessage, Server } from 'node:http';

declare module 'node:http' {
  interface IncomingMessage {
    /** The response while the client's `Expect: 100-continue` is unanswered. */
    unansweredExpect?: ServerResponse | undefined;
  }
}

/**
 * Leaves `Expect: 100-continue` unanswered until the body is asked for. By default, Node.js answers it before anything
 * looks at the headers, so that a client would upload a body that is only discarded.
 *
 * A connection whose request is refused without `100 Continue` ends with the answer, because nothing tells whether the
 * client will still send the body.
 */
export function delayContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    if (hasBody(request)) request.unansweredExpect = response;
    else response.writeContinue();
    server.emit('request', request, response);
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

/**
 * Returns whether the client waits for `100 Continue` before it sends the body. One that has begun to send does not
 * wait.
 */
export function waitsForContinue(request: IncomingMessage): boolean {
  return request.unansweredExpect !== undefined && request.readableLength === 0;
}

/** Asks the client for the body, if it waits to be asked. */
export function sendContinue(request: IncomingMessage): void {
  if (request.unansweredExpect === undefined) return;
  request.unansweredExpect.writeContinue();
  request.unansweredExpect = undefined;
}
