import type { ApplicationRecord, ApplicationSecretRecord } from '../../applications.ts';
import type { Session } from '../session.ts';
import type { BackgroundWriter } from './background-writer.ts';
import type { BookkeepingTables } from './bookkeeping-tables.ts';

/** Secrets per statement; engines bound the number of parameters. */
const idsAtOnce = 1000;

/** When each secret was last used. */
export class SecretUses {
  readonly #tables: BookkeepingTables;
  readonly #writer: BackgroundWriter;

  constructor(tables: BookkeepingTables, writer: BackgroundWriter) {
    this.#tables = tables;
    this.#writer = writer;
  }

  /** @param lastUsedAtMs by the secret's id; a time up to an hour before the recorded one changes nothing */
  record(lastUsedAtMs: ReadonlyMap<bigint, number>): void {
    if (lastUsedAtMs.size === 0) return;
    // All transactions use one order, so that two cannot deadlock.
    const rows = [...lastUsedAtMs]
      .map(([secret_id, at]) => ({ secret_id, last_used_at: BigInt(at) }))
      .sort((a, b) => (a.secret_id < b.secret_id ? -1 : 1));
    this.#writer.add(async (session) => {
      for (const row of rows) await recordUse(session, row);
    });
  }

  /** Returns the applications with the time of each secret's last use. */
  async addTo(applications: readonly ApplicationRecord[]): Promise<ApplicationRecord[]> {
    const ids = applications.flatMap(({ secrets }) => secrets.map(({ id }) => id));
    // Applications must be known even if the bookkeeping cannot be read.
    const uses = await this.#read(ids).catch(() => new Map<bigint, number>());
    return applications.map((application) => ({
      ...application,
      secrets: application.secrets.map((secret) => withLastUse(secret, uses.get(secret.id))),
    }));
  }

  /** Reads only the secrets asked for: the table also holds those that are long gone. */
  #read(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, number>> {
    return this.#tables.read(async ({ db }) => {
      const uses = new Map<bigint, number>();
      for (let start = 0; start < ids.length; start += idsAtOnce) {
        const rows = await db
          .selectFrom('secret_use')
          .select(['secret_id', 'last_used_at'])
          .where('secret_id', 'in', ids.slice(start, start + idsAtOnce))
          .execute();
        for (const { secret_id, last_used_at } of rows) uses.set(secret_id, Number(last_used_at));
      }
      return uses;
    });
  }
}

/** The time in the record itself comes from an earlier release, which kept it in the table of secrets. */
function withLastUse(secret: ApplicationSecretRecord, usedAtMs = 0): ApplicationSecretRecord {
  const lastUsedAtMs = Math.max(secret.lastUsedAtMs ?? 0, usedAtMs);
  return lastUsedAtMs === 0 ? secret : { ...secret, lastUsedAtMs };
}

/**
 * A use recorded this far after a newer one was dated by a clock that has been set back since, in milliseconds. Longer
 * than a process waits before it records a use, and than the clocks of nodes differ.
 */
const aheadMsMin = 3_600_000n;

async function recordUse({ db }: Session, row: { secret_id: bigint; last_used_at: bigint }): Promise<void> {
  await db
    .insertInto('secret_use')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('secret_id')
        .doUpdateSet({ last_used_at: row.last_used_at })
        // Another process may have recorded a later use, which stays unless a clock that ran ahead dated it.
        .where((eb) =>
          eb.or([
            eb('secret_use.last_used_at', '<', row.last_used_at),
            eb('secret_use.last_used_at', '>', row.last_used_at + aheadMsMin),
          ]),
        ),
    )
    .execute();
}
