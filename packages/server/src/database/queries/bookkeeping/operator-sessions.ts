import type { OperatorSession, OperatorSessions, SessionEnd } from '../../database.ts';
import type { BookkeepingSchema } from '../schema.ts';
import type { BookkeepingTables } from './bookkeeping-tables.ts';

const sessionColumns = [
  'token_hash',
  'operator_id',
  'created_at',
  'seen_at',
  'user_agent',
  'address',
] as const;

/** Sessions of operators on either engine. */
export class KyselyOperatorSessions implements OperatorSessions {
  readonly #tables: BookkeepingTables;

  constructor(tables: BookkeepingTables) {
    this.#tables = tables;
  }

  async insert(session: OperatorSession): Promise<void> {
    const row = {
      token_hash: session.tokenHash,
      operator_id: session.operatorId,
      created_at: BigInt(session.createdAtMs),
      seen_at: BigInt(session.seenAtMs),
      user_agent: session.userAgent ?? null,
      address: session.address ?? null,
    };
    await this.#tables.write(({ db }) => db.insertInto('operator_session').values(row).execute(), 'durable');
  }

  find(tokenHash: string): Promise<OperatorSession | undefined> {
    return this.#tables.read(async ({ db }) => {
      const row = await db
        .selectFrom('operator_session')
        .select(sessionColumns)
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst();
      return row && toSession(row);
    });
  }

  listOf(operatorId: bigint): Promise<OperatorSession[]> {
    return this.#tables.read(async ({ db }) => {
      const rows = await db
        .selectFrom('operator_session')
        .select(sessionColumns)
        .where('operator_id', '=', operatorId)
        .orderBy('created_at', 'desc')
        .execute();
      return rows.map(toSession);
    });
  }

  async recordSeen(seenAtMs: ReadonlyMap<string, number>): Promise<void> {
    // All transactions use one order, so that two cannot deadlock.
    const ordered = [...seenAtMs].sort(([a], [b]) => (a < b ? -1 : 1));
    await this.#tables.write(async ({ db }) => {
      for (const [tokenHash, at] of ordered) {
        await db
          .updateTable('operator_session')
          .set({ seen_at: BigInt(at) })
          .where('token_hash', '=', tokenHash)
          // Another process may have recorded a later use.
          .where('seen_at', '<', BigInt(at))
          .execute();
      }
    }, 'background');
  }

  async remove(tokenHash: string): Promise<void> {
    await this.#tables.write(
      ({ db }) => db.deleteFrom('operator_session').where('token_hash', '=', tokenHash).execute(),
      'durable',
    );
  }

  async removeOf(operatorId: bigint): Promise<void> {
    await this.#tables.write(
      ({ db }) => db.deleteFrom('operator_session').where('operator_id', '=', operatorId).execute(),
      'durable',
    );
  }

  end(tokenHash: string, end: SessionEnd): Promise<boolean> {
    return this.#end('=', tokenHash, end);
  }

  endOthers(keptTokenHash: string, end: SessionEnd): Promise<boolean> {
    return this.#end('<>', keptTokenHash, end);
  }

  #end(which: '=' | '<>', tokenHash: string, end: SessionEnd): Promise<boolean> {
    return this.#tables.write(async ({ db }) => {
      const { numDeletedRows } = await db
        .deleteFrom('operator_session')
        .where('operator_id', '=', end.operatorId)
        .where('token_hash', which, tokenHash)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return false;
      const { requestId, operatorId, operation, atMs } = end;
      const row = { request_id: requestId, operator_id: operatorId, operation, at: BigInt(atMs) };
      await db.insertInto('session_end').values(row).execute();
      return true;
    }, 'durable');
  }

  listEnds(): Promise<SessionEnd[]> {
    return this.#tables.read(async ({ db }) => {
      const rows = await db
        .selectFrom('session_end')
        .select(['request_id', 'operator_id', 'operation', 'at'])
        .orderBy('at')
        .execute();
      return rows.map(({ request_id: requestId, operator_id: operatorId, operation, at }) => ({
        requestId,
        operatorId,
        operation,
        atMs: Number(at),
      }));
    });
  }

  async forgetEnd(requestId: string): Promise<void> {
    await this.#tables.write(
      ({ db }) => db.deleteFrom('session_end').where('request_id', '=', requestId).execute(),
      'background',
    );
  }

  lastSeen(): Promise<ReadonlyMap<bigint, number>> {
    return this.#tables.read(async ({ db }) => {
      const rows = await db
        .selectFrom('operator_session')
        .select(({ fn }) => ['operator_id', fn.max<bigint>('seen_at').as('seen_at')])
        .groupBy('operator_id')
        .execute();
      return new Map(rows.map((row) => [row.operator_id, Number(row.seen_at)]));
    });
  }

  forget(createdBeforeMs: number, [fromMs, toMs]: readonly [number, number]): Promise<number> {
    return this.#tables.write(async ({ db }) => {
      const { numDeletedRows } = await db
        .deleteFrom('operator_session')
        .where((eb) =>
          eb.or([
            eb('created_at', '<', BigInt(createdBeforeMs)),
            eb('seen_at', '<', BigInt(fromMs)),
            eb('seen_at', '>', BigInt(toMs)),
          ]),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    }, 'background');
  }
}

function toSession(row: BookkeepingSchema['operator_session']): OperatorSession {
  return {
    tokenHash: row.token_hash,
    operatorId: row.operator_id,
    createdAtMs: Number(row.created_at),
    seenAtMs: Number(row.seen_at),
    ...(row.user_agent !== null && { userAgent: row.user_agent }),
    ...(row.address !== null && { address: row.address }),
  };
}
