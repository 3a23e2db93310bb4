import type { Server } from 'node:http';

const warnIntervalMs = 10_000;

/**
 * Closes every connection above the limit as soon as it opens, so that nobody can use up the memory and the file
 * descriptors of the process by opening connections.
 *
 * @param warn called at most every ten seconds, because whoever opens connections decides how many are refused
 */
export function limitConnections(
  server: Server,
  connectionsMax: number,
  warn: (message: string) => void,
): void {
  // A worker that is full would hand the connection on to others that may be full as well, without end; the second
  // property closes it. The types do not know that one yet.
  Object.assign(server, { maxConnections: connectionsMax, dropMaxConnection: true });
  let refused = 0;
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    refused += 1;
    if (performance.now() - warnedAtMs < warnIntervalMs) return;
    warnedAtMs = performance.now();
    warn(`${refused} connections refused so far: ${connectionsMax} are open, the limit of --connections-max`);
  });
}
