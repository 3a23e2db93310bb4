import type {
  AcceptanceClaim,
  Actor,
  ApplicationChanges,
  ApplicationRecord,
  Applications,
  NewApplication,
  TenantRecord,
} from '../database.ts';
import { insertSecret, keepNewestSecret } from './application-secrets.ts';
import type { SecretUses } from './bookkeeping/secret-uses.ts';
import {
  type OperatorEvent,
  recordOperatorEvent,
  recordOperatorEventForAll,
} from './record-operator-event.ts';
import { selectApplications } from './select-applications.ts';
import type { Session, TransactNow } from './session.ts';
import { lockApplication, updateApplication } from './update-application.ts';
import { makeClaim } from './writes/claim-queries.ts';

const tenantColumns = ['id', 'name', 'created_at'] as const;

/** How processes on an engine learn of each other's changes, and where they note the use of secrets. */
export interface Watching extends Pick<Applications, 'revisionPollMs' | 'watch'> {
  readonly secretUses: SecretUses;
}

type RecordChange = (tenantId: bigint, operation: string, changes: OperatorEvent['changes']) => Promise<void>;

/** Undoes the transaction of a change that had nothing to do. */
class NothingDone extends Error {
  override readonly name = 'NothingDone';
}

/** Credentials and tenants over either engine. */
export class KyselyApplications implements Applications {
  readonly revisionPollMs: number;
  readonly watch: Watching['watch'];
  readonly #session: Session;
  readonly #transact: TransactNow;
  readonly #secretUses: SecretUses;

  constructor(session: Session, transact: TransactNow, { secretUses, revisionPollMs, watch }: Watching) {
    this.#session = session;
    this.#transact = transact;
    this.#secretUses = secretUses;
    this.revisionPollMs = revisionPollMs;
    this.watch = watch;
  }

  async revision(): Promise<bigint> {
    const row = await this.#session.db
      .selectFrom('counter')
      .select('value')
      .where('name', '=', 'credentials')
      .executeTakeFirstOrThrow();
    return row.value;
  }

  listApplications(): Promise<ApplicationRecord[]> {
    return this.#select();
  }

  async findApplication(appId: string): Promise<ApplicationRecord | undefined> {
    return (await this.#select(appId))[0];
  }

  async #select(appId?: string): Promise<ApplicationRecord[]> {
    return this.#secretUses.addTo(await selectApplications(this.#session, appId));
  }

  /** Runs a change in a transaction that makes the claim first. If it has no result, both are undone. */
  async #change<T>(
    { actor, claim }: { readonly actor: Actor | undefined; readonly claim: AcceptanceClaim | undefined },
    work: (session: Session, record: RecordChange, nowMs: number) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    try {
      return await this.#transact(async (session, nowMs) => {
        if (claim !== undefined) await makeClaim(session, claim);
        const record: RecordChange = (tenantId, operation, changes) =>
          recordChange(session, { tenantId, nowMs, operation, changes, actor, requestId: claim?.requestId });
        const result = await work(session, record, nowMs);
        if (result === undefined) throw new NothingDone();
        return result;
      });
    } catch (thrown) {
      if (thrown instanceof NothingDone) return undefined;
      throw thrown;
    }
  }

  async insertApplication(
    application: NewApplication,
    actor?: Actor,
    claim?: AcceptanceClaim,
  ): Promise<boolean> {
    const { appId, tenantId, name, scope, sealed } = application;
    const inserted = await this.#change({ actor, claim }, async (session, record, nowMs) => {
      const inserted = await session.db
        .insertInto('application')
        .values({
          app_id: appId,
          tenant_id: tenantId,
          name,
          scope,
          status: 'active',
          created_at: BigInt(nowMs),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('app_id')
        .executeTakeFirst();
      if (inserted === undefined) return undefined;
      await insertSecret(session, appId, sealed, nowMs);
      const changes = { app_id: appId, name, scope };
      await record(tenantId, 'app create', changes);
      return inserted;
    });
    return inserted !== undefined;
  }

  async addSecret(
    appId: string,
    sealed: Uint8Array,
    oldExpiresAtMs: number,
    actor?: Actor,
    claim?: AcceptanceClaim,
  ): Promise<boolean> {
    const application = await this.#change({ actor, claim }, async (session, record, nowMs) => {
      const locked = await lockApplication(session, appId);
      if (locked === undefined) return undefined;
      const end = BigInt(oldExpiresAtMs);
      await session.db
        .deleteFrom('application_secret')
        .where('app_id', '=', appId)
        .where('expires_at', '<=', BigInt(nowMs))
        .execute();
      await keepNewestSecret(session, appId);
      await session.db
        .updateTable('application_secret')
        .set({ expires_at: end })
        .where('app_id', '=', appId)
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', end)]))
        .execute();
      await insertSecret(session, appId, sealed, nowMs);
      const tenantId = locked.tenant_id;
      const changes = { app_id: appId, old_secret_expires_at: new Date(oldExpiresAtMs).toISOString() };
      await record(tenantId, 'app rotate', changes);
      return locked;
    });
    return application !== undefined;
  }

  async updateApplication(
    appId: string,
    changes: ApplicationChanges,
    actor?: Actor,
    claim?: AcceptanceClaim,
  ): Promise<ApplicationRecord | undefined> {
    const updated = await this.#change({ actor, claim }, async (session, record) => {
      const updated = await updateApplication(session, appId, changes);
      if (updated === undefined) return undefined;
      const { tenantId, described } = updated;
      // A claim without an audit row would look as if the row had been removed.
      if (described !== undefined || claim !== undefined) {
        const changes = { app_id: appId, ...described };
        await record(tenantId, 'app update', changes);
      }
      return selectApplications(session, appId);
    });
    return updated && (await this.#secretUses.addTo(updated))[0];
  }

  async revokeApplication(appId: string, actor?: Actor, claim?: AcceptanceClaim): Promise<boolean> {
    const revoked = await this.#change({ actor, claim }, async (session, record) => {
      const revoked = await session.db
        .updateTable('application')
        .set({ status: 'revoked' })
        .where('app_id', '=', appId)
        .where('status', '!=', 'revoked')
        .returning('tenant_id')
        .executeTakeFirst();
      if (revoked === undefined) return undefined;
      const [tenantId, changes] = [revoked.tenant_id, { app_id: appId }];
      await record(tenantId, 'app revoke', changes);
      return revoked;
    });
    return revoked !== undefined;
  }

  async recordSecretsUsed(lastUsedAtMs: ReadonlyMap<bigint, number>): Promise<void> {
    this.#secretUses.record(lastUsedAtMs);
  }

  async listTenants(): Promise<TenantRecord[]> {
    const rows = await this.#session.db.selectFrom('tenant').select(tenantColumns).orderBy('id').execute();
    return rows.map(toTenant);
  }

  async findTenant(name: string): Promise<TenantRecord | undefined> {
    const row = await this.#session.db
      .selectFrom('tenant')
      .select(tenantColumns)
      .where('name', '=', name)
      .executeTakeFirst();
    return row && toTenant(row);
  }

  insertTenant(name: string, actor?: Actor, claim?: AcceptanceClaim): Promise<TenantRecord | undefined> {
    return this.#change({ actor, claim }, async (session, record, nowMs) => {
      const row = await session.db
        .insertInto('tenant')
        .values({ name, created_at: BigInt(nowMs) })
        .onConflict((conflict) => conflict.doNothing())
        .returning(tenantColumns)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const changes = { name };
      await record(row.id, 'tenant create', changes);
      return toTenant(row);
    });
  }

  recordMigration(migrations: readonly string[], actor?: Actor): Promise<void> {
    return this.#transact((session, nowMs) =>
      recordOperatorEventForAll(session, { nowMs, operation: 'migrate', changes: { migrations }, actor }),
    );
  }
}

function toTenant(row: { id: bigint; name: string; created_at: bigint }): TenantRecord {
  return { id: row.id, name: row.name, createdAtMs: Number(row.created_at) };
}

/** Raises the revision, through which every process learns of the change. */
async function recordChange(session: Session, event: OperatorEvent): Promise<void> {
  await session.db
    .updateTable('counter')
    .set((eb) => ({ value: eb('value', '+', 1n) }))
    .where('name', '=', 'credentials')
    .execute();
  await session.engine.announceCredentials(session);
  await recordOperatorEvent(session, event);
}
