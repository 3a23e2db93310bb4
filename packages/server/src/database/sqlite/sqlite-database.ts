import { NotReadyError, type ReadinessCheck } from '../../readiness/readiness-check.ts';
import {
  type AcceptanceClaim,
  type Applications,
  type Claims,
  type Database,
  type DirectoryImporter,
  type DirectoryReader,
  type DirectoryWriter,
  type OperatorSessions,
  type Operators,
  OutcomeUnknownError,
  type PasswordFailures,
  type WriteResult,
} from '../database.ts';
import { KyselyApplications } from '../queries/applications.ts';
import { KyselyDirectoryReader } from '../queries/directory.ts';
import { KyselyDirectoryImporter } from '../queries/imports/importer.ts';
import { KyselyOperatorSessions } from '../queries/operators/operator-sessions.ts';
import { KyselyOperators } from '../queries/operators/operators.ts';
import { KyselyPasswordFailures } from '../queries/users/password-failures.ts';
import { KyselyClaims } from '../queries/writes/claims.ts';
import { writeInTransaction } from '../queries/writes/write.ts';
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
  readonly now: () => number;
  readonly lockWaitMs: number;
}

const writesWaitingMax = 10_000;

/** Reading the revision takes some microseconds; polling this often makes a new credential work at once. */
const revisionPollMs = 100;

/**
 * The directory in one SQLite file. Reads use a separate connection, so they see only committed data and never wait for
 * a write; writes go through the group commit.
 */
export class SqliteDatabase implements Database {
  readonly applications: Applications;
  readonly importer: DirectoryImporter;
  readonly claims: Claims;
  readonly passwordFailures: PasswordFailures;
  readonly operators: Operators;
  readonly operatorSessions: OperatorSessions;
  readonly #parts: Parts;
  readonly #groupCommit: GroupCommit;
  readonly #checkpoints: Checkpoints;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { writer, reader, health, lockWaitMs } = parts;
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
      { revisionPollMs, watch: async () => async () => {} },
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
    this.passwordFailures = new KyselyPasswordFailures(
      reader.session,
      (work) => this.#groupCommit.submit(() => work(writer.session)),
      parts.now,
    );
    this.operators = new KyselyOperators(
      reader.session,
      (work) => this.#groupCommit.submit(() => work(writer.session, parts.now())),
      parts.now,
    );
    this.operatorSessions = new KyselyOperatorSessions(reader.session, (work) =>
      this.#groupCommit.submit(() => work(writer.session)),
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
