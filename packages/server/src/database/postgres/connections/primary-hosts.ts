import pg from 'pg';
import { atMostEvery } from '../../../logging/at-most-every.ts';
import type { Notice } from '../../../logging/notice.ts';
import { shareRunning } from '../../../time/share-running.ts';
import { faultOf } from '../errors/postgres-error.ts';
import { sqlStates } from '../errors/sql-states.ts';
import { clientConfig } from './client-config.ts';
import { type DatabaseUrl, parseDatabaseUrl } from './database-url.ts';
import { anyTimeline, type Hosts } from './hosts.ts';
import { PrimaryHistory, type PrimarySeen } from './primary-history.ts';
import { readServerIdentity } from './server-identity.ts';

export interface PrimaryHostsOptions {
  readonly connectTimeoutMs: number;
  /** Shared by everything that must not follow a former primary. */
  readonly history?: PrimaryHistory;
  readonly notice?: Notice;
}

/** The server takes no writes, or must be given none. */
export class NotPrimaryError extends Error {
  override readonly name: string = 'NotPrimaryError';
  readonly code = sqlStates.readOnlySqlTransaction;
}

/** The server is a primary whose writes would be lost, or one of another cluster. */
export class FormerPrimaryError extends NotPrimaryError {
  override readonly name = 'FormerPrimaryError';
}

interface Candidate {
  readonly host: string;
  readonly connectionString: string;
  /** Absent if the database does not report it. */
  readonly seen: PrimarySeen | undefined;
}

/** Every connection attempt meets a former primary while it is up; the log need not repeat that each time. */
const noticeIntervalMs = 10_000;

/**
 * Finds the server that takes writes. With several hosts, more than one may do so: after a failover the former primary
 * can come back, and writes to it are lost. Each promotion begins a new timeline, so the server on the highest timeline
 * is the primary, and servers below the highest timeline ever seen are not used.
 */
export class PrimaryHosts implements Hosts {
  readonly count: number;
  readonly location: string;
  /** Number of times that a former primary, or a primary of another cluster, was met and refused. */
  refusals = 0;
  readonly #url: DatabaseUrl;
  readonly #options: Required<PrimaryHostsOptions>;
  #chosen: string | undefined;
  /**
   * Connection strings whose last connection led to a server that must not be used. A pooler may have moved connections
   * that were admitted before to the same server.
   */
  readonly #refused = new Set<string>();
  readonly #chooseOnce = shareRunning(() => this.#choose());
  readonly #mayNotice = atMostEvery(noticeIntervalMs);

  constructor(url: string, { connectTimeoutMs, history, notice }: PrimaryHostsOptions) {
    this.#url = parseDatabaseUrl(url);
    this.count = this.#url.connectionStrings.length;
    this.location = this.#url.location;
    this.#options = {
      connectTimeoutMs,
      history: history ?? new PrimaryHistory(),
      notice: notice ?? (() => {}),
    };
    this.#options.history.onNewer(() => {
      this.#chosen = undefined;
    });
  }

  current(): string | undefined {
    return this.#chosen;
  }

  choose(): Promise<string> {
    return this.#chosen === undefined ? this.#chooseOnce() : Promise.resolve(this.#chosen);
  }

  leave(connectionString: string): void {
    if (this.#chosen === connectionString) this.#chosen = undefined;
  }

  async admit(client: pg.ClientBase, connectionString: string): Promise<number> {
    const { refusesWrites, seen } = await readServerIdentity(client);
    const { history } = this.#options;
    const isRefused = seen === undefined ? refusesWrites !== undefined : history.judge(seen) !== 'current';
    if (isRefused) this.#refused.add(connectionString);
    else this.#refused.delete(connectionString);
    if (refusesWrites !== undefined)
      throw new NotPrimaryError(
        `this host takes no writes, because ${refusesWrites}; let it take writes, or name the primary in the database URL`,
      );
    if (seen === undefined) return anyTimeline;
    if (isRefused) throw this.#refuse(this.#hostOf(connectionString), seen);
    history.note(seen);
    return seen.timeline;
  }

  accepts(timeline: number, connectionString: string): boolean {
    return !this.#refused.has(connectionString) && timeline >= (this.#options.history.newest?.timeline ?? 0);
  }

  /** Asks every host for its timeline, so that a newer primary is noticed while the former one still answers. */
  async checkHosts(): Promise<void> {
    if (this.count > 1) await this.#findCandidates();
  }

  async #choose(): Promise<string> {
    const [only = ''] = this.#url.connectionStrings;
    // With a single host there is no choice; its first connection shows whether it is usable.
    const chosen = this.count === 1 ? only : (await this.#findPrimary()).connectionString;
    this.#chosen = chosen;
    return chosen;
  }

  async #findPrimary(): Promise<Candidate> {
    const { candidates, errors } = await this.#findCandidates();
    const { history } = this.#options;
    const refused: Error[] = [];
    for (const candidate of candidates) {
      if (candidate.seen === undefined || history.judge(candidate.seen) === 'current') return candidate;
      refused.push(this.#refuse(candidate.host, candidate.seen));
    }
    // An error that an operator must fix, such as a wrong password, is more useful than an absent host.
    const telling = errors.find((error) => faultOf(error) !== 'unavailable');
    throw telling ?? refused[0] ?? new AggregateError(errors, errors.map(String).join('; '));
  }

  /** Returns the hosts that take writes, in URL order, after recording all of them in the history. */
  async #findCandidates(): Promise<{ candidates: readonly Candidate[]; errors: readonly Error[] }> {
    const probes = this.#url.connectionStrings.map((connectionString) => this.#probe(connectionString));
    const results = await Promise.allSettled(probes);
    const candidates = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    for (const { seen } of candidates) if (seen !== undefined) this.#options.history.note(seen);
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    return { candidates, errors };
  }

  /** @throws {NotPrimaryError} when the server takes no writes */
  async #probe(connectionString: string): Promise<Candidate> {
    const host = this.#hostOf(connectionString);
    const { connectTimeoutMs } = this.#options;
    const limits = { connectTimeoutMs, statementTimeoutMs: connectTimeoutMs };
    const client = new pg.Client(clientConfig(connectionString, limits));
    client.on('error', () => {});
    try {
      await client.connect();
      const { refusesWrites, seen } = await readServerIdentity(client);
      if (refusesWrites !== undefined)
        throw new NotPrimaryError(`${host} takes no writes, because ${refusesWrites}`);
      return { host, connectionString, seen };
    } finally {
      void client.end().catch(() => {});
    }
  }

  #hostOf(connectionString: string): string {
    const { connectionStrings, hosts } = this.#url;
    return hosts[connectionStrings.indexOf(connectionString)] ?? this.location;
  }

  #refuse(host: string, seen: PrimarySeen): FormerPrimaryError {
    this.refusals += 1;
    const { history, notice } = this.#options;
    const isFormer = history.judge(seen) === 'former';
    const message = isFormer
      ? 'a former primary was not used: another server was promoted after it'
      : 'a server of another cluster was not used: restart this process to move to it';
    if (this.#mayNotice())
      notice({ host, found: seen, newest: history.newest, refusals: this.refusals }, message);
    return new FormerPrimaryError(`${host}: ${message}`);
  }
}
