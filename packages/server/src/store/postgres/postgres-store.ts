import { sql } from 'kysely';
import { KyselyApplicationStore } from '../kysely/applications.ts';
import { KyselyClaimStore, type PurgeClock } from '../kysely/claim-store.ts';
import { KyselyDirectoryReader } from '../kysely/directory.ts';
import { KyselyDirectoryImporter } from '../kysely/importer.ts';
import type { Session } from '../kysely/session.ts';
import { writeInTransaction } from '../kysely/write.ts';
import type {
  AcceptanceClaim,
  ApplicationStore,
  ClaimStore,
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
import { settleLostCommit } from './settle-lost-commit.ts';
import type { SnapshotVersion } from './snapshot-version.ts';

interface Parts {
  readonly url: string;
  readonly connectTimeoutMs: number;
  readonly primary: Session;
  /** For lists; the primary serves everything where there is none. */
  readonly replica: Replica | undefined;
  readonly dataVersion: SnapshotVersion;
  readonly clock: PurgeClock;
  readonly now: () => number;
}

/** The net under the notifications: a change is honoured within this time and a moment, in milliseconds. */
const revisionPollMs = 1_000;

/** The directory in a PostgreSQL database, which any number of processes may serve at once. */
export class PostgresStore implements Store {
  readonly applications: ApplicationStore;
  readonly importer: DirectoryImporter;
  readonly claims: ClaimStore;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { primary, url, connectTimeoutMs, clock, now } = parts;
    this.applications = new KyselyApplicationStore(
      primary,
      (work) => runTransaction(primary.db, (session) => work(session, now())),
      { revisionPollMs, watch: (onChange) => this.#listen(onChange) },
    );
    this.importer = new KyselyDirectoryImporter(primary, () => openImportSession(url, connectTimeoutMs, now));
    this.claims = new KyselyClaimStore({
      session: primary,
      transact: (work) =>
        runTransaction(primary.db, async (session) => {
          await giveUpSoon(session);
          return work(session);
        }),
      settle: (claim, transaction) => settleLostCommit(primary.db, claim, transaction),
      clock,
      now,
    });
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
    const { primary, now } = this.#parts;
    return settleLostCommit(
      primary.db,
      claim,
      runTransaction(primary.db, (session) => writeInTransaction(session, tenantId, now(), claim, work)),
    );
  }

  async ping(): Promise<void> {
    await this.applications.revision();
  }

  async close(): Promise<void> {
    await this.#parts.primary.db.destroy();
    await this.#parts.replica?.close();
  }

  async #listen(onChange: () => void): Promise<() => Promise<void>> {
    const listener = new CredentialListener(this.#parts.url, this.#parts.connectTimeoutMs, onChange);
    await listener.start();
    return () => listener.stop();
  }
}

/** Two nodes may purge at once; the second does not wait long for the first, since it tries again anyway. */
async function giveUpSoon({ db }: Session): Promise<void> {
  await sql`set local lock_timeout = '1s'`.execute(db);
}
