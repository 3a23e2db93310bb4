import pg from 'pg';
import { shareRunning } from '../../../time/share-running.ts';
import { withinMs } from '../../../time/within-ms.ts';
import { credentialsChannel } from '../engine.ts';
import { type ClientLimits, clientConfig } from './client-config.ts';
import type { PrimaryHosts } from './primary-hosts.ts';

export interface DatabaseWatchOptions {
  readonly hosts: PrimaryHosts;
  readonly connectTimeoutMs: number;
  /** The time limit of one statement of a readiness check, in milliseconds. */
  readonly answerTimeoutMs: number;
}

const reconnectMs = 1_000;

/** How often the other hosts are checked for a newer primary. */
const hostCheckIntervalMs = 10_000;

/** How long to wait for the database to close the connection. */
const endTimeoutMs = 2_000;

/** Reads a row that always exists, from a table that is always small. */
const readDirectory = 'select value from counter limit 1';

interface Connection {
  readonly client: pg.Client;
  readonly connectionString: string;
  readonly timeline: number;
}

/**
 * A connection outside the pool, so that neither readiness checks nor news of changed credentials queue behind
 * requests. The regular polling of the revision catches what it misses while the database is away.
 */
export class DatabaseWatch {
  readonly #hosts: PrimaryHosts;
  readonly #limits: ClientLimits;
  readonly #answerTimeoutMs: number;
  readonly #listeners = new Set<() => void>();
  #connection: Connection | undefined;
  readonly #connectOnce = shareRunning(() => this.#connect());
  #reconnect: NodeJS.Timeout | undefined;
  #hostCheck: NodeJS.Timeout | undefined;
  #closed = false;

  constructor({ hosts, connectTimeoutMs, answerTimeoutMs }: DatabaseWatchOptions) {
    this.#hosts = hosts;
    this.#answerTimeoutMs = answerTimeoutMs;
    this.#limits = { connectTimeoutMs, statementTimeoutMs: 0 };
  }

  /** Calls back when credentials changed or changes may have been missed. Returns a function to stop it. */
  async listen(onChange: () => void): Promise<() => Promise<void>> {
    this.#listeners.add(onChange);
    this.#hostCheck ??= setInterval(
      () => void this.#hosts.checkHosts().catch(() => {}),
      hostCheckIntervalMs,
    ).unref();
    await this.#connected().catch(() => this.#connectLater());
    return async () => {
      this.#listeners.delete(onChange);
      if (this.#listeners.size === 0) await this.#disconnect();
    };
  }

  /** Rejects when no primary answers, or when its directory cannot be read. */
  async probe(): Promise<void> {
    const connection = await this.#connected();
    try {
      await this.#hosts.admit(connection.client, connection.connectionString);
      await connection.client.query(readDirectory);
    } catch (error) {
      this.#drop(connection);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#disconnect();
  }

  async #connected(): Promise<Connection> {
    const connection = this.#connection;
    if (connection !== undefined && this.#hosts.accepts(connection.timeline, connection.connectionString))
      return connection;
    if (connection !== undefined) this.#drop(connection);
    return this.#connectOnce();
  }

  async #connect(): Promise<Connection> {
    const connectionString = await this.#hosts.choose();
    const client = new pg.Client({
      ...clientConfig(connectionString, this.#limits),
      application_name: 'fieldroster watch',
      query_timeout: this.#answerTimeoutMs,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      const timeline = await this.#hosts.admit(client, connectionString);
      const connection = { client, connectionString, timeline };
      await client.query(`listen ${credentialsChannel}`);
      this.#keep(connection);
      return connection;
    } catch (error) {
      this.#hosts.leave(connectionString);
      client.end().catch(() => {});
      throw error;
    }
  }

  #keep(connection: Connection): void {
    if (this.#closed) throw new Error('the watch of the database was closed');
    this.#connection = connection;
    connection.client.on('notification', () => this.#tell());
    connection.client.on('end', () => this.#drop(connection));
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #drop(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#hosts.leave(connection.connectionString);
    connection.client.end().catch(() => {});
    this.#connectLater();
  }

  #connectLater(): void {
    if (this.#closed || this.#listeners.size === 0) return;
    clearTimeout(this.#reconnect);
    const retry = () => void this.#connected().catch(() => this.#connectLater());
    this.#reconnect = setTimeout(retry, reconnectMs).unref();
  }

  async #disconnect(): Promise<void> {
    clearTimeout(this.#reconnect);
    clearInterval(this.#hostCheck);
    this.#hostCheck = undefined;
    const connection = this.#connection;
    this.#connection = undefined;
    // It resolves only once the other side closes the connection, which a database that hangs never does.
    await withinMs(connection?.client.end() ?? Promise.resolve(), endTimeoutMs, () => {}).catch(() => {});
  }
}
