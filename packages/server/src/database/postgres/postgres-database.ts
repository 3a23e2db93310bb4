import { sql } from 'kysely';
import type { Notice } from '../../logging/notice.ts';
import type { MetricSource } from '../../metrics/metric-source.ts';
import { NotReadyError, type ReadinessCheck } from '../../readiness/readiness-check.ts';
import { Deadline, runUnderDeadline } from '../../time/deadline.ts';
import { inSpan } from '../../tracing/trace.ts';
import { databaseSize } from '../activity-metrics.ts';
import { CommitCounts } from '../commit-counts.ts';
import type {
  AcceptanceClaim,
  Applications,
  AuditRetention,
  Backups,
  Claims,
  Database,
  DirectoryImporter,
  DirectoryReader,
  DirectoryWriter,
  Erasures,
  Keys,
  Operators,
  StoredSettings,
  Tenants,
  WriteResult,
} from '../database.ts';
import { KyselyApplications } from '../queries/applications/applications.ts';
import { KyselyAuditRetention } from '../queries/audit-retention.ts';
import { KyselyBackups } from '../queries/backups/backup-state.ts';
import { KyselyBookkeeping } from '../queries/bookkeeping/bookkeeping.ts';
import type { BookkeepingTables } from '../queries/bookkeeping/bookkeeping-tables.ts';
import { KyselyDirectoryReader } from '../queries/directory-reader.ts';
import { KyselyErasures } from '../queries/erasure/erase-users.ts';
import { KyselyDirectoryImporter } from '../queries/imports/importer.ts';
import { KyselyOperators } from '../queries/operators/operators.ts';
import type { Session, Transact, TransactNow } from '../queries/session.ts';
import { KyselyKeys } from '../queries/settings/keys.ts';
import { KyselyStoredSettings } from '../queries/settings/stored-settings.ts';
import { KyselyTenants } from '../queries/tenants/tenants.ts';
import { KyselyClaims, type PurgeClock } from '../queries/writes/claims.ts';
import { writeInTransaction } from '../queries/writes/write.ts';
import { type ConnectionUse, connectionMetrics } from './connections/connection-metrics.ts';
import type { DatabaseWatch } from './connections/database-watch.ts';
import type { FairConnections } from './connections/fair-connections.ts';
import { FormerPrimaryError, NotPrimaryError } from './connections/primary-hosts.ts';
import { importSession } from './import-session.ts';
import { PostgresRateReportBoard } from './rate-report-board.ts';
import type { Replica } from './replicas/replica.ts';
import { ReplicaLists } from './replicas/replica-lists.ts';
import type { SnapshotVersion } from './snapshot-version.ts';
import { planForManyRows } from './tables/plan-for-many-rows.ts';
import { ReplicaConfirmation } from './transactions/replica-confirmation.ts';
import { runTransaction, type TransactionOptions } from './transactions/run-transaction.ts';
import { type Settling, settleLostCommit } from './transactions/settle-lost-commit.ts';
import { commitWithoutWait, giveUpSoon } from './transactions/transaction-settings.ts';
import { takesNoWrites, WriteCheck } from './transactions/write-check.ts';
import { groupedUserLookUps } from './user-look-ups.ts';

interface Parts {
  /** For metrics only; statements go through the sessions. */
  readonly connections: ConnectionUse;
  /** Opens a separate session with one connection. */
  readonly openAlone: () => Session;
  readonly watch: DatabaseWatch;
  /** For reads. */
  readonly primary: Session;
  /** For transactions, which may use only a part of the connections. */
  readonly writer: FairConnections;
  /** For lists. Without one, the primary serves everything. */
  readonly replica: Replica | undefined;
  readonly dataVersion: SnapshotVersion;
  readonly clock: PurgeClock;
  readonly notice: Notice;
  readonly now: () => number;
}

/** How long a scrape waits for the size, in milliseconds. */
const sizeWaitMs = 1_000;

/** Fallback for missed notifications, in milliseconds: a change takes effect within this time and a moment. */
const revisionPollMs = 1_000;

/** Tables in which single writes look up rows. */
const tablesOfLookUps = ['user', 'user_role', 'user_org', 'user_store', 'role', 'org', 'store'] as const;

/** How many transactions pass between two checks of these tables' statistics, and how long a check may take. */
const statistics = { everyTransactions: 500, waitMs: 10_000 };

/** Every commit drops the cached answers of all nodes, so bookkeeping causes few. */
const bookkeepingIntervalMs = 10_000;

const onlyFormerPrimary =
  'only a former primary answers, whose writes would be lost; bring the current one back, or restart all nodes if it is permanently lost';

/** The directory in a PostgreSQL database, which any number of processes may serve concurrently. */
export class PostgresDatabase implements Database {
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
  readonly rateReports: PostgresRateReportBoard;
  readonly #parts: Parts;
  readonly #settling: Settling;
  readonly #writeCheck = new WriteCheck();
  readonly #commits = new CommitCounts();
  readonly #lookUps = groupedUserLookUps();
  #transactions = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#settling = { db: parts.primary.db, replicated: new ReplicaConfirmation(parts.primary.db) };
    const { primary, watch, openAlone, clock, now } = parts;
    const transact: Transact = (work) => this.#transact(work);
    const transactNow: TransactNow = (work) => this.#transact((session) => work(session, now()));
    const bookkeepingTables: BookkeepingTables = {
      read: (work) => work(primary),
      write: (work, durability) =>
        transact(async (session) => {
          if (durability === 'background') await commitWithoutWait(session);
          return work(session);
        }),
    };
    this.bookkeeping = new KyselyBookkeeping(
      bookkeepingTables,
      { now: () => clock.estimateMs(), timeMs: () => clock.timeMs() },
      {
        intervalMs: bookkeepingIntervalMs,
        notice: parts.notice,
      },
    );
    this.applications = new KyselyApplications(primary, transactNow, {
      secretUses: this.bookkeeping.secretUses,
      revisionPollMs,
      watch: (onChange) => watch.listen(onChange),
    });
    this.tenants = new KyselyTenants(primary, transactNow);
    this.importer = new KyselyDirectoryImporter(primary, () => importSession(openAlone(), now));
    this.claims = new KyselyClaims({
      session: primary,
      transact: (work) =>
        transact(async (session) => {
          await giveUpSoon(session);
          return work(session);
        }),
      settle: (claim, transaction) => settleLostCommit(this.#settling, claim, transaction),
      clock,
      now,
    });
    this.auditRetention = new KyselyAuditRetention(primary, transact);
    this.backups = new KyselyBackups(primary, transact, now);
    this.erasures = new KyselyErasures(primary, transact, bookkeepingTables);
    this.keys = new KyselyKeys({
      session: primary,
      transact,
      timeMs: () => clock.timeMs(),
      clockDifferenceMs: () => clock.differenceMs(),
    });
    this.storedSettings = new KyselyStoredSettings(primary, transact);
    this.operators = new KyselyOperators(
      primary,
      (work) => this.#transact((session) => work(session, clock.estimateMs())),
      () => clock.estimateMs(),
    );
    this.rateReports = new PostgresRateReportBoard(primary);
  }

  directory(tenantId: bigint): DirectoryReader {
    const { primary, replica } = this.#parts;
    const lists = replica && new ReplicaLists(replica, tenantId);
    return new KyselyDirectoryReader(primary, tenantId, { lists, lookUps: this.#lookUps });
  }

  dataVersion(deadline?: Deadline): Promise<string> {
    return this.#parts.dataVersion.current(deadline);
  }

  write<T>(
    tenantId: bigint,
    claim: AcceptanceClaim | undefined,
    work: (directory: DirectoryWriter) => Promise<WriteResult<T>>,
  ): Promise<T> {
    const { now } = this.#parts;
    return settleLostCommit(
      this.#settling,
      claim,
      this.#transact((session) => writeInTransaction(session, { tenantId, now, claim }, work), {
        commitAhead: claim !== undefined,
      }),
    );
  }

  refusesWritesOf(appId: string): boolean {
    return this.#parts.writer.isFullFor(appId);
  }

  async ping(): Promise<void> {
    await this.applications.revision();
  }

  readinessChecks(): readonly ReadinessCheck[] {
    return [{ name: 'database', scope: 'node', probe: () => this.#probeDatabase() }, this.#writeCheck];
  }

  metricSources(): readonly MetricSource[] {
    const { primary, connections } = this.#parts;
    return [
      ...this.#commits.metricSources(),
      ...connectionMetrics(connections),
      databaseSize(() => sizeOf(primary)),
    ];
  }

  /** Closes everything, even if a part cannot be closed. */
  async close(): Promise<void> {
    const { watch, writer, primary, replica } = this.#parts;
    // Closes in the reverse order of these lines.
    await using closing = new AsyncDisposableStack();
    closing.defer(() => replica?.close());
    closing.defer(() => primary.db.destroy());
    closing.defer(() => writer.end());
    closing.defer(() => watch.close());
    closing.defer(() => this.bookkeeping.close());
  }

  async #probeDatabase(): Promise<undefined> {
    try {
      await this.#parts.watch.probe();
    } catch (cause) {
      if (cause instanceof FormerPrimaryError) throw new NotReadyError(onlyFormerPrimary, { cause });
      if (cause instanceof NotPrimaryError) throw new NotReadyError(takesNoWrites, { cause });
      throw new NotReadyError('it does not answer; see the log of this node', { cause });
    }
  }

  async #transact<T>(work: (session: Session) => Promise<T>, options?: TransactionOptions): Promise<T> {
    const startedMs = performance.now();
    const result = await inSpan('transaction', {}, () =>
      this.#writeCheck.watch(work, (watched) => runTransaction(this.#parts.writer, watched, options)),
    );
    this.#commits.note(1, performance.now() - startedMs);
    this.#transactions += 1;
    if (this.#transactions % statistics.everyTransactions === 0) this.#planForManyRows();
    return result;
  }

  /**
   * Refreshes the statistics in the background, which makes later writes faster. A later call makes up for a failure.
   */
  #planForManyRows(): void {
    const { primary } = this.#parts;
    const plan = () => planForManyRows(primary, tablesOfLookUps);
    runUnderDeadline(new Deadline(statistics.waitMs), plan).catch(() => {});
  }
}

/** Returns the size of the whole database in bytes. */
function sizeOf({ db }: Session): Promise<number> {
  return runUnderDeadline(new Deadline(sizeWaitMs), async () => {
    const { rows } = await sql<{
      bytes: bigint;
    }>`select pg_database_size(current_database()) as bytes`.execute(db);
    return Number(rows[0]?.bytes);
  });
}
