import { KyselyApplicationStore } from '../kysely/applications.ts';
import { KyselyDirectoryReader } from '../kysely/directory.ts';
import { KyselyDirectoryImporter } from '../kysely/importer.ts';
import { forgetClaims, makeClaim, writeInTransaction } from '../kysely/write.ts';
import type {
  AcceptanceClaim,
  ApplicationStore,
  DirectoryImporter,
  DirectoryReader,
  DirectoryWriter,
  Store,
  WriteResult,
} from '../store.ts';
import { Checkpoints } from './checkpoints.ts';
import type { SqliteConnection, SqliteReader } from './connection.ts';
import { GroupCommit } from './group-commit.ts';
import { openImportSession } from './import-session.ts';

interface Parts {
  readonly path: string;
  readonly writer: SqliteConnection;
  readonly reader: SqliteReader;
  readonly now: () => number;
  readonly lockWaitMs: number;
}

const writesWaitingMax = 10_000;

/** A look takes some microseconds, and a fresh credential works at once. */
const revisionPollMs = 100;

/**
 * The directory in one SQLite file. Reads have a connection of their own, so that they see committed data
 * only and never wait for a write; writes go through the group commit.
 */
export class SqliteStore implements Store {
  readonly applications: ApplicationStore;
  readonly importer: DirectoryImporter;
  readonly #parts: Parts;
  readonly #groupCommit: GroupCommit;
  readonly #checkpoints: Checkpoints;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { writer, reader, lockWaitMs } = parts;
    this.#checkpoints = new Checkpoints(writer.connection, parts.path);
    this.#groupCommit = new GroupCommit(writer.connection, {
      waitingMax: writesWaitingMax,
      lockWaitMs,
      onCommit: () => this.#checkpoints.look(),
    });
    this.applications = new KyselyApplicationStore(
      reader.session,
      (work) => this.#groupCommit.submit(() => work(writer.session, parts.now())),
      { revisionPollMs, watch: async () => async () => {} },
    );
    this.importer = new KyselyDirectoryImporter(reader.session, () =>
      openImportSession(parts.path, parts.now),
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
    return this.#groupCommit.submit(() => writeInTransaction(writer.session, tenantId, now(), claim, work));
  }

  claim(claim: AcceptanceClaim): Promise<void> {
    const { writer, now } = this.#parts;
    return this.#groupCommit.submit(() => makeClaim(writer.session, now(), claim));
  }

  forgetClaims(expiredBeforeSeconds: number): Promise<number> {
    return this.#groupCommit.submit(() => forgetClaims(this.#parts.writer.session, expiredBeforeSeconds));
  }

  async ping(): Promise<void> {
    await this.applications.revision();
  }

  async close(): Promise<void> {
    await this.#groupCommit.close();
    await this.#checkpoints.ended();
    this.#parts.reader.connection.close();
    this.#parts.writer.connection.close();
  }
}
