import type { Server } from 'node:http';
import type { DropArgument, Socket } from 'node:net';
import type { Settings } from '../../config.ts';
import type { MetricSource } from '../../metrics/metric-source.ts';
import type { ProcessMemory } from '../body/body-memory.ts';
import { IdleConnections } from './idle-connections.ts';
import { idleConnectionBytes, memorySharesOf, type SharingSettings } from './memory-shares.ts';
import { RareWarning } from './rare-warning.ts';

/** How many connections of each listener may be open, and which limit that is. */
export interface OpenConnections {
  readonly max: number;
  readonly reason: string;
}

/**
 * Derives how many connections may be open: as many as the settings say, unless they could take too much of the memory.
 *
 * @param settings its workers share the memory, and so do the listeners of each
 */
export function openConnectionsOf(
  settings: SharingSettings & Pick<Settings, 'connectionsMax' | 'console' | 'consoleListen'>,
  memory: ProcessMemory,
): OpenConnections {
  const { connectionsMax } = settings;
  const bytes = memorySharesOf(memory, settings).idleConnections / listenersOf(settings);
  const fitting = Math.floor(bytes / idleConnectionBytes);
  if (fitting < connectionsMax)
    return { max: fitting, reason: 'as many as the memory of this process allows' };
  return { max: connectionsMax, reason: 'the limit of --connections-max' };
}

/** Returns how many listeners a process has. */
export function listenersOf({ console, consoleListen }: Pick<Settings, 'console' | 'consoleListen'>): number {
  return console && consoleListen !== '' ? 2 : 1;
}

/**
 * Closes every connection above the limit as soon as it opens, so that clients cannot exhaust the memory and file
 * descriptors of the process. Idle connections give way, so that they cannot keep others out.
 */
export class ConnectionLimit {
  readonly #allowed: OpenConnections;
  readonly #refusals: RareWarning;
  readonly #idleClosures: RareWarning;

  /**
   * @param allowed open connections of each listener
   * @param warn called at most every ten seconds, because clients decide how many connections are refused
   */
  constructor(allowed: OpenConnections, warn: (fields: object, message: string) => void) {
    this.#allowed = allowed;
    this.#refusals = new RareWarning(warn);
    this.#idleClosures = new RareWarning(warn);
  }

  applyTo(server: Server): void {
    // A full worker would pass the connection on to others that may be full too, endlessly; `dropMaxConnection` closes
    // it. The type definitions lack that property.
    Object.assign(server, { maxConnections: this.#allowed.max, dropMaxConnection: true });
    server.on('drop', (connection) => this.#noteRefused(connection));
    const { max } = this.#allowed;
    new IdleConnections(server, { max, onClosed: (socket) => this.#noteClosed(socket) }).begin();
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'counter',
        name: 'fieldroster_connections_refused_total',
        help: 'Connections closed at once because as many as --connections-max, or as the memory allows, were open',
        read: () => this.#refusals.count,
      },
      {
        type: 'counter',
        name: 'fieldroster_connections_idle_closed_total',
        help: 'Idle connections closed to make room, because as many as --connections-max, or as the memory allows, were open',
        read: () => this.#idleClosures.count,
      },
    ];
  }

  /** Nothing has been read yet, so behind a proxy the address is the proxy's. */
  #noteRefused(connection: DropArgument | undefined): void {
    const { max, reason } = this.#allowed;
    this.#refusals.note(
      { address: connection?.remoteAddress ?? null },
      (count) => `${count} connections refused so far: ${max} are open, ${reason}`,
    );
  }

  #noteClosed({ remoteAddress }: Socket): void {
    const { max, reason } = this.#allowed;
    this.#idleClosures.note(
      { address: remoteAddress ?? null },
      (count) =>
        `${count} idle connections closed so far to make room for others: ${max} are open, ${reason}`,
    );
  }
}
