import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Returns a function that returns a signal, which aborts when the client disconnects before its answer is complete. The
 * first call makes the signal, because few operations take long enough to need one.
 */
export function disconnectSignal(response: ServerResponse): () => AbortSignal {
  let signal: AbortSignal | undefined;
  return () => {
    signal ??= signalOf(response);
    return signal;
  };
}

function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!response.writableFinished) controller.abort();
  };
  const { socket } = response.req;
  if (response.closed || socket.destroyed) {
    abort();
    return controller.signal;
  }
  // Node.js 24 and older do not close responses that wait behind an earlier one.
  const aborts = abortsOf(socket);
  aborts.add(abort);
  response.once('close', () => {
    aborts.delete(abort);
    abort();
  });
  return controller.signal;
}

/** For each connection, what aborts the signals of its open responses. */
const abortsOfSockets = new WeakMap<Socket, Set<() => void>>();

/** Listens once for all responses: Node.js warns of more than ten listeners. */
function abortsOf(socket: Socket): Set<() => void> {
  const known = abortsOfSockets.get(socket);
  if (known !== undefined) return known;
  const aborts = new Set<() => void>();
  abortsOfSockets.set(socket, aborts);
  socket.once('close', () => {
    for (const abort of aborts) abort();
  });
  return aborts;
}
