import pg from 'pg';
import { parseDatabaseUrl } from './database-url.ts';
import { credentialsChannel } from './engine.ts';
import { clientConfig } from './failover-pool.ts';

const reconnectMs = 1_000;

/**
 * Hears of changed credentials as they are committed. Whatever it misses while the database is away, the
 * regular look at the revision finds.
 */
export class CredentialListener {
  readonly #connectionStrings: readonly string[];
  readonly #connectTimeoutMs: number;
  readonly #onChange: () => void;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #attempts = 0;

  constructor(url: string, connectTimeoutMs: number, onChange: () => void) {
    this.#connectionStrings = parseDatabaseUrl(url).connectionStrings;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#onChange = onChange;
  }

  async start(): Promise<void> {
    const client = new pg.Client({
      ...clientConfig(this.#nextHost(), { connectTimeoutMs: this.#connectTimeoutMs, statementTimeoutMs: 0 }),
      application_name: 'fieldroster credentials',
    });
    this.#client = client;
    client.on('notification', this.#onChange);
    client.on('error', () => this.#startAgain(client));
    client.on('end', () => this.#startAgain(client));
    try {
      await client.connect();
      await client.query(`listen ${credentialsChannel}`);
      this.#onChange();
    } catch {
      this.#startAgain(client);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => {});
  }

  #nextHost(): string {
    const host = this.#connectionStrings[this.#attempts % this.#connectionStrings.length];
    this.#attempts += 1;
    return host ?? '';
  }

  #startAgain(failed: pg.Client): void {
    if (this.#stopped || this.#client !== failed) return;
    this.#client = undefined;
    failed.end().catch(() => {});
    this.#timer = setTimeout(() => void this.start(), reconnectMs).unref();
  }
}
