import type { Server } from 'node:http';
import type { DropArgument, Socket } from 'node:net';
import type { MetricSource } from '../../metrics/metric-source.ts';
import type { ProcessMemory } from '../body/body-memory.ts';
import { IdleConnections } from './idle-connections.ts';
import {
  type ConnectionSettings,
  idleConnectionBytes,
  listenersOf,
  memorySharesOf,
  type SharingSettings,
} from './memory-shares.ts';
import { RareWarning } from './rare-warning.ts';

/** How many connections of a listener may be open, and which limit that is. */
export interface OpenConnections {
  readonly max: number;
  readonly reason: string;
}

/**
 * Derives how many connections of a listener may be open: as many as the settings say, unless they could take too much of the memory.
 *
 * @param settings its workers share the memory, and so do the listeners of each
 */
export function openConnectionsOf(
  settings: SharingSettings & ConnectionSettings,
  memory: ProcessMemory,
  serves: 'operations' | 'console',
): OpenConnections {
  const { connectionsMax } = settings;
  const bytes = memorySharesOf(memory, settings).idleConnections * partOf(serves, settings);
  const fitting = Math.floor(bytes / idleConnectionBytes);
  if (fitting < connectionsMax)
    return { max: fitting, reason: 'as many as the memory of this process allows' };
  return { max: connectionsMax, reason: 'the limit of --connections-max' };
}

function partOf(serves: 'operations' | 'console', settings: ConnectionSettings): number {
  if (listenersOf(settings) === 1) return 1;
  return serves === 'console' ? 1 / 8 : 7 / 8;
}

/**
 * Closes every connection above the limit as soon as it opens, so that clients cannot exhaust the memory and file
 * descriptors of the process. Idle connections give way, so that they cannot keep others out.
 */
export class ConnectionLimit {
  readonly #refusals: RareWarning;
  readonly #idleClosures: RareWarning;

  /** @param warn called at most every ten seconds, because clients decide how many connections are refused */
  constructor(warn: (fields: object, message: string) => void) {
    this.#refusals = new RareWarning(warn);
    this.#idleClosures = new RareWarning(warn);
  }

  applyTo(server: Server, allowed: OpenConnections): void {
    // A full worker would pass the connection on to others that may be full too, endlessly; `dropMaxConnection` closes
    // it. The type definitions lack that property.
    Object.assign(server, { maxConnections: allowed.max, dropMaxConnection: true });
    server.on('drop', (connection) => this.#noteRefused(connection, allowed));
    const onClosed = (socket: Socket) => this.#noteClosed(socket, allowed);
    new IdleConnections(server, { max: allowed.max, onClosed }).begin();
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
  #noteRefused(connection: DropArgument | undefined, { max, reason }: OpenConnections): void {
    this.#refusals.note(
      { address: connection?.remoteAddress ?? null },
      (count) => `${count} connections refused so far: ${max} are open, ${reason}`,
    );
  }

  #noteClosed({ remoteAddress }: Socket, { max, reason }: OpenConnections): void {
    this.#idleClosures.note(
      { address: remoteAddress ?? null },
      (count) =>
        `${count} idle connections closed so far to make room for others: ${max} are open, ${reason}`,
    );
  }
}
