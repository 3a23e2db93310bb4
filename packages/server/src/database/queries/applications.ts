import type {
  ApplicationRecord,
  ApplicationScope,
  ApplicationSecretRecord,
  Applications,
  NewApplication,
  TenantRecord,
} from '../database.ts';
import type { SecretUses } from './bookkeeping/secret-uses.ts';
import type { Session } from './session.ts';
import { insertAuditEvent } from './writes/write-queries.ts';

/** Runs work in a transaction of the engine. */
export type Transact = <T>(work: (session: Session, nowMs: number) => Promise<T>) => Promise<T>;

// Never select `*`: a later release may add columns while this one's prepared statements are in use.
const tenantColumns = ['id', 'name', 'created_at'] as const;
const applicationColumns = [
  'application.app_id',
  'application.tenant_id',
  'application.name',
  'application.status',
  'application.scope',
  'application.created_at',
] as const;
const secretColumns = ['id', 'app_id', 'sealed', 'created_at', 'expires_at', 'last_used_at'] as const;

/** How processes on an engine learn of each other's changes, and where they note the use of secrets. */
export interface Watching extends Pick<Applications, 'revisionPollMs' | 'watch'> {
  readonly secretUses: SecretUses;
}

/** Credentials, tenants and settings over either engine. */
export class KyselyApplications implements Applications {
  readonly revisionPollMs: number;
  readonly watch: Watching['watch'];
  readonly #session: Session;
  readonly #transact: Transact;
  readonly #secretUses: SecretUses;

  constructor(session: Session, transact: Transact, { secretUses, revisionPollMs, watch }: Watching) {
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

  insertApplication(application: NewApplication): Promise<boolean> {
    const { appId, tenantId, name, scope, sealed } = application;
    return this.#transact(async (session, nowMs) => {
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
      if (inserted === undefined) return false;
      await insertSecret(session, appId, sealed, nowMs);
      await recordChange(session, tenantId, nowMs, 'app create', { app_id: appId, name, scope });
      return true;
    });
  }

  addSecret(appId: string, sealed: Uint8Array, oldExpiresAtMs: number): Promise<void> {
    return this.#transact(async (session, nowMs) => {
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
      const tenantId = await tenantOf(session, appId);
      const changes = { app_id: appId, old_secret_expires_at: new Date(oldExpiresAtMs).toISOString() };
      await recordChange(session, tenantId, nowMs, 'app rotate', changes);
    });
  }

  revokeApplication(appId: string): Promise<boolean> {
    return this.#transact(async (session, nowMs) => {
      const revoked = await session.db
        .updateTable('application')
        .set({ status: 'revoked' })
        .where('app_id', '=', appId)
        .where('status', '=', 'active')
        .returning('tenant_id')
        .executeTakeFirst();
      if (revoked === undefined) return false;
      await recordChange(session, revoked.tenant_id, nowMs, 'app revoke', { app_id: appId });
      return true;
    });
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

  insertTenant(name: string): Promise<TenantRecord | undefined> {
    return this.#transact(async (session, nowMs) => {
      const row = await session.db
        .insertInto('tenant')
        .values({ name, created_at: BigInt(nowMs) })
        .onConflict((conflict) => conflict.doNothing())
        .returning(tenantColumns)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await recordChange(session, row.id, nowMs, 'tenant create', { name });
      return toTenant(row);
    });
  }

  async readSetting(name: string): Promise<string | undefined> {
    const row = await this.#session.db
      .selectFrom('setting')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.value;
  }

  keepSetting(name: string, value: string): Promise<string> {
    return this.#transact(async ({ db }) => {
      await db
        .insertInto('setting')
        .values({ name, value })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const kept = await db
        .selectFrom('setting')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      return kept.value;
    });
  }
}

async function selectApplications({ db }: Session, appId?: string): Promise<ApplicationRecord[]> {
  const applications = await db
    .selectFrom('application')
    .innerJoin('tenant', 'tenant.id', 'application.tenant_id')
    .select(applicationColumns)
    .select('tenant.name as tenant_name')
    .$if(appId !== undefined, (query) => query.where('app_id', '=', appId ?? ''))
    .orderBy('app_id')
    .execute();
  const secrets = await db
    .selectFrom('application_secret')
    .select(secretColumns)
    .$if(appId !== undefined, (query) => query.where('app_id', '=', appId ?? ''))
    .orderBy('id')
    .execute();
  const secretsByApplication = Map.groupBy(secrets, (secret) => secret.app_id);
  return applications.map((row) => ({
    appId: row.app_id,
    tenantId: row.tenant_id,
    tenantName: row.tenant_name,
    name: row.name,
    status: row.status === 'active' ? 'active' : 'revoked',
    scope: row.scope as ApplicationScope,
    createdAtMs: Number(row.created_at),
    secrets: (secretsByApplication.get(row.app_id) ?? []).map(toSecret),
  }));
}

interface SecretRow {
  id: bigint;
  sealed: Uint8Array;
  created_at: bigint;
  expires_at: bigint | null;
  last_used_at: bigint | null;
}

function toSecret(row: SecretRow): ApplicationSecretRecord {
  return {
    id: row.id,
    sealed: row.sealed,
    createdAtMs: Number(row.created_at),
    ...(row.expires_at !== null && { expiresAtMs: Number(row.expires_at) }),
    ...(row.last_used_at !== null && { lastUsedAtMs: Number(row.last_used_at) }),
  };
}

function toTenant(row: { id: bigint; name: string; created_at: bigint }): TenantRecord {
  return { id: row.id, name: row.name, createdAtMs: Number(row.created_at) };
}

async function insertSecret(
  { db }: Session,
  appId: string,
  sealed: Uint8Array,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('application_secret')
    .values({ app_id: appId, sealed, created_at: BigInt(nowMs), expires_at: null, last_used_at: null })
    .execute();
}

/** Deletes all but the newest secret. At most two are live at once, so a second rotation in a row ends the oldest. */
async function keepNewestSecret({ db }: Session, appId: string): Promise<void> {
  await db
    .deleteFrom('application_secret')
    .where('app_id', '=', appId)
    .where('id', '<', (eb) =>
      eb
        .selectFrom('application_secret')
        .select((max) => max.fn.max('id').as('newest'))
        .where('app_id', '=', appId),
    )
    .execute();
}

async function tenantOf({ db }: Session, appId: string): Promise<bigint> {
  const row = await db
    .selectFrom('application')
    .select('tenant_id')
    .where('app_id', '=', appId)
    .executeTakeFirstOrThrow();
  return row.tenant_id;
}

/** Raises the revision, through which every process learns of the change. */
async function recordChange(
  session: Session,
  tenantId: bigint,
  nowMs: number,
  operation: string,
  changes: Record<string, unknown>,
): Promise<void> {
  await session.db
    .updateTable('counter')
    .set((eb) => ({ value: eb('value', '+', 1n) }))
    .where('name', '=', 'credentials')
    .execute();
  await session.engine.announceCredentials(session);
  await insertAuditEvent(session, {
    tenant_id: tenantId,
    at: BigInt(nowMs),
    app_id: null,
    request_id: null,
    operation,
    user_id: null,
    changes: JSON.stringify(changes),
  });
}
