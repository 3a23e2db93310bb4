import { areTwins } from '../../../directory/are-twins.ts';
import type { Actor, ChangeOrigin, TenantRecord, Tenants } from '../../database.ts';
import { changeCredentials } from '../applications/change-credentials.ts';
import { recordUnsignedChangeForAll } from '../record-unsigned-change.ts';
import type { Session, TransactNow } from '../session.ts';
import { lockKeys } from '../settings/key-settings.ts';

const columns = ['id', 'name', 'created_at'] as const;

/** Tenants on either engine. */
export class KyselyTenants implements Tenants {
  readonly #session: Session;
  readonly #transact: TransactNow;

  constructor(session: Session, transact: TransactNow) {
    this.#session = session;
    this.#transact = transact;
  }

  async listTenants(): Promise<TenantRecord[]> {
    const rows = await this.#session.db.selectFrom('tenant').select(columns).orderBy('id').execute();
    return rows.map(toTenant);
  }

  async findTenant(name: string): Promise<TenantRecord | undefined> {
    const row = await this.#session.db
      .selectFrom('tenant')
      .select(columns)
      .where('name', '=', name)
      .executeTakeFirst();
    return row && toTenant(row);
  }

  insertTenant(name: string, origin: ChangeOrigin = {}): Promise<TenantRecord | undefined> {
    return changeCredentials(this.#transact, origin, async (session, record, nowMs) => {
      // Tenants that another process makes wait until this one is committed, because its name is compared with theirs.
      await lockKeys(session);
      const names = await session.db.selectFrom('tenant').select('name').execute();
      if (names.some((other) => areTwins(name, other.name))) return undefined;
      const row = await session.db
        .insertInto('tenant')
        .values({ name, created_at: BigInt(nowMs) })
        .onConflict((conflict) => conflict.doNothing())
        .returning(columns)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await record(row.id, 'tenant create', { name });
      return toTenant(row);
    });
  }

  recordMigration(migrations: readonly string[], actor?: Actor): Promise<void> {
    return this.#transact((session, nowMs) =>
      recordUnsignedChangeForAll(session, { nowMs, operation: 'migrate', changes: { migrations }, actor }),
    );
  }
}

/** Returns the tenant that the first start made. */
export async function findFirstTenant({ db }: Session): Promise<TenantRecord | undefined> {
  const row = await db.selectFrom('tenant').select(columns).orderBy('id').limit(1).executeTakeFirst();
  return row && toTenant(row);
}

function toTenant(row: { id: bigint; name: string; created_at: bigint }): TenantRecord {
  return { id: row.id, name: row.name, createdAtMs: Number(row.created_at) };
}
