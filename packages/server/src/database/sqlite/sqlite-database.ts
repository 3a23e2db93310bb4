import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Notice } from '../../logging/notice.ts';
import type { MetricSource } from '../../metrics/metric-source.ts';
import { NotReadyError, type ReadinessCheck } from '../../readiness/readiness-check.ts';
import { databaseSize, queuedWrites } from '../activity-metrics.ts';
import {
  type AcceptanceClaim,
  type Applications,
  type AuditRetention,
  type Backups,
  type Claims,
  type ClearedRemnants,
  type Database,
  type DirectoryImporter,
  type DirectoryReader,
  type DirectoryWriter,
  type Erasures,
  type Keys,
  type Operators,
  OutcomeUnknownError,
  type StoredSettings,
  type Tenants,
  type WriteResult,
} from '../database.ts';
import { KyselyApplications } from '../queries/applications/applications.ts';
import { KyselyAuditRetention } from '../queries/audit-retention.ts';
import { KyselyBackups } from '../queries/backups/backup-state.ts';
import { KyselyBookkeeping } from '../queries/bookkeeping/bookkeeping.ts';
import { KyselyDirectoryReader } from '../queries/directory-reader.ts';
import { KyselyErasures } from '../queries/erasure/erase-users.ts';
import { KyselyDirectoryImporter } from '../queries/imports/importer.ts';
import { KyselyOperators } from '../queries/operators/operators.ts';
import type { Session, Transact, TransactNow } from '../queries/session.ts';
import { KyselyKeys } from '../queries/settings/keys.ts';
import { KyselyStoredSettings } from '../queries/settings/stored-settings.ts';
import { KyselyTenants } from '../queries/tenants/tenants.ts';
import { KyselyClaims } from '../queries/writes/claims.ts';
import { writeInTransaction } from '../queries/writes/write.ts';
import { type BookkeepingFile, bookkeepingFile } from './bookkeeping/bookkeeping-file.ts';
import { filesAside } from './bookkeeping/damaged-files.ts';
import type { SqliteConnection, SqliteReader } from './connections/connection.ts';
import type { DatabaseHealth } from './files/database-health.ts';
import { tryToEmptyLog } from './files/empty-log.ts';
import { overwriteFreePages } from './files/overwrite-free-pages.ts';
import { openImportSession } from './import-session.ts';
import { forgetDeletedUsers } from './user-search.ts';
import { Checkpoints } from './writes/checkpoints.ts';
import { GroupCommit } from './writes/group-commit.ts';
import { ThreadWriter } from './writes/thread-writer.ts';
import { LocalWriter } from './writes/writer.ts';

interface Parts {
  readonly path: string;
  readonly writer: SqliteConnection;
  readonly reader: SqliteReader;
  readonly health: DatabaseHealth;
  readonly bookkeeping: BookkeepingFile;
  readonly notice: Notice | undefined;
  readonly now: () => number;
  readonly lockWaitMs: number;
}

const writesWaitingMax = 10_000;

/** Reading the revision takes some microseconds; polling this often makes a new credential work at once. */
const revisionPollMs = 100;

/** Background writes cost little here, so that a failed call can be looked up a moment later. */
const bookkeepingIntervalMs = 1_000;

/**
 * The directory in one SQLite file, and the bookkeeping in another. Reads use a connection without an open transaction,
 * so they see only committed data and never wait for a write; writes go through the group commit.
 */
export class SqliteDatabase implements Database {
  // Reads run on the thread of the event loop, where one list at a time would leave iterations unused. With more than
  // eight lists in progress or waiting, their rows outlive a collection of young objects.
  readonly listsAtOnce = 2;
  readonly applications: Applications;
  readonly tenants: Tenants;
  readonly importer: DirectoryImporter;
  readonly claims: Claims;
  readonly operators: Operators;
  readonly bookkeeping: KyselyBookkeeping;
  readonly auditRetention: AuditRetention;
  readonly backups: Backups;
  readonly erasures: Erasures;
  readonly keys: Keys;
  readonly storedSettings: StoredSettings;
  readonly #parts: Parts;
  readonly #groupCommit: GroupCommit;
  readonly #threadWriter: ThreadWriter;
  readonly #checkpoints: Checkpoints;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { writer, reader, health, lockWaitMs } = parts;
    this.bookkeeping = new KyselyBookkeeping(
      parts.bookkeeping,
      { now: parts.now, timeMs: async () => parts.now() },
      {
        intervalMs: bookkeepingIntervalMs,
        notice: parts.notice,
      },
    );
    this.#checkpoints = new Checkpoints(writer.connection, parts.path, parts.notice);
    this.#threadWriter = new ThreadWriter(parts.path, health);
    this.#groupCommit = new GroupCommit(new LocalWriter(writer), {
      waitingMax: writesWaitingMax,
      bulkWriter: this.#threadWriter,
      lockWaitMs,
      health,
      onCommit: () => this.#checkpoints.runIfDue(),
    });
    const transact: Transact = (work) => this.#groupCommit.submit(work);
    const transactNow: TransactNow = (work) =>
      this.#groupCommit.submit((session) => work(session, parts.now()));
    this.applications = new KyselyApplications(reader.session, transactNow, {
      secretUses: this.bookkeeping.secretUses,
      revisionPollMs,
      watch: async () => async () => {},
    });
    this.tenants = new KyselyTenants(reader.session, transactNow);
    this.importer = new KyselyDirectoryImporter(reader.session, () =>
      openImportSession(parts.path, parts.now),
    );
    this.claims = new KyselyClaims({
      session: reader.session,
      transact,
      settle: (_, transaction) => transaction,
      clock: { timeMs: async () => parts.now(), estimateMs: parts.now, differenceMs: () => undefined },
      now: parts.now,
    });
    this.auditRetention = new KyselyAuditRetention(reader.session, transact);
    this.backups = new KyselyBackups(reader.session, transact, parts.now);
    this.erasures = new KyselyErasures(reader.session, transact, parts.bookkeeping, {
      clearRemnants: () => this.#clearRemnants(transact),
      damagedFiles: () => filesAside(join(dirname(parts.path), bookkeepingFile)),
    });
    this.keys = new KyselyKeys({
      session: reader.session,
      transact,
      timeMs: async () => parts.now(),
      clockDifferenceMs: () => undefined,
    });
    this.storedSettings = new KyselyStoredSettings(reader.session, transact);
    this.operators = new KyselyOperators(reader.session, transactNow, parts.now);
  }

  async #clearRemnants(transact: Transact): Promise<ClearedRemnants> {
    const { reader, bookkeeping, path } = this.#parts;
    await forgetDeletedUsers(reader.session, transact);
    const files = [transact, ((work) => bookkeeping.write(work, 'durable')) satisfies Transact];
    const overwritten: boolean[] = [];
    for (const file of files) overwritten.push(await overwriteFreePages(file));
    // SQLite refuses to empty a log that the thread copies.
    await this.#checkpoints.ended();
    return { freeSpaceOverwritten: overwritten.every((each) => each), logEmptied: emptyLogs(path) };
  }

  directory(tenantId: bigint): DirectoryReader {
    return new KyselyDirectoryReader(this.#parts.reader.session, tenantId);
  }

  dataVersion(): Promise<bigint> {
    return this.#parts.reader.group.dataVersion();
  }

  write<T>(
    tenantId: bigint,
    claim: AcceptanceClaim | undefined,
    work: (directory: DirectoryWriter) => Promise<WriteResult<T>>,
  ): Promise<T> {
    const { now } = this.#parts;
    const run = (session: Session) => writeInTransaction(session, { tenantId, now, claim }, work);
    return this.#groupCommit.submit(run).catch((error: unknown) => {
      const claimed = claim !== undefined && error instanceof OutcomeUnknownError;
      throw claimed ? new OutcomeUnknownError(true, { cause: error.cause }) : error;
    });
  }

  refusesWritesOf(appId: string): boolean {
    return this.#groupCommit.isFullFor(appId);
  }

  async ping(): Promise<void> {
    await this.applications.revision();
  }

  readinessChecks(): readonly ReadinessCheck[] {
    const answers = { name: 'database', scope: 'node', probe: () => this.#probeDatabase() } as const;
    return [answers, ...this.#parts.health.checks];
  }

  metricSources(): readonly MetricSource[] {
    const { path } = this.#parts;
    return [
      ...this.#groupCommit.commits.metricSources(),
      queuedWrites(() => this.#groupCommit.waiting),
      databaseSize(() => bytesOf(path) + bytesOf(`${path}-wal`)),
    ];
  }

  /** Closes everything, even if the bookkeeping can no longer be written. */
  async close(): Promise<void> {
    const { reader, writer, bookkeeping } = this.#parts;
    // Closes in the reverse order of these lines.
    await using closing = new AsyncDisposableStack();
    closing.defer(() => writer.connection.close());
    closing.defer(() => reader.connection.close());
    closing.defer(() => this.#checkpoints.close());
    closing.defer(() => this.#threadWriter.close());
    closing.defer(() => this.#groupCommit.close());
    closing.defer(() => bookkeeping.close());
    closing.defer(() => this.bookkeeping.close());
  }

  async #probeDatabase(): Promise<undefined> {
    try {
      await this.ping();
    } catch (cause) {
      throw new NotReadyError('it does not answer; see the log of this node', { cause });
    }
  }
}

/** How long emptying a log may delay the writes of a server. */
const logWaitMs = 500;

function emptyLogs(path: string): boolean {
  const bookkeeping = join(dirname(path), bookkeepingFile);
  // Without a checkpoint, the last process that closes the file empties its log.
  const present = [path, bookkeeping].filter((file) => bytesOf(`${file}-wal`) > 0);
  return present.map((file) => tryToEmptyLog(file, logWaitMs)).every((emptied) => emptied);
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
