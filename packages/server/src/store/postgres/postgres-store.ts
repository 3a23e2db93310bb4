import type { ReadinessCheck } from '../../readiness/readiness-check.ts';
import { KyselyApplicationStore } from '../kysely/applications.ts';
import { KyselyDirectoryReader } from '../kysely/directory.ts';
import { KyselyDirectoryImporter } from '../kysely/importer.ts';
import type { Session } from '../kysely/session.ts';
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
import { CredentialListener } from './credential-listener.ts';
import { openImportSession } from './import-session.ts';
import type { Replica } from './replica.ts';
import { ReplicaLists } from './replica-lists.ts';
import { runTransaction } from './run-transaction.ts';
import type { SnapshotVersion } from './snapshot-version.ts';
import { WriteCheck } from './write-check.ts';

interface Parts {
  readonly url: string;
  readonly connectTimeoutMs: number;
  readonly primary: Session;
  /** For lists; the primary serves everything where there is none. */
  readonly replica: Replica | undefined;
  readonly dataVersion: SnapshotVersion;
  readonly now: () => number;
}

/** The net under the notifications: a change is honoured within this time and a moment, in milliseconds. */
const revisionPollMs = 1_000;

/** The directory in a PostgreSQL database, which any number of processes may serve at once. */
export class PostgresStore implements Store {
  readonly applications: ApplicationStore;
  readonly importer: DirectoryImporter;
  readonly #parts: Parts;
  readonly #writeCheck = new WriteCheck();

  constructor(parts: Parts) {
    this.#parts = parts;
    const { primary, url, connectTimeoutMs, now } = parts;
    this.applications = new KyselyApplicationStore(
      primary,
      (work) => this.#transact((session) => work(session, now())),
      { revisionPollMs, watch: (onChange) => this.#listen(onChange) },
    );
    this.importer = new KyselyDirectoryImporter(primary, () => openImportSession(url, connectTimeoutMs, now));
  }

  directory(tenantId: bigint): DirectoryReader {
    const { primary, replica } = this.#parts;
    return new KyselyDirectoryReader(primary, tenantId, replica && new ReplicaLists(replica, tenantId));
  }

  dataVersion(): Promise<string> {
    return this.#parts.dataVersion.current();
  }

  write<T>(
    tenantId: bigint,
    claim: AcceptanceClaim | undefined,
    work: (directory: DirectoryWriter) => Promise<WriteResult<T>>,
  ): Promise<T> {
    const { now } = this.#parts;
    return this.#transact((session) => writeInTransaction(session, tenantId, now(), claim, work));
  }

  claim(claim: AcceptanceClaim): Promise<void> {
    const { now } = this.#parts;
    return this.#transact((session) => makeClaim(session, now(), claim));
  }

  forgetClaims(expiredBeforeSeconds: number): Promise<number> {
    return this.#transact((session) => forgetClaims(session, expiredBeforeSeconds));
  }

  async ping(): Promise<void> {
    await this.applications.revision();
  }

  readinessChecks(): readonly ReadinessCheck[] {
    return [this.#writeCheck];
  }

  async close(): Promise<void> {
    await this.#parts.primary.db.destroy();
    await this.#parts.replica?.close();
  }

  #transact<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#writeCheck.watch(runTransaction(this.#parts.primary.db, work));
  }

  async #listen(onChange: () => void): Promise<() => Promise<void>> {
    const listener = new CredentialListener(this.#parts.url, this.#parts.connectTimeoutMs, onChange);
    await listener.start();
    return () => listener.stop();
  }
}
