import { NotReadyError, type ReadinessCheck } from '../../readiness/readiness-check.ts';
import {
  type AcceptanceClaim,
  type Applications,
  type Claims,
  type Database,
  type DirectoryImporter,
  type DirectoryReader,
  type DirectoryWriter,
  type Operators,
  OutcomeUnknownError,
  type WriteResult,
} from '../database.ts';
import { KyselyApplications } from '../queries/applications.ts';
import { KyselyBookkeeping } from '../queries/bookkeeping/bookkeeping.ts';
import { KyselyDirectoryReader } from '../queries/directory.ts';
import { KyselyDirectoryImporter } from '../queries/imports/importer.ts';
import { KyselyOperators } from '../queries/operators/operators.ts';
import { KyselyClaims } from '../queries/writes/claims.ts';
import { writeInTransaction } from '../queries/writes/write.ts';
import type { BookkeepingFile } from './bookkeeping-file.ts';
import { Checkpoints } from './checkpoints.ts';
import type { SqliteConnection, SqliteReader } from './connection.ts';
import type { DatabaseHealth } from './database-health.ts';
import { GroupCommit } from './group-commit.ts';
import { openImportSession } from './import-session.ts';

interface Parts {
  readonly path: string;
  readonly writer: SqliteConnection;
  readonly reader: SqliteReader;
  readonly health: DatabaseHealth;
  readonly bookkeeping: BookkeepingFile;
  readonly notice: ((fields: object, message: string) => void) | undefined;
  readonly now: () => number;
  readonly lockWaitMs: number;
}

const writesWaitingMax = 10_000;

/** Reading the revision takes some microseconds; polling this often makes a new credential work at once. */
const revisionPollMs = 100;

/** Background writes cost little here, so that a failed call can be looked up a moment later. */
const bookkeepingIntervalMs = 1_000;

/**
 * The directory in one SQLite file, and the bookkeeping in another. Reads use a separate connection, so they see only committed data and never wait for
 * a write; writes go through the group commit.
 */
export class SqliteDatabase implements Database {
  readonly applications: Applications;
  readonly importer: DirectoryImporter;
  readonly claims: Claims;
  readonly operators: Operators;
  readonly bookkeeping: KyselyBookkeeping;
  readonly #parts: Parts;
  readonly #groupCommit: GroupCommit;
  readonly #checkpoints: Checkpoints;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { writer, reader, health, lockWaitMs } = parts;
    this.bookkeeping = new KyselyBookkeeping(parts.bookkeeping, parts.now, {
      intervalMs: bookkeepingIntervalMs,
      notice: parts.notice,
    });
    this.#checkpoints = new Checkpoints(writer.connection, parts.path);
    this.#groupCommit = new GroupCommit(writer.connection, {
      waitingMax: writesWaitingMax,
      lockWaitMs,
      health,
      onCommit: () => this.#checkpoints.runIfDue(),
    });
    this.applications = new KyselyApplications(
      reader.session,
      (work) => this.#groupCommit.submit(() => work(writer.session, parts.now())),
      {
        secretUses: this.bookkeeping.secretUses,
        revisionPollMs,
        watch: async () => async () => {},
      },
    );
    this.importer = new KyselyDirectoryImporter(reader.session, () =>
      openImportSession(parts.path, parts.now),
    );
    this.claims = new KyselyClaims({
      session: reader.session,
      transact: (work) => this.#groupCommit.submit(() => work(writer.session)),
      settle: (_, transaction) => transaction,
      clock: { timeMs: async () => parts.now(), differenceMs: () => undefined },
      now: parts.now,
    });
    this.operators = new KyselyOperators(
      reader.session,
      (work) => this.#groupCommit.submit(() => work(writer.session, parts.now())),
      parts.now,
    );
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
    const { writer, now } = this.#parts;
    const run = () => writeInTransaction(writer.session, tenantId, now(), claim, work);
    return this.#groupCommit.submit(run).catch((error: unknown) => {
      const claimed = claim !== undefined && error instanceof OutcomeUnknownError;
      throw claimed ? new OutcomeUnknownError(true, { cause: error.cause }) : error;
    });
  }

  async ping(): Promise<void> {
    await this.applications.revision();
  }

  readinessChecks(): readonly ReadinessCheck[] {
    const answers = { name: 'database', scope: 'node', probe: () => this.#probeDatabase() } as const;
    return [answers, ...this.#parts.health.checks];
  }

  async close(): Promise<void> {
    await this.bookkeeping.flush();
    await this.#parts.bookkeeping.close();
    await this.#groupCommit.close();
    await this.#checkpoints.close();
    this.#parts.reader.connection.close();
    this.#parts.writer.connection.close();
  }

  async #probeDatabase(): Promise<undefined> {
    try {
      await this.ping();
    } catch (cause) {
      throw new NotReadyError('it does not answer; see the log of this node', { cause });
    }
  }
}
