import type { Server } from 'node:http';

const warnIntervalMs = 10_000;

/**
 * Closes every connection above the limit as soon as it opens, so that clients cannot exhaust the memory and file
 * descriptors of the process.
 *
 * @param warn called at most every ten seconds, because clients decide how many connections are refused
 */
export function limitConnections(
  server: Server,
  connectionsMax: number,
  warn: (message: string) => void,
): void {
  // A full worker would pass the connection on to others that may be full too, endlessly; `dropMaxConnection` closes
  // it. The type definitions lack that property.
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
