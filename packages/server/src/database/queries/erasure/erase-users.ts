import type { Actor } from '../../actor.ts';
import type { ErasedCounts, Erasure, Erasures, NamedPerson } from '../../erasures.ts';
import { refuseNewerTables } from '../../migrations/refuse-newer-tables.ts';
import type { BookkeepingTables } from '../bookkeeping/bookkeeping-tables.ts';
import type { Session, Transact } from '../session.ts';
import { recordAudit } from '../writes/write.ts';
import { erasureOperation } from './changes-of-user.ts';
import { eraseAuditValues, eraseAuditValuesInParts } from './erase-audit-values.ts';
import { eraseFailedCalls } from './erase-failed-calls.ts';
import { findFormerUsers } from './find-former-users.ts';
import { textsOfPerson } from './texts-of-person.ts';

const unknownValues = 'this release would not erase values that it added';

/** Erases users on either engine. */
export class KyselyErasures implements Erasures {
  readonly #reader: Session;
  readonly #transact: Transact;
  readonly #bookkeeping: BookkeepingTables;
  readonly clearRemnants: Erasures['clearRemnants'];
  readonly damagedFiles: Erasures['damagedFiles'];

  constructor(
    reader: Session,
    transact: Transact,
    bookkeeping: BookkeepingTables,
    {
      clearRemnants = async () => undefined,
      damagedFiles = () => [],
    }: Partial<Pick<Erasures, 'clearRemnants' | 'damagedFiles'>> = {},
  ) {
    this.#reader = reader;
    this.#transact = transact;
    this.#bookkeeping = bookkeeping;
    this.clearRemnants = clearRemnants;
    this.damagedFiles = damagedFiles;
  }

  async findUsers(tenantId: bigint, username: string): Promise<bigint[]> {
    await refuseNewerTables(this.#reader, unknownValues);
    const current = await this.#reader.db
      .selectFrom('user')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('username', '=', username)
      .execute();
    const former = await findFormerUsers(this.#reader, tenantId, username);
    return [...new Set([...current.map(({ id }) => id), ...former])];
  }

  async erase(
    erasures: readonly Erasure[],
    { tenantId, username, formerIds = [] }: NamedPerson,
    actor?: Actor,
  ): Promise<ErasedCounts> {
    await refuseNewerTables(this.#reader, unknownValues);
    const userIds = [...erasures.map(({ userId }) => userId), ...formerIds];
    const texts = new Set([username]);
    for (const erasure of erasures) {
      for (const text of await textsOfPerson(this.#reader, erasure)) texts.add(text);
    }
    const person = { username, userIds, texts: [...texts] };
    const otherTenants = await applicationsOfOthers(this.#reader, tenantId);
    // Erase the failed calls first: once the directory records the erasure, it counts as done.
    const failedCalls = await eraseFailedCalls(this.#bookkeeping, person, otherTenants);
    const erased = new Map<Erasure, ReadonlySet<bigint>>();
    for (const erasure of erasures) {
      erased.set(erasure, await eraseAuditValuesInParts(this.#reader, this.#transact, erasure));
    }
    const counts = await this.#transact(async (session) => {
      // A newer release may have begun to serve meanwhile.
      await refuseNewerTables(session, unknownValues);
      return eraseUsers(session, erasures, { actor, erased });
    });
    return { ...counts, failedCalls };
  }

  list(): Promise<Erasure[]> {
    return listErasures(this.#reader);
  }
}

async function applicationsOfOthers({ db }: Session, tenantId: bigint): Promise<Set<string>> {
  const rows = await db
    .selectFrom('application')
    .select('app_id')
    .where('tenant_id', '!=', tenantId)
    .execute();
  return new Set(rows.map(({ app_id }) => app_id));
}

/** Returns every recorded erasure. */
export async function listErasures({ db }: Session): Promise<Erasure[]> {
  const rows = await db
    .selectFrom('erasure')
    .select(['tenant_id', 'user_id', 'username_hash', 'at'])
    .orderBy('tenant_id')
    .orderBy('user_id')
    .execute();
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    userId: row.user_id,
    usernameHash: row.username_hash,
    atMs: Number(row.at),
  }));
}

interface ErasureOptions {
  readonly actor: Actor | undefined;
  /** Ids of the audit rows of each user that have lost their values already. */
  readonly erased?: ReadonlyMap<Erasure, ReadonlySet<bigint>>;
}

/** Erases users inside the session's transaction. A user of a tenant that does not exist is passed over. */
export async function eraseUsers(
  session: Session,
  erasures: readonly Erasure[],
  { actor, erased = new Map() }: ErasureOptions,
): Promise<Omit<ErasedCounts, 'failedCalls'>> {
  await session.engine.overwriteDeleted(session.db);
  const counts = { users: 0, bindings: 0, auditRows: 0 };
  for (const erasure of erasures) {
    if (!(await tenantExists(session, erasure.tenantId))) continue;
    await lock(session, erasure);
    counts.bindings += await deleteBindings(session, erasure);
    const users = await deleteUserRow(session, erasure);
    const erasedBefore: ReadonlySet<bigint> = erased.get(erasure) ?? new Set();
    const auditRows = erasedBefore.size + (await eraseAuditValues(session, erasure, erasedBefore));
    counts.users += users;
    counts.auditRows += auditRows;
    await record(session, erasure);
    // A repeated erasure leaves no trace.
    if (users + auditRows === 0) continue;
    const scope = { tenantId: erasure.tenantId, nowMs: erasure.atMs };
    await recordAudit(session, scope, {
      operation: erasureOperation,
      userId: erasure.userId,
      changes: { audit_rows: auditRows },
      ...(actor !== undefined && { actor }),
    });
  }
  return counts;
}

async function tenantExists({ db }: Session, tenantId: bigint): Promise<boolean> {
  const found = await db.selectFrom('tenant').select('id').where('id', '=', tenantId).executeTakeFirst();
  return found !== undefined;
}

/** Waits for unfinished writes to the user, because their audit rows must be erased too. */
async function lock({ db, engine }: Session, { tenantId, userId }: Erasure): Promise<void> {
  const query = db
    .selectFrom('user')
    .select('id')
    .where('user.tenant_id', '=', tenantId)
    .where('user.id', '=', userId);
  await engine.lockRowsToRemove(query).execute();
}

async function deleteBindings({ db }: Session, { tenantId, userId }: Erasure): Promise<number> {
  let deleted = 0;
  for (const table of ['user_role', 'user_org', 'user_store'] as const) {
    const { numDeletedRows } = await db
      .deleteFrom(table)
      .where('tenant_id', '=', tenantId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    deleted += Number(numDeletedRows);
  }
  return deleted;
}

async function deleteUserRow({ db }: Session, { tenantId, userId }: Erasure): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('user')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function record(session: Session, { tenantId, userId, usernameHash, atMs }: Erasure): Promise<void> {
  await session.db
    .insertInto('erasure')
    .values({ tenant_id: tenantId, user_id: userId, username_hash: usernameHash, at: BigInt(atMs) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
