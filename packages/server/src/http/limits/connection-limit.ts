import type { Server } from 'node:http';
import type { DropArgument } from 'node:net';
import type { MetricSource } from '../../metrics/metric-source.ts';
import { RareWarning } from './rare-warning.ts';

/**
 * Closes every connection above the limit as soon as it opens, so that clients cannot exhaust the memory and file
 * descriptors of the process.
 */
export class ConnectionLimit {
  readonly #connectionsMax: number;
  readonly #refusals: RareWarning;

  /**
   * @param connectionsMax open connections of each listener
   * @param warn called at most every ten seconds, because clients decide how many connections are refused
   */
  constructor(connectionsMax: number, warn: (fields: object, message: string) => void) {
    this.#connectionsMax = connectionsMax;
    this.#refusals = new RareWarning(warn);
  }

  applyTo(server: Server): void {
    // A full worker would pass the connection on to others that may be full too, endlessly; `dropMaxConnection` closes
    // it. The type definitions lack that property.
    Object.assign(server, { maxConnections: this.#connectionsMax, dropMaxConnection: true });
    server.on('drop', (connection) => this.#noteRefused(connection));
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'counter',
        name: 'fieldroster_connections_refused_total',
        help: 'Connections closed at once because as many as --connections-max were open',
        read: () => this.#refusals.count,
      },
    ];
  }

  /** Nothing has been read yet, so behind a proxy the address is the proxy's. */
  #noteRefused(connection: DropArgument | undefined): void {
    this.#refusals.note(
      { address: connection?.remoteAddress ?? null },
      (count) =>
        `${count} connections refused so far: ${this.#connectionsMax} are open, the limit of --connections-max`,
    );
  }
}
