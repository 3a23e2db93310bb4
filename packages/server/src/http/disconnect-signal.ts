import type { ServerResponse } from 'node:http';

const signals = new WeakMap<ServerResponse, AbortSignal>();

/**
 * Aborts when the client disconnects before its answer is complete. Made on demand: few operations take long
 * enough to ask.
 */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const known = signals.get(response);
  if (known !== undefined) return known;
  const controller = new AbortController();
  signals.set(response, controller.signal);
  const abort = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
}
