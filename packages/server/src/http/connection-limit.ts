import type { Server } from 'node:http';
import type { MetricSource } from '../metrics/metric-source.ts';

const warnIntervalMs = 10_000;

/**
 * Closes every connection above the limit as soon as it opens, so that clients cannot exhaust the memory and file
 * descriptors of the process.
 */
export class ConnectionLimit {
  readonly #connectionsMax: number;
  readonly #warn: (message: string) => void;
  #refused = 0;
  #warnedAtMs = Number.NEGATIVE_INFINITY;

  /**
   * @param connectionsMax open connections of each listener
   * @param warn called at most every ten seconds, because clients decide how many connections are refused
   */
  constructor(connectionsMax: number, warn: (message: string) => void) {
    this.#connectionsMax = connectionsMax;
    this.#warn = warn;
  }

  applyTo(server: Server): void {
    // A full worker would pass the connection on to others that may be full too, endlessly; `dropMaxConnection` closes
    // it. The type definitions lack that property.
    Object.assign(server, { maxConnections: this.#connectionsMax, dropMaxConnection: true });
    server.on('drop', () => this.#noteRefused());
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'counter',
        name: 'fieldroster_connections_refused_total',
        help: 'Connections closed at once because as many as --connections-max were open',
        read: () => this.#refused,
      },
    ];
  }

  #noteRefused(): void {
    this.#refused += 1;
    if (performance.now() - this.#warnedAtMs < warnIntervalMs) return;
    this.#warnedAtMs = performance.now();
    this.#warn(
      `${this.#refused} connections refused so far: ${this.#connectionsMax} are open, the limit of --connections-max`,
    );
  }
}
