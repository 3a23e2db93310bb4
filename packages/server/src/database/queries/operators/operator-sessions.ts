import type { OperatorSession, OperatorSessions } from '../../database.ts';
import type { Session } from '../session.ts';

type Transact = <T>(work: (session: Session) => Promise<T>) => Promise<T>;

/** Sessions of operators over either engine. */
export class KyselyOperatorSessions implements OperatorSessions {
  readonly #reader: Session;
  readonly #transact: Transact;

  constructor(reader: Session, transact: Transact) {
    this.#reader = reader;
    this.#transact = transact;
  }

  async insert({ tokenHash, operatorId, createdAtMs, seenAtMs }: OperatorSession): Promise<void> {
    const row = {
      token_hash: tokenHash,
      operator_id: operatorId,
      created_at: BigInt(createdAtMs),
      seen_at: BigInt(seenAtMs),
    };
    await this.#transact(({ db }) => db.insertInto('operator_session').values(row).execute());
  }

  async find(tokenHash: string): Promise<OperatorSession | undefined> {
    const row = await this.#reader.db
      .selectFrom('operator_session')
      .select(['operator_id', 'created_at', 'seen_at'])
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return {
      tokenHash,
      operatorId: row.operator_id,
      createdAtMs: Number(row.created_at),
      seenAtMs: Number(row.seen_at),
    };
  }

  async recordSeen(seenAtMs: ReadonlyMap<string, number>): Promise<void> {
    await this.#transact(async ({ db }) => {
      for (const [tokenHash, at] of seenAtMs) {
        await db
          .updateTable('operator_session')
          .set({ seen_at: BigInt(at) })
          .where('token_hash', '=', tokenHash)
          // Another process may have recorded a later use.
          .where('seen_at', '<', BigInt(at))
          .execute();
      }
    });
  }

  async remove(tokenHash: string): Promise<void> {
    await this.#transact(({ db }) =>
      db.deleteFrom('operator_session').where('token_hash', '=', tokenHash).execute(),
    );
  }

  async removeOf(operatorId: bigint): Promise<void> {
    await this.#transact(({ db }) =>
      db.deleteFrom('operator_session').where('operator_id', '=', operatorId).execute(),
    );
  }

  async lastSeen(): Promise<ReadonlyMap<bigint, number>> {
    const rows = await this.#reader.db
      .selectFrom('operator_session')
      .select(({ fn }) => ['operator_id', fn.max<bigint>('seen_at').as('seen_at')])
      .groupBy('operator_id')
      .execute();
    return new Map(rows.map((row) => [row.operator_id, Number(row.seen_at)]));
  }

  forget(createdBeforeMs: number, seenBeforeMs: number): Promise<number> {
    return this.#transact(async ({ db }) => {
      const { numDeletedRows } = await db
        .deleteFrom('operator_session')
        .where((eb) =>
          eb.or([eb('created_at', '<', BigInt(createdBeforeMs)), eb('seen_at', '<', BigInt(seenBeforeMs))]),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    });
  }
}
