import type {
  ApplicationChanges,
  ApplicationRecord,
  Applications,
  ChangeOrigin,
  NewApplication,
  SecretRotation,
} from '../../database.ts';
import type { SecretUses } from '../bookkeeping/secret-uses.ts';
import { readCounter } from '../counters.ts';
import type { Session, TransactNow } from '../session.ts';
import { deleteNewestSecret, insertSecret, letNewestExpire } from './application-secrets.ts';
import { changeCredentials } from './change-credentials.ts';
import { selectApplications } from './select-applications.ts';
import { lockApplication, updateApplication } from './update-application.ts';

/** How processes on an engine learn of each other's changes, and where they note the use of secrets. */
export interface Watching extends Pick<Applications, 'revisionPollMs' | 'watch'> {
  readonly secretUses: SecretUses;
}

/** Applications and their secrets on either engine. */
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

  revision(): Promise<bigint> {
    return readCounter(this.#session, 'credentials');
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

  async insertApplication(application: NewApplication, origin: ChangeOrigin = {}): Promise<boolean> {
    const { appId, tenantId, name, scope, sealed } = application;
    const inserted = await changeCredentials(this.#transact, origin, async (session, record, nowMs) => {
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
      await record(tenantId, 'app create', { app_id: appId, name, scope });
      return inserted;
    });
    return inserted !== undefined;
  }

  async addSecret(
    appId: string,
    { sealed, oldExpiresAtMs, replaceNewest = false }: SecretRotation,
    origin: ChangeOrigin = {},
  ): Promise<readonly bigint[] | undefined> {
    return changeCredentials(this.#transact, origin, async (session, record, nowMs) => {
      const locked = await lockApplication(session, appId);
      if (locked === undefined) return undefined;
      await session.db
        .deleteFrom('application_secret')
        .where('app_id', '=', appId)
        .where('expires_at', '<=', BigInt(nowMs))
        .execute();
      const replaced = replaceNewest ? await deleteNewestSecret(session, appId) : undefined;
      const ended =
        replaced === undefined ? await letNewestExpire(session, appId, oldExpiresAtMs) : [replaced.id];
      await insertSecret(session, appId, sealed, nowMs);
      await record(locked.tenant_id, 'app rotate', {
        app_id: appId,
        old_secret_expires_at: new Date(replaced?.oldExpiresAtMs ?? oldExpiresAtMs).toISOString(),
        ...(replaced !== undefined && { replaced_newest: true }),
      });
      return ended;
    });
  }

  async updateApplication(
    appId: string,
    changes: ApplicationChanges,
    origin: ChangeOrigin = {},
  ): Promise<ApplicationRecord | undefined> {
    const updated = await changeCredentials(this.#transact, origin, async (session, record) => {
      const updated = await updateApplication(session, appId, changes);
      if (updated === undefined) return undefined;
      const { tenantId, described } = updated;
      // A claim without an audit row would look as if the row had been removed.
      if (described !== undefined || origin.claim !== undefined) {
        await record(tenantId, 'app update', { app_id: appId, ...described });
      }
      return selectApplications(session, appId);
    });
    return updated && (await this.#secretUses.addTo(updated))[0];
  }

  async revokeApplication(appId: string, origin: ChangeOrigin = {}): Promise<boolean> {
    const revoked = await changeCredentials(this.#transact, origin, async (session, record) => {
      const revoked = await session.db
        .updateTable('application')
        .set({ status: 'revoked' })
        .where('app_id', '=', appId)
        .where('status', '!=', 'revoked')
        .returning('tenant_id')
        .executeTakeFirst();
      if (revoked === undefined) return undefined;
      await record(revoked.tenant_id, 'app revoke', { app_id: appId });
      return revoked;
    });
    return revoked !== undefined;
  }

  async recordSecretsUsed(lastUsedAtMs: ReadonlyMap<bigint, number>): Promise<void> {
    this.#secretUses.record(lastUsedAtMs);
  }
}
