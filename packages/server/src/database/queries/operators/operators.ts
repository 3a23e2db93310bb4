import { stringifyExactJson } from '../../../json/exact-json.ts';
import type {
  AcceptanceClaim,
  OperatorAccess,
  OperatorChanges,
  OperatorEvent,
  OperatorLink,
  OperatorReader,
  OperatorRecord,
  Operators,
  OperatorWriter,
} from '../../database.ts';
import type { Session, TransactNow } from '../session.ts';
import { requireCurrentKey } from '../settings/key-settings.ts';
import { makeClaim } from '../writes/claim-queries.ts';
import { type OperatorRow, toEvent, toLink, toOperator, toOperatorColumns } from './operator-rows.ts';

// Never select `*`: a later release may add columns while this one's prepared statements are in use.
const operatorColumns = [
  'id',
  'username',
  'password_hash',
  'role',
  'all_tenants',
  'status',
  'totp_sealed',
  'totp_pending',
  'totp_step',
  'recovery_hashes',
  'sessions_from',
  'created_at',
] as const;

const linkColumns = [
  'token_hash',
  'operator_id',
  'role',
  'all_tenants',
  'tenant_ids',
  'expires_at',
  'made_by',
] as const;

const dayMs = 86_400_000;

const eventColumns = ['id', 'at', 'operator_id', 'request_id', 'operation', 'changes', 'actor'] as const;

class KyselyOperatorReader implements OperatorReader {
  readonly session: Session;
  /** Unix milliseconds. */
  readonly now: () => number;

  constructor(session: Session, now: () => number) {
    this.session = session;
    this.now = now;
  }

  async list(): Promise<OperatorRecord[]> {
    const rows = await this.#selectOperators().orderBy('username').execute();
    const access = await this.#tenantsOf();
    return rows.map((row) => toOperator(row, access.get(row.id) ?? []));
  }

  async find(id: bigint): Promise<OperatorRecord | undefined> {
    return this.#complete(await this.#selectOperators().where('id', '=', id).executeTakeFirst());
  }

  async findByUsername(username: string): Promise<OperatorRecord | undefined> {
    const query = this.#selectOperators().where('username', '=', username);
    return this.#complete(await query.executeTakeFirst());
  }

  async findLink(tokenHash: string): Promise<OperatorLink | undefined> {
    const row = await this.#selectLinks().where('token_hash', '=', tokenHash).executeTakeFirst();
    return row && toLink(row);
  }

  async listLinks(): Promise<OperatorLink[]> {
    const rows = await this.#selectLinks().orderBy('expires_at').orderBy('token_hash').execute();
    return rows.map(toLink);
  }

  async countExpiredLinks(): Promise<number> {
    const { count } = await this.session.db
      .selectFrom('operator_link')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('expires_at', '<=', BigInt(this.now()))
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  #selectLinks() {
    return this.session.db
      .selectFrom('operator_link')
      .select(linkColumns)
      .where('expires_at', '>', BigInt(this.now()));
  }

  async listEvents(limit: number, before?: bigint) {
    let query = this.session.db
      .selectFrom('operator_event')
      .select(eventColumns)
      .orderBy('id', 'desc')
      .limit(limit);
    if (before !== undefined) query = query.where('id', '<', before);
    return (await query.execute()).map(toEvent);
  }

  async lastEvent(operation: string) {
    const row = await this.session.db
      .selectFrom('operator_event')
      .select(eventColumns)
      .where('operation', '=', operation)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && toEvent(row);
  }

  #selectOperators() {
    return this.session.db.selectFrom('operator').select(operatorColumns);
  }

  async #complete(row: OperatorRow | undefined): Promise<OperatorRecord | undefined> {
    if (row === undefined) return undefined;
    return toOperator(row, (await this.#tenantsOf(row.id)).get(row.id) ?? []);
  }

  async #tenantsOf(operatorId?: bigint): Promise<ReadonlyMap<bigint, bigint[]>> {
    let query = this.session.db
      .selectFrom('operator_tenant')
      .select(['operator_id', 'tenant_id'])
      .orderBy('tenant_id');
    if (operatorId !== undefined) query = query.where('operator_id', '=', operatorId);
    const byOperator = Map.groupBy(await query.execute(), (row) => row.operator_id);
    return new Map([...byOperator].map(([id, rows]) => [id, rows.map((row) => row.tenant_id)]));
  }
}

class KyselyOperatorWriter extends KyselyOperatorReader implements OperatorWriter {
  async insert(
    operator: OperatorAccess & { readonly username: string; readonly passwordHash: string },
  ): Promise<bigint | undefined> {
    const { username, passwordHash, role, allTenants } = operator;
    const now = BigInt(this.now());
    const row = await this.session.db
      .insertInto('operator')
      .values({
        username,
        password_hash: passwordHash,
        role,
        all_tenants: allTenants ? 1n : 0n,
        status: 'active',
        totp_sealed: null,
        totp_pending: null,
        totp_step: 0n,
        recovery_hashes: '[]',
        sessions_from: now,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('username').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row !== undefined) await this.#replaceTenants(row.id, operator.tenantIds);
    return row?.id;
  }

  async update(id: bigint, changes: OperatorChanges): Promise<void> {
    for (const sealed of [changes.totpSealed, changes.totpPending])
      if (sealed instanceof Uint8Array) await requireCurrentKey(this.session, sealed);
    const columns = toOperatorColumns(changes);
    if (Object.keys(columns).length > 0) {
      await this.session.db.updateTable('operator').set(columns).where('id', '=', id).execute();
    }
    if (changes.tenantIds !== undefined) await this.#replaceTenants(id, changes.tenantIds);
    await this.#removeEndedLinks(id, changes);
  }

  async #removeEndedLinks(
    id: bigint,
    { passwordHash, status, role, allTenants }: OperatorChanges,
  ): Promise<void> {
    const { db } = this.session;
    const isDisabled = status === 'disabled';
    if (isDisabled || passwordHash !== undefined)
      await db.deleteFrom('operator_link').where('operator_id', '=', id).execute();
    if (isDisabled || allTenants === false || (role !== undefined && role !== 'owner'))
      await db.deleteFrom('operator_link').where('made_by', '=', id).execute();
  }

  async insertLink(link: OperatorLink): Promise<void> {
    const { db } = this.session;
    await db.deleteFrom('operator_link').where('expires_at', '<=', BigInt(this.now())).execute();
    await db
      .insertInto('operator_link')
      .values({
        token_hash: link.tokenHash,
        operator_id: link.operatorId ?? null,
        role: link.role,
        all_tenants: link.allTenants ? 1n : 0n,
        tenant_ids: stringifyExactJson(link.tenantIds.map(String)),
        expires_at: BigInt(link.expiresAtMs),
        made_by: link.madeBy ?? null,
      })
      .execute();
  }

  async takeLink(tokenHash: string): Promise<boolean> {
    const { numDeletedRows } = await this.session.db
      .deleteFrom('operator_link')
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  async hasEvent(requestId: string, atMs: number): Promise<boolean> {
    const row = await this.session.db
      .selectFrom('operator_event')
      .select('id')
      // Bounds the search, because the index is by time. An event is at most a day older than the time given.
      .where('at', '>=', BigInt(atMs - dayMs))
      .where('request_id', '=', requestId)
      .executeTakeFirst();
    return row !== undefined;
  }

  async #replaceTenants(operatorId: bigint, tenantIds: readonly bigint[]): Promise<void> {
    const { db } = this.session;
    await db.deleteFrom('operator_tenant').where('operator_id', '=', operatorId).execute();
    if (tenantIds.length === 0) return;
    await db
      .insertInto('operator_tenant')
      .values(tenantIds.map((tenant_id) => ({ operator_id: operatorId, tenant_id })))
      .execute();
  }
}

/** Operators on either engine. */
export class KyselyOperators extends KyselyOperatorReader implements Operators {
  readonly #transact: TransactNow;

  /** @param now Unix milliseconds */
  constructor(session: Session, transact: TransactNow, now: () => number) {
    super(session, now);
    this.#transact = transact;
  }

  write<T>(
    claim: AcceptanceClaim | undefined,
    work: (operators: OperatorWriter) => Promise<{ readonly result: T; readonly event?: OperatorEvent }>,
  ): Promise<T> {
    return this.#transact(async (session, nowMs) => {
      await lockOperators(session);
      if (claim !== undefined) await makeClaim(session, claim);
      const { result, event } = await work(new KyselyOperatorWriter(session, () => nowMs));
      if (event !== undefined) await insertEvent(session, nowMs, event);
      return result;
    });
  }
}

/** Makes changes of operators wait for each other, because what a change has read must stay true until it commits. */
async function lockOperators({ db, engine }: Session): Promise<void> {
  await engine.lockRows(db.selectFrom('operator').select('operator.id').orderBy('operator.id')).execute();
}

async function insertEvent({ db }: Session, nowMs: number, event: OperatorEvent): Promise<void> {
  await db
    .insertInto('operator_event')
    .values({
      at: BigInt(event.atMs ?? nowMs),
      operator_id: event.operatorId ?? null,
      request_id: event.requestId ?? null,
      operation: event.operation,
      changes: stringifyExactJson(event.changes),
      actor: event.actor === undefined ? null : JSON.stringify(event.actor),
    })
    .execute();
}
