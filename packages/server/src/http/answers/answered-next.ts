import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type SocketOfServer = Socket & { readonly _httpMessage?: ServerResponse | null };

/**
 * Returns the response that a connection sends next, if it has a request without a complete answer. Node.js keeps it in
 * this undocumented property from the arrival of the request's headers until the operating system has taken the last
 * byte of the answer.
 */
export function answeredNext(socket: Socket): ServerResponse | null | undefined {
  return (socket as SocketOfServer)._httpMessage;
}
