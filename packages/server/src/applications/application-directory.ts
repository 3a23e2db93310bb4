import type { ApplicationRecord, ApplicationSecretRecord, Database } from '../database/database.ts';
import type { MetricSource } from '../metrics/metric-source.ts';
import { FastSigner } from './fast-signer.ts';
import {
  isLive,
  type KnownApplication,
  type LoadedApplication,
  selectLive,
  toKnownApplication,
  wipeReplaced,
} from './loaded-application.ts';
import { endsOfNeededSecrets } from './needed-secrets.ts';
import { SecretUseTimes } from './secret-use-times.ts';
import { type SecretVault, UnknownKeyError } from './secret-vault.ts';

const recordUseIntervalMs = 30_000;

/**
 * Minimum time between two records of a secret's use. On PostgreSQL each record is a commit, which drops the cached
 * answers; this is often enough for a rotation.
 */
const recordUseAgainAfterMs = 300_000;

/**
 * Holds all applications that are not revoked and their opened secrets in memory, so that checking a signature needs no
 * database. Other processes issue, rotate and revoke; a counter in the database shows when they did.
 */
export class ApplicationDirectory {
  /** Stands in for the secret of an unknown application. */
  readonly standIn = new FastSigner('stands in for a secret that does not exist');
  readonly #database: Database;
  readonly #vault: SecretVault;
  readonly #now: () => number;
  #entries: ReadonlyMap<string, LoadedApplication> = new Map();
  #revision = -1n;
  readonly #uses = new SecretUseTimes();
  #onError: (error: unknown) => void = () => {};
  #timers: NodeJS.Timeout[] = [];
  #watching: Promise<void> = Promise.resolve();
  #reloading: Promise<void> | undefined;
  #nextReload: Promise<void> | undefined;
  #endWatch: () => Promise<void> = async () => {};

  constructor(database: Database, vault: SecretVault, now: () => number) {
    this.#database = database;
    this.#vault = vault;
    this.#now = now;
  }

  /**
   * Loads the applications and keeps them up to date from then on.
   *
   * @param onError called when a refresh fails; the applications known before stay in use
   */
  async start(onError: (error: unknown) => void): Promise<void> {
    this.#onError = onError;
    await this.refresh();
    const refresh = () => {
      this.#watching = this.refresh().catch(onError);
    };
    this.#endWatch = await this.#database.applications.watch(refresh);
    const watch = setInterval(refresh, this.#database.applications.revisionPollMs);
    const recordUse = setInterval(
      () => void this.recordUse(recordUseAgainAfterMs).catch(onError),
      recordUseIntervalMs,
    );
    this.#timers = [watch.unref(), recordUse.unref()];
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#endWatch();
    await this.#watching;
    // A database that cannot be written must not prevent an orderly stop.
    await this.recordUse().catch(this.#onError);
  }

  /**
   * Reloads the applications if they changed. During a reload, all calls wait for one more that begins after it,
   * so that an older list never replaces a newer one.
   */
  refresh(): Promise<void> {
    if (this.#reloading === undefined) return this.#beginReload();
    this.#nextReload ??= this.#reloading
      .catch(() => {})
      .then(() => {
        this.#nextReload = undefined;
        return this.#beginReload();
      });
    return this.#nextReload;
  }

  #beginReload(): Promise<void> {
    this.#reloading = this.#reload().finally(() => {
      this.#reloading = undefined;
    });
    return this.#reloading;
  }

  async #reload(): Promise<void> {
    const nowMs = this.#now();
    // The next call of an application wipes what expired; some never call again.
    for (const entry of this.#entries.values()) selectLive(entry, nowMs);
    const revision = await this.#database.applications.revision();
    if (revision === this.#revision) return;
    const applications = await this.#database.applications.listApplications();
    const known = applications.filter((application) => application.status !== 'revoked');
    const lacking: UnknownKeyError[] = [];
    const former = this.#entries;
    this.#entries = new Map(
      known.map((application) => [application.appId, this.#toEntry(application, lacking)]),
    );
    wipeReplaced(former, this.#entries);
    // The next refresh tries again, with the keys that this process holds by then.
    if (lacking[0] !== undefined) throw lacking[0];
    this.#revision = revision;
  }

  /** Returns the application with this id, even if it is suspended or expired. */
  find(appId: string): KnownApplication | undefined {
    return this.#entries.get(appId)?.application;
  }

  /**
   * Returns the signers of an application's live secrets, or `undefined` when it is unknown or revoked.
   *
   * @param nowMs Unix milliseconds
   */
  findSecrets(appId: string, nowMs: number): readonly FastSigner[] | undefined {
    return this.#currentEntry(appId, nowMs)?.signers;
  }

  /**
   * @param index position of the secret among those that `findSecrets` returned
   * @param nowMs Unix milliseconds
   */
  noteUse(appId: string, index: number, nowMs: number): void {
    const secret = this.#entries.get(appId)?.live[index];
    if (secret !== undefined) secret.use.usedAtMs = nowMs;
  }

  /**
   * Records when secrets were last used, which operators want to know before they end one.
   *
   * @param againAfterMs how long after one record of a secret the next is due, in milliseconds
   */
  recordUse(againAfterMs = 0): Promise<void> {
    return this.#uses.record(this.#database.applications, { nowMs: this.#now(), againAfterMs });
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'gauge',
        name: 'fieldroster_next_secret_expiry_timestamp_seconds',
        help: 'When the next secret that an active application still needs expires, in Unix seconds; absent if none does',
        ofWorkers: 'min',
        read: async () => toSeconds(await this.#nextSecretExpiryMs()),
      },
      {
        type: 'gauge',
        name: 'fieldroster_next_application_expiry_timestamp_seconds',
        help: 'When the next active application expires, in Unix seconds; absent if none does',
        ofWorkers: 'min',
        read: () => toSeconds(this.#nextApplicationExpiryMs()),
      },
    ];
  }

  #nextApplicationExpiryMs(): number | undefined {
    return earliest(this.#live(this.#now()).flatMap(({ application }) => application.expiresAtMs ?? []));
  }

  /** Reads the database, which knows the uses by other processes, at each scrape during which some secret has an end. */
  async #nextSecretExpiryMs(): Promise<number | undefined> {
    const nowMs = this.#now();
    const ends = this.#live(nowMs).flatMap(({ secrets }) => secrets.map(({ expiresAtMs }) => expiresAtMs));
    if (!ends.some((endMs) => endMs > nowMs && endMs !== Number.POSITIVE_INFINITY)) return undefined;
    const live = new Set(this.#live(nowMs).map(({ application }) => application.appId));
    const applications = await this.#database.applications.listApplications();
    const needed = applications
      .filter(({ appId }) => live.has(appId))
      .flatMap(({ secrets }) =>
        endsOfNeededSecrets(
          secrets.map((secret) => this.#withOwnUse(secret)),
          nowMs,
        ),
      );
    return earliest(needed);
  }

  #live(nowMs: number): readonly LoadedApplication[] {
    return [...this.#entries.values()].filter(({ application }) => isLive(application, nowMs));
  }

  #withOwnUse(secret: ApplicationSecretRecord): ApplicationSecretRecord {
    const lastUsedAtMs = Math.max(secret.lastUsedAtMs ?? 0, this.#uses.of(secret.id).usedAtMs);
    return lastUsedAtMs === 0 ? secret : { ...secret, lastUsedAtMs };
  }

  /** @param lacking receives an error for each secret whose key this process does not hold */
  #toEntry(record: ApplicationRecord, lacking: UnknownKeyError[]): LoadedApplication {
    const { appId, secrets } = record;
    const loaded = secrets.flatMap(({ id, sealed, expiresAtMs = Number.POSITIVE_INFINITY }) => {
      const signer = this.#open(appId, { id, sealed }, lacking);
      return signer === undefined ? [] : [{ id, signer, expiresAtMs, use: this.#uses.of(id) }];
    });
    const application = toKnownApplication(record);
    return { application, secrets: loaded, live: loaded, signers: [], lastEndMs: 0, nextEndMs: 0 };
  }

  /**
   * Opens a secret. A damaged one must not keep the other applications out. A missing key means that this process was
   * left behind by a rotation: secrets that it opened before are still good, and it must follow every other change.
   */
  #open(
    appId: string,
    { id, sealed }: Pick<ApplicationSecretRecord, 'id' | 'sealed'>,
    lacking: UnknownKeyError[],
  ): FastSigner | undefined {
    try {
      return new FastSigner(this.#vault.open(appId, sealed));
    } catch (error) {
      if (!(error instanceof UnknownKeyError)) {
        this.#onError(error);
        return undefined;
      }
      lacking.push(error);
      return this.#entries.get(appId)?.secrets.find((secret) => secret.id === id)?.signer;
    }
  }

  #currentEntry(appId: string, nowMs: number): LoadedApplication | undefined {
    const entry = this.#entries.get(appId);
    if (entry !== undefined) selectLive(entry, nowMs);
    return entry;
  }
}

function earliest(timesMs: readonly number[]): number | undefined {
  return timesMs.length === 0 ? undefined : timesMs.reduce((first, next) => Math.min(first, next));
}

function toSeconds(timeMs: number | undefined): number | undefined {
  return timeMs === undefined ? undefined : timeMs / 1000;
}
