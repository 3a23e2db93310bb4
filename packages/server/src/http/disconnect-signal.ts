import type { ServerResponse } from 'node:http';

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
  if (response.closed) abort();
  else response.once('close', abort);
  return controller.signal;
}
