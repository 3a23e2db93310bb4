import type { CountedDay, EntryCount, EntryCountHistory } from '../../entry-counts.ts';
import type { Schema } from '../schema.ts';
import type { BookkeepingTables } from './bookkeeping-tables.ts';

/** The daily counts on either engine. A row without counts is the lease of the process that makes them. */
export class KyselyEntryCounts implements EntryCountHistory {
  readonly #tables: BookkeepingTables;

  constructor(tables: BookkeepingTables) {
    this.#tables = tables;
  }

  countedTenants(day: number): Promise<ReadonlySet<bigint>> {
    return this.#tables.read(async ({ db }) => {
      const rows = await db
        .selectFrom('entry_count')
        .select('tenant_id')
        .where('day', '=', BigInt(day))
        .where('users', 'is not', null)
        .execute();
      return new Set(rows.map(({ tenant_id }) => tenant_id));
    });
  }

  takeLease({ tenantId, day }: CountedDay, nowMs: number, leaseMs: number): Promise<boolean> {
    const [at, lease] = [BigInt(nowMs), BigInt(leaseMs)];
    return this.#tables.write(async ({ db }) => {
      const taken = await db
        .insertInto('entry_count')
        .values({ tenant_id: tenantId, day: BigInt(day), at })
        .onConflict((conflict) =>
          conflict
            .columns(['tenant_id', 'day'])
            .doUpdateSet({ at })
            .where('entry_count.users', 'is', null)
            // A time far ahead was written by a clock that has been set back since.
            .where((eb) =>
              eb.or([eb('entry_count.at', '<=', at - lease), eb('entry_count.at', '>', at + lease)]),
            ),
        )
        .returning('day')
        .execute();
      return taken.length > 0;
    }, 'background');
  }

  async record({ tenantId, day }: CountedDay, { atMs, ...counts }: EntryCount): Promise<void> {
    await this.#tables.write(
      ({ db }) =>
        db
          .updateTable('entry_count')
          .set({ ...counts, at: BigInt(atMs) })
          .where('tenant_id', '=', tenantId)
          .where('day', '=', BigInt(day))
          .execute(),
      'background',
    );
  }

  async forget(beforeDay: number): Promise<void> {
    await this.#tables.write(
      ({ db }) => db.deleteFrom('entry_count').where('day', '<', BigInt(beforeDay)).execute(),
      'background',
    );
  }

  hasCount([fromMs, toMs]: readonly [number, number]): Promise<boolean> {
    return this.#tables.read(async ({ db }) => {
      const row = await db
        .selectFrom('entry_count')
        .select('day')
        .where('users', 'is not', null)
        .where('at', '>=', BigInt(fromMs))
        .where('at', '<=', BigInt(toMs))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    });
  }

  findNear(
    tenantId: bigint,
    atMs: number,
    [fromMs, toMs]: readonly [number, number],
  ): Promise<EntryCount | undefined> {
    return this.#tables.read(async ({ db }) => {
      const rows = await db
        .selectFrom('entry_count')
        .select(['users', 'stores', 'bindings', 'applications', 'at'])
        .where('tenant_id', '=', tenantId)
        .where('at', '>=', BigInt(fromMs))
        .where('at', '<=', BigInt(toMs))
        .execute();
      const distance = ({ atMs: at }: EntryCount) => Math.abs(at - atMs);
      return rows
        .flatMap(toCount)
        .reduce<EntryCount | undefined>(
          (nearest, count) =>
            nearest === undefined || distance(count) < distance(nearest) ? count : nearest,
          undefined,
        );
    });
  }
}

function toCount(row: Omit<Schema['entry_count'], 'tenant_id' | 'day'>): EntryCount[] {
  const { users, stores, bindings, applications, at } = row;
  if (users === null || stores === null || bindings === null || applications === null) return [];
  return [{ users, stores, bindings, applications, atMs: Number(at) }];
}
