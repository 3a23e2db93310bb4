import { type RawBuilder, sql } from 'kysely';
import type { BindingTarget } from '../../database.ts';
import type { Session } from '../session.ts';
import { withoutBinding } from '../targets/without-binding.ts';

/** The users bound to one role, organization or store of a tenant. */
export class BoundUsers<Key> {
  readonly #session: Session;
  readonly #tenantId: bigint;
  readonly #target: BindingTarget;
  readonly #table: RawBuilder<unknown>;
  readonly #column: RawBuilder<unknown>;

  constructor(session: Session, tenantId: bigint, target: BindingTarget) {
    this.#session = session;
    this.#tenantId = tenantId;
    this.#target = target;
    this.#table = sql.table(`user_${target}`);
    this.#column = sql.ref(columns[target]);
  }

  /** Locks the users in the order of their ids. Counts them too, so that the answer has one row. */
  async lock(key: Key): Promise<void> {
    const { db, engine } = this.#session;
    const users = db
      .selectFrom('user')
      .select('user.id')
      .where('user.tenant_id', '=', this.#tenantId)
      .where('user.id', 'in', sql<bigint>`(${this.#ids(key)})`)
      .orderBy('user.id');
    await db
      .selectFrom(engine.lockRows(users).as('locked'))
      .select((eb) => eb.fn.countAll().as('users'))
      .execute();
  }

  /** Counts the users, up to one more than `most`. */
  async count(key: Key, most: number): Promise<number> {
    const { rows } = await sql<{ users: bigint }>`select count(*) as users from
      (select 1 from ${this.#table} where ${this.#boundTo(key)} limit ${BigInt(most) + 1n}) as bound`.execute(
      this.#session.db,
    );
    return Number(rows[0]?.users ?? 0n);
  }

  /**
   * Unbinds the users, which counts as a change of each.
   * No further user can be bound, because the target is locked for its removal. Returns their ids.
   */
  async unbind(key: Key, nowMs: number): Promise<bigint[]> {
    const { db } = this.#session;
    // Users who were bound before the target was locked, but after its users were, may be changing. An update that
    // waited for them would still see their bindings from before.
    await this.lock(key);
    await db
      .updateTable('user')
      .set((eb) => ({
        [`without_${this.#target}`]: withoutBinding(this.#target, this.#boundTo(key)),
        revision: eb('revision', '+', 1n),
        updated_at: BigInt(nowMs),
      }))
      .where('tenant_id', '=', this.#tenantId)
      .where('id', 'in', sql<bigint>`(${this.#ids(key)})`)
      .execute();
    const { rows } = await sql<{ user_id: bigint }>`delete from ${this.#table}
      where ${this.#boundTo(key)} returning user_id`.execute(db);
    return rows.map((row) => row.user_id).sort((a, b) => (a < b ? -1 : 1));
  }

  #ids(key: Key): RawBuilder<unknown> {
    return sql`select user_id from ${this.#table} where ${this.#boundTo(key)}`;
  }

  #boundTo(key: Key): RawBuilder<unknown> {
    return sql`tenant_id = ${this.#tenantId} and ${this.#column} = ${key}`;
  }
}

const columns = { role: 'role_id', org: 'org_id', store: 'store_code' } as const;
